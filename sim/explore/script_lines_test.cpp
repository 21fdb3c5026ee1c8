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

TEST_F(Scripts, ACallOfAMachineIsInTheScriptsThatItRuns) {
  scenario_.operator_script = "aws s3 cp data s3://bucket/\nbash submit.sh <user-data.sh\n";
  std::ofstream(folder_ / "job/submit.sh") << "aws s3 cp code s3://bucket/\n";
  const ScriptLines scripts(scenario_);
  const auto files = [](const std::vector<ScriptLine>& lines) {
    std::vector<std::string> names;
    for (const ScriptLine& line : lines) names.push_back(line.file);
    return names;
  };
  EXPECT_EQ(files(scripts.calling("PutObject", "operator")),
            (std::vector<std::string>{"s.yaml", "job/submit.sh", "job/user-data.sh"}));
  EXPECT_EQ(files(scripts.calling("PutObject", "2")),
            (std::vector<std::string>{"job/user-data.sh", "s.yaml", "job/submit.sh"}));
}

TEST_F(Scripts, ADownloadIsInNoLineThatUploads) {
  std::ofstream(folder_ / "job/copy.sh") << "aws s3 cp s3://bucket/train.py .\n"
                                            "aws s3 cp train.py s3://bucket/train.py\n"
                                            "aws s3 sync --quiet \"$bucket/ckpt\" ckpt; exit\n"
                                            "aws s3 sync ckpt \"$bucket/ckpt\" && exit\n"
                                            "aws s3 cp --region us-west-2 s3://bucket/x .\n";
  const ScriptLines scripts(scenario_);
  EXPECT_EQ(numbers(scripts.calling("GetObject")), (std::vector{1, 3, 5}));
  EXPECT_EQ(numbers(scripts.calling("PutObject")), (std::vector{2, 4, 7}));
  EXPECT_EQ(numbers(scripts.calling("ListObjectsV2")), (std::vector{1, 2, 3, 4, 5, 7}));
}

TEST_F(Scripts, OutputOfSpotsimIsNoScript) {
  for (const char* const output : {"job/out/run", "job/out/search"})
    std::filesystem::create_directories(folder_ / output);
  std::ofstream(folder_ / "job/out/run/events.jsonl") << "{}\n";
  std::ofstream(folder_ / "job/out/run/console.log") << "+ aws ec2 create-volume\n";
  std::ofstream(folder_ / "job/out/search/runs.jsonl") << "{}\n";
  std::ofstream(folder_ / "job/out/search/console.log") << "+ aws ec2 create-volume\n";
  EXPECT_EQ(ScriptLines(scenario_).calling("CreateVolume").size(), 2U);
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
  const std::string longest(1 << 20, 'x');
  EXPECT_EQ(numbers(scripts.named_in({longest + ": line 6: ", "user-data.sh: line 2: " + longest})),
            (std::vector{2}));
}

}  // namespace
}  // namespace sim::explore
