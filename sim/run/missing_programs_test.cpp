#include "sim/run/missing_programs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/folder_for_test.h"

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
  Scenario scenario_;
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
  write("job/job.json", R"({"volume": {}, "train": {}})");  // xfs, where nothing is said
  ASSERT_EQ(missing().size(), 1u);
  EXPECT_NE(missing()[0].find("no mkfs.xfs"), std::string::npos);
}

TEST_F(MissingPrograms, CodeNeedsGitAndAScriptThatCallsAwsNeedsAws) {
  scenario_.code["https://example.com/a.git"] = folder_;
  scenario_.operator_script = "set -e\naws ec2 describe-instances\n";
  EXPECT_EQ(missing().size(), 2u);
  write("bin/git", "");
  write("bin/aws", "");
  EXPECT_TRUE(missing().empty());
}

TEST_F(MissingPrograms, CrontabsNeedCron) {
  write("job/user-data.yaml", "write_files: [{path: /etc/cron.d/sync}]\n");
  EXPECT_EQ(missing().size(), 1u);
  write("bin/cron", "");
  EXPECT_TRUE(missing().empty());
}

TEST_F(MissingPrograms, AScriptThatOnlySpeaksOfAwsNeedsNothing) {
  scenario_.operator_script = "spotrun submit --job aws.json # paws off\ncd laws \n";
  EXPECT_TRUE(missing().empty());
}

TEST_F(MissingPrograms, AScriptOfTheFolderNeedsWhatItCalls) {
  write("bin/ls", "");
  write("job/user-data.sh",
        "#!/bin/bash\nls\nnosuch --all\n/opt/nosuch/bin/tool\n/data/tool\n./own\npoweroff\n");
  write("job/notes.txt", "nosuch\n");
  const std::string file = (folder_ / "job/user-data.sh").string();
  EXPECT_EQ(
      missing(),
      (std::vector<std::string>{
          file + ":3: calls nosuch, which is not among the programs of this machine",
          file +
              ":4: calls /opt/nosuch/bin/tool, which is not among the programs of this machine"}));
}

TEST_F(MissingPrograms, OnlySmallFilesThatCanBeReadAreLookedAt) {
  write("job/installer.sh", "#!/bin/sh\nnosuch\n" + std::string(100'000, '\n'));
  ASSERT_EQ(mkfifo((folder_ / "job/pipe.sh").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((folder_ / "job/pipe.json").c_str(), 0600), 0);
  fs::create_directory(folder_ / "job/closed");
  fs::permissions(folder_ / "job/closed", fs::perms(0));
  EXPECT_TRUE(missing().empty());
  fs::permissions(folder_ / "job/closed", fs::perms::owner_all);
}

TEST_F(MissingPrograms, AnImageHasProgramsToo) {
  write("bin/ls", "");
  write("job/user-data.sh", "#!/bin/sh\nls\n/opt/bin/tool\ntool\n");
  fs::create_directories(folder_ / "image/opt/bin");
  write("image/opt/bin/tool", "");
  scenario_.guest.images["ami-1"].root = folder_ / "image";
  ASSERT_EQ(missing().size(), 1U);
  EXPECT_NE(missing()[0].find(":4: calls tool"), std::string::npos);
  EXPECT_NE(missing()[0].find("this machine and " + (folder_ / "image").string()),
            std::string::npos);
  fs::create_directories(folder_ / "image" / (folder_ / "bin").relative_path());
  write("image" + (folder_ / "bin/tool").string(), "");
  EXPECT_TRUE(missing().empty());
  // Without this machine's programs there is no ls.
  scenario_.guest.images["ami-1"].host_packages = false;
  scenario_.cloud.any_image = false;
  ASSERT_EQ(missing().size(), 1U);
  EXPECT_NE(missing()[0].find(":2: calls ls"), std::string::npos);
}

}  // namespace
}  // namespace sim::run
