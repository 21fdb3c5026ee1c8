// Tests only: commands called as from a shell.
#pragma once

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "base/files/folder_for_test.h"

namespace sim::cli {

namespace fs = std::filesystem;

inline std::string contents_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// A test of commands, with a folder of its own.
class OnTheCommandLine : public testing::Test {
 protected:
  using AddCommands = void (*)(CLI::App& app, int& exit_code);

  explicit OnTheCommandLine(std::initializer_list<AddCommands> commands) : commands_(commands) {}

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Runs `spotsim …` and returns the exit status. Its output is in out_ and err_.
  int spotsim(const std::string& arguments) {
    CLI::App app;
    int status = 0;
    for (const AddCommands add : commands_) add(app, status);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    try {
      app.parse(arguments);
    } catch (const CLI::ParseError&) {
      status = 2;
    }
    std::fflush(nullptr);
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return status;
  }

  base::FolderForTest folder_;
  std::string out_, err_;

 private:
  std::vector<AddCommands> commands_;
};

}  // namespace sim::cli
