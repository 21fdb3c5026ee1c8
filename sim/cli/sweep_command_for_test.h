// What tests of `spotsim sweep` share.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "sim/cli/sweep.h"

namespace sim::cli {

namespace fs = std::filesystem;

inline std::string contents_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// Calls `spotsim sweep` and `spotsim merge` on s.yaml in a folder of the test's own.
class SweepOnTheCommandLine : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              (std::string("spotsim-") + test->test_suite_name() + "-" + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& sweep) const { std::ofstream(folder_ / "s.yaml") << sweep; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  int spotsim(const std::string& arguments) {
    CLI::App app;
    int status = 0;
    add_sweep_commands(app, status);
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
  int sweep(const std::string& more, const std::string& out) {
    return spotsim("sweep " + path("s.yaml") + " --out " + path(out) + " " + more);
  }
  void expect_same_results(const std::string& one, const std::string& other) const {
    for (const char* file : {"runs.csv", "summary.csv", "results.db"}) {
      EXPECT_FALSE(contents_of(folder_ / one / file).empty()) << file;
      EXPECT_EQ(contents_of(folder_ / one / file), contents_of(folder_ / other / file)) << file;
    }
  }

  fs::path folder_;
  std::string out_, err_;
};

}  // namespace sim::cli
