#include "sim/guest/fiber/aws_command.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files/folder_for_test.h"

namespace sim::guest {
namespace {

class AwsCommandTest : public testing::Test {
 protected:
  AwsCommandTest() {
    std::ofstream(folder_.path() / "job.json")
        << R"({"RoleArn": "role", "EnableManagedSpotTraining": true,
               "StoppingCondition": {"MaxRuntimeInSeconds": 7200}})";
    std::ofstream(folder_.path() / "bad.json") << R"({"Rolearn": "role"})";
  }
  AwsCommand read(const std::string& command) const {
    return read_aws(read_plain_script(command).at(0), folder_.path(), folders_);
  }
  std::string refusal(const std::string& command) const {
    try {
      read(command);
    } catch (const ScriptError& error) {
      EXPECT_EQ(error.line, 1);
      return error.what();
    }
    return "not refused";
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
  }

  base::FolderForTest folder_;
  DataFolders folders_;
};

TEST_F(AwsCommandTest, S3sCommands) {
  read_spottrain(read_plain_script("spottrain synthesize --train 12000 --test 512 /tmp/d").at(0),
                 folders_);
  EXPECT_EQ(std::get<MakeBucket>(read("aws s3 mb s3://b")).bucket, "b");
  const auto upload = std::get<UploadFolder>(
      read("aws s3 cp --recursive --only-show-errors /tmp/d s3://b/some/data/"));
  EXPECT_EQ(upload.bucket, "b");
  EXPECT_EQ(upload.prefix, "some/data");
  EXPECT_EQ(upload.files, (std::map<std::string, std::uint64_t>{{"batches.meta.txt", 70},
                                                                {"data_batch_1.bin", 10000 * 3073},
                                                                {"data_batch_2.bin", 2000 * 3073},
                                                                {"test_batch.bin", 512 * 3073}}));
  const auto list = std::get<ListObjects>(read("aws s3 ls --recursive s3://b/some/"));
  EXPECT_EQ(list.prefix, "some/");
  EXPECT_TRUE(list.recursive);
}

TEST_F(AwsCommandTest, ATrainingJobIsItsFileAndOptions) {
  const auto job = std::get<CallService>(
      read("aws sagemaker create-training-job --training-job-name digits "
           "--cli-input-json file://job.json --no-enable-managed-spot-training "
           "--stopping-condition MaxRuntimeInSeconds=60 --hyper-parameters epochs=10,policy=epoch "
           "--checkpoint-config '{\"S3Uri\": \"s3://b/c\"}'"));
  EXPECT_EQ(nlohmann::json::parse(job.request),
            (nlohmann::json{{"TrainingJobName", "digits"},
                            {"RoleArn", "role"},
                            {"EnableManagedSpotTraining", false},
                            {"StoppingCondition", {{"MaxRuntimeInSeconds", 60}}},
                            {"HyperParameters", {{"epochs", "10"}, {"policy", "epoch"}}},
                            {"CheckpointConfig", {{"S3Uri", "s3://b/c"}}}}));
  EXPECT_EQ(std::get<DescribeTrainingJob>(
                read("aws sagemaker describe-training-job --training-job-name digits"))
                .job,
            "digits");
  EXPECT_EQ(std::get<AwaitTrainingJob>(read("aws sagemaker wait training-job-completed-or-stopped "
                                            "--training-job-name digits"))
                .job,
            "digits");
}

TEST_F(AwsCommandTest, AnAutoScalingGroupIsItsFileAndOptions) {
  std::ofstream(folder_.path() / "group.json")
      << R"({"AutoScalingGroupName": "training", "MinSize": 1, "MaxSize": 1})";
  const auto group = std::get<CallService>(
      read("aws autoscaling create-auto-scaling-group --cli-input-json file://group.json "
           "--max-size 2 --availability-zones '[\"us-west-2a\"]'"));
  EXPECT_EQ(group.service->name, "autoscaling");
  EXPECT_EQ(group.operation->name, "CreateAutoScalingGroup");
  EXPECT_EQ(nlohmann::json::parse(group.request),
            (nlohmann::json{{"AutoScalingGroupName", "training"},
                            {"MinSize", 1},
                            {"MaxSize", 2},
                            {"AvailabilityZones", {"us-west-2a"}}}));
}

TEST_F(AwsCommandTest, ALaunchConfigurationsUserDataIsSentInBase64) {
  std::ofstream(folder_.path() / "user-data.sh") << "#!/bin/bash\n";
  const auto launch = std::get<CallService>(
      read("aws autoscaling create-launch-configuration --launch-configuration-name training "
           "--user-data file://user-data.sh"));
  EXPECT_EQ(
      nlohmann::json::parse(launch.request),
      (nlohmann::json{{"LaunchConfigurationName", "training"}, {"UserData", "IyEvYmluL2Jhc2gK"}}));
}

TEST_F(AwsCommandTest, WhatIsNotUnderstoodIsRefused) {
  EXPECT_TRUE(has(refusal("aws ec2 describe-instances"), "of aws, fiber guests support s3 mb"));
  EXPECT_TRUE(has(refusal("aws s3 cp a s3://b/a"), "--recursive"));
  EXPECT_TRUE(has(refusal("aws s3 cp --recursive data s3://b/a"), "spottrain synthesize"));
  EXPECT_TRUE(has(refusal("aws s3 mb b"), "expected s3://BUCKET"));
  const std::string create = "aws sagemaker create-training-job --cli-input-json ";
  EXPECT_TRUE(has(refusal(create + "file://none.json"), "none.json: there is no such file"));
  EXPECT_TRUE(has(refusal(create + "file://bad.json"), "bad.json: Rolearn: no member"));
  EXPECT_TRUE(has(refusal(create + "file://job.json --stopping-condition 60"),
                  "--stopping-condition: found \"60\", expected JSON or NAME=VALUE"));
  EXPECT_TRUE(has(refusal("aws sagemaker describe-training-job"), "--training-job-name"));
  DataFolders none;
  EXPECT_THROW(read_spottrain(read_plain_script("spottrain train").at(0), none), ScriptError);
}

}  // namespace
}  // namespace sim::guest
