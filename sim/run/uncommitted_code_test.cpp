#include "sim/run/uncommitted_code.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/folder_for_test.h"
#include "base/process/process.h"

namespace sim::run {
namespace {

using Warnings = std::vector<std::string>;

class UncommittedCode : public testing::Test {
 protected:
  void SetUp() override {
    scenario_.code["https://example.com/a.git"] = folder_.path();
    write("train.py", "one");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  void git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-c", "user.name=t", "-c", "user.email=t@localhost"});
    const auto end = base::run_process({.argv = words, .folder = folder_.path()});
    ASSERT_EQ(end.status, 0) << end.errors;
  }
  void commit() const {
    git({"add", "."});
    git({"commit", "-q", "-m", "x"});
  }
  std::string warning(const std::string& files) const {
    return "code.https://example.com/a.git: " + folder_.path().string() + " has " + files +
           ": instances clone committed files only";
  }

  base::FolderForTest folder_;
  scenario::Scenario scenario_;
};

TEST_F(UncommittedCode, IsReportedWithItsFolderAndField) {
  git({"init", "-q"});
  commit();
  EXPECT_EQ(uncommitted_code(scenario_), Warnings{});
  write("train.py", "two");
  EXPECT_EQ(uncommitted_code(scenario_),
            Warnings{warning("a file that is not committed (train.py)")});
  write("new.py", "");
  git({"add", "train.py"});
  EXPECT_EQ(uncommitted_code(scenario_),
            Warnings{warning("2 files that are not committed (train.py, …)")});
  commit();
  EXPECT_EQ(uncommitted_code(scenario_), Warnings{});
}

TEST_F(UncommittedCode, ExcludesIgnoredFilesAndFoldersWithoutARepository) {
  EXPECT_EQ(uncommitted_code(scenario_), Warnings{});  // all its files are committed
  git({"init", "-q"});
  write(".gitignore", "*.pyc\n");
  commit();
  write("train.pyc", "");
  EXPECT_EQ(uncommitted_code(scenario_), Warnings{});
}

}  // namespace
}  // namespace sim::run
