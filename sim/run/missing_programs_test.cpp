#include "sim/run/missing_programs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/files/folder_for_test.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;

// A machine's programs, and an operator's folder.
class MissingPrograms : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "bin");
    fs::create_directories(folder_ / "job");
    scenario_.operator_folder = folder_ / "job";
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::vector<std::string> missing() const {
    return missing_programs(scenario_, {folder_ / "none", folder_ / "bin"});
  }

  base::FolderForTest folder_;
  scenario::Scenario scenario_;
};

TEST_F(MissingPrograms, AFilesystemNeedsItsTool) {
  write("job/fleet.json", R"({"LaunchSpecifications": []})");
  write("job/job.json", R"({"volume": {"filesystem": "ext4"}, "train": {}})");
  EXPECT_EQ(missing(), (std::vector<std::string>{(folder_ / "job/job.json").string() +
                                                 ": volume.filesystem: found ext4, expected one "
                                                 "that this machine can make: there is no "
                                                 "mkfs.ext4"}));
  write("bin/mkfs.ext4", "");
  EXPECT_TRUE(missing().empty());
  write("job/job.json", R"({"volume": {}, "train": {}})");  // xfs is the default
  ASSERT_EQ(missing().size(), 1u);
  EXPECT_NE(missing()[0].find("no mkfs.xfs"), std::string::npos);
}

TEST_F(MissingPrograms, CodeNeedsGit) {
  scenario_.code["https://example.com/a.git"] = folder_;
  EXPECT_EQ(missing().size(), 1U);
  write("bin/git", "");
  EXPECT_TRUE(missing().empty());
}

TEST_F(MissingPrograms, OnlyValidJobFilesAreRead) {
  ASSERT_EQ(mkfifo((folder_ / "job/pipe.json").c_str(), 0600), 0);
  write("job/other.json", R"({"volume": "none"})");
  EXPECT_TRUE(missing().empty());
}

}  // namespace
}  // namespace sim::run
