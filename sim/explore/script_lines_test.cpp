#include "sim/explore/script_lines.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/folder_for_test.h"

namespace sim::explore {
namespace {

class Scripts : public ::testing::Test {
 protected:
  Scripts() {
    std::filesystem::create_directory(folder_ / "job");
    std::ofstream(folder_ / "job/user-data.sh") << "#!/bin/bash\n"
                                                   "# create-volume is not called here\n"
                                                   "  aws ec2 create-volume --size 1\n"
                                                   "aws ec2 create-volume-permission\n"
                                                   "aws ec2 wait volume-available\n"
                                                   "curl $metadata/spot/instance-action\n"
                                                   "aws s3 sync /ckpt s3://bucket\n";
    std::ofstream(folder_ / "job/train.py") << "import boto3\nec2.create_volume(Size=1)\n";
    std::ofstream(folder_ / "job/prices.json") << "create-volume\n";
    scenario_.file = folder_ / "s.yaml";
    scenario_.operator_file = "s.yaml";
    scenario_.operator_script = "set -e\naws ec2 run-instances\n";
    scenario_.operator_script_line = 7;
    scenario_.inputs = {"job"};
  }
  static std::vector<int> numbers(const std::vector<ScriptLine>& lines) {
    std::vector<int> numbers;
    for (const ScriptLine& line : lines) numbers.push_back(line.number);
    return numbers;
  }

  base::FolderForTest folder_;
  scenario::Scenario scenario_;
};

TEST_F(Scripts, ACallIsFoundInBashAndPython) {
  const ScriptLines scripts(scenario_);
  EXPECT_EQ(scripts.calling("CreateVolume"),
            (std::vector<ScriptLine>{{"job/train.py", 2, "ec2.create_volume(Size=1)"},
                                     {"job/user-data.sh", 3, "aws ec2 create-volume --size 1"}}));
  EXPECT_EQ(scripts.calling("RunInstances"),
            (std::vector<ScriptLine>{{"s.yaml", 8, "aws ec2 run-instances"}}));
  EXPECT_EQ(numbers(scripts.calling("DescribeVolumes")), std::vector{5});
  EXPECT_EQ(numbers(scripts.calling("PutObject")), std::vector{7});
  EXPECT_TRUE(scripts.calling("DeleteVolume").empty());
}

TEST_F(Scripts, ARequestForMetadataIsFoundByTheEndOfItsPath) {
  const ScriptLines scripts(scenario_);
  EXPECT_EQ(numbers(scripts.asking_for("/latest/meta-data/spot/instance-action")), std::vector{6});
  EXPECT_TRUE(scripts.asking_for("/latest/meta-data/hostname").empty());
}

TEST_F(Scripts, MessagesOfBashAndPythonNameLines) {
  const ScriptLines scripts(scenario_);
  EXPECT_EQ(numbers(scripts.named_in({"i-1:   File \"/opt/job/train.py\", line 2, in <module>",
                                      "i-1: /root/user-data.sh: line 6: curl: command not found",
                                      "i-1: File \"/usr/lib/python3/json.py\", line 1",
                                      "i-1: /root/user-data.sh: line 99: no such line"})),
            (std::vector{2, 6}));
}

}  // namespace
}  // namespace sim::explore
