// SageMaker's actions without a socket, and what recorded clients say.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fakes/json_for_test.h"

namespace fakes {
namespace {

using nlohmann::json;

json job_request(const std::string& name = "job") {
  return {{"TrainingJobName", name},
          {"AlgorithmSpecification",
           {{"TrainingImage", "123456789012.dkr.ecr.us-west-2.amazonaws.com/train:1"},
            {"TrainingInputMode", "File"}}},
          {"RoleArn", "arn:aws:iam::123456789012:role/R"},
          {"OutputDataConfig", {{"S3OutputPath", "s3://bucket/out"}}},
          {"ResourceConfig",
           {{"InstanceType", "ml.p3.2xlarge"}, {"InstanceCount", 1}, {"VolumeSizeInGB", 30}}},
          {"EnableManagedSpotTraining", true},
          {"StoppingCondition", {{"MaxRuntimeInSeconds", 3600}, {"MaxWaitTimeInSeconds", 7200}}}};
}

struct SageMaker : testing::Test {
  TestJson t;
  TestJson::JsonAnswer ask(const std::string& action, const json& body) const {
    return t.ask(TestJson::request("sagemaker", "SageMaker." + action, body.dump()));
  }
  std::string refusal(const json& body) const {
    const auto answer = ask("CreateTrainingJob", body);
    EXPECT_EQ(answer.status, 400) << answer.body;
    return answer.error();
  }
};

TEST_F(SageMaker, MakesDescribesListsAndStops) {
  const auto made = ask("CreateTrainingJob", job_request());
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string arn = "arn:aws:sagemaker:us-west-2:123456789012:training-job/job";
  EXPECT_EQ(made.body, json({{"TrainingJobArn", arn}}));
  json shown = ask("DescribeTrainingJob", {{"TrainingJobName", "job"}}).body;
  EXPECT_EQ(shown["TrainingJobStatus"], "InProgress");
  EXPECT_EQ(shown["SecondaryStatus"], "Starting");
  EXPECT_EQ(shown["SecondaryStatusTransitions"][0]["StatusMessage"], "Starting the training job");
  EXPECT_EQ(shown["CreationTime"], 1572948000);
  EXPECT_FALSE(shown.contains("TrainingStartTime"));

  ask("CreateTrainingJob", job_request("other"));
  const auto listed =
      ask("ListTrainingJobs", {{"SortBy", "Name"}, {"SortOrder", "Ascending"}, {"MaxResults", 1}});
  ASSERT_EQ(listed.body["TrainingJobSummaries"].size(), 1U);
  EXPECT_EQ(listed.body["TrainingJobSummaries"][0]["TrainingJobName"], "job");
  const auto next = ask(
      "ListTrainingJobs",
      {{"SortBy", "Name"}, {"SortOrder", "Ascending"}, {"NextToken", listed.body["NextToken"]}});
  EXPECT_EQ(next.body["TrainingJobSummaries"][0]["TrainingJobName"], "other");
  EXPECT_FALSE(next.body.contains("NextToken"));

  EXPECT_EQ(ask("StopTrainingJob", {{"TrainingJobName", "job"}}).status, 200);
  shown = ask("DescribeTrainingJob", {{"TrainingJobName", "job"}}).body;
  EXPECT_EQ(shown["TrainingJobStatus"], "Stopped");
  EXPECT_EQ(shown["BillableTimeInSeconds"], 0);
  EXPECT_EQ(ask("StopTrainingJob", {{"TrainingJobName", "job"}}).error(),
            "ValidationException: The request was rejected because the training job is in status "
            "Stopped.");
}

TEST_F(SageMaker, ShowsWhatHasNoEffectHere) {
  json asked = job_request();
  const json metrics = {{{"Name", "loss"}, {"Regex", "loss=([0-9.]+)"}}};
  asked["AlgorithmSpecification"]["MetricDefinitions"] = metrics;
  asked["OutputDataConfig"]["KmsKeyId"] = "alias/models";
  asked["ResourceConfig"]["VolumeKmsKeyId"] = "alias/disks";
  ASSERT_EQ(ask("CreateTrainingJob", asked).status, 200);
  json shown = ask("DescribeTrainingJob", {{"TrainingJobName", "job"}}).body;
  EXPECT_EQ(shown["AlgorithmSpecification"]["MetricDefinitions"], metrics);
  EXPECT_EQ(shown["OutputDataConfig"]["KmsKeyId"], "alias/models");
  EXPECT_EQ(shown["ResourceConfig"]["VolumeKmsKeyId"], "alias/disks");
}

TEST_F(SageMaker, HasTags) {
  json tagged = job_request();
  tagged["Tags"] = {{{"Key", "team"}, {"Value", "a"}}};
  const std::string arn = ask("CreateTrainingJob", tagged).body["TrainingJobArn"];
  ask("AddTags", {{"ResourceArn", arn}, {"Tags", {{{"Key", "more"}, {"Value", "b"}}}}});
  ask("DeleteTags", {{"ResourceArn", arn}, {"TagKeys", {"team"}}});
  EXPECT_EQ(ask("ListTags", {{"ResourceArn", arn}}).body,
            json({{"Tags", {{{"Key", "more"}, {"Value", "b"}}}}}));
  EXPECT_TRUE(
      ask("ListTags", {{"ResourceArn", arn + "x"}}).error().starts_with("ValidationException"));
}

TEST_F(SageMaker, RefusesWithTheField) {
  json bad = job_request("a_b");
  EXPECT_TRUE(refusal(bad).starts_with(
      "ValidationException: 1 validation error detected: Value 'a_b' at 'trainingJobName'"));
  bad = job_request();
  bad["ResourceConfig"]["InstanceType"] = "ml.p9.huge";
  EXPECT_TRUE(refusal(bad).starts_with("ValidationException"));
  bad = job_request();
  bad["StoppingCondition"]["MaxWaitTimeInSeconds"] = 60;
  EXPECT_TRUE(refusal(bad).starts_with("ValidationException: Invalid MaxWaitTimeInSeconds."));
  bad["EnableManagedSpotTraining"] = false;
  EXPECT_TRUE(refusal(bad).starts_with("ValidationException: Invalid MaxWaitTimeInSeconds."));
  bad = job_request();
  bad["OutputDataConfig"]["S3OutputPath"] = "bucket/out";
  EXPECT_TRUE(refusal(bad).starts_with("ValidationException"));
  bad = job_request();
  bad["CheckpointConfig"] = {{"S3Uri", "s3://bucket/c"}, {"LocalPath", "/data"}};
  EXPECT_TRUE(refusal(bad).starts_with("UnsupportedOperation"));
  bad = job_request();
  bad["AlgorithmSpecification"]["TrainingInputMode"] = "Pipe";
  bad["InputDataConfig"] = {
      {{"ChannelName", "train"},
       {"DataSource", {{"S3DataSource", {{"S3DataType", "S3Prefix"}, {"S3Uri", "s3://b/c"}}}}}}};
  EXPECT_TRUE(refusal(bad).starts_with("UnsupportedOperation"));
  bad["AlgorithmSpecification"]["TrainingInputMode"] = "File";
  for (const char* name : {"..", "../../tmp/x", "/tmp/x", "a b"}) {
    bad["InputDataConfig"][0]["ChannelName"] = name;
    EXPECT_TRUE(refusal(bad).starts_with("ValidationException")) << name;
  }
  for (const char* local : {"/opt/ml/./input", "/opt/ml//input", "/opt/ml/.", "/opt/ml/model/x"}) {
    bad = job_request();
    bad["CheckpointConfig"] = {{"S3Uri", "s3://bucket/c"}, {"LocalPath", local}};
    EXPECT_FALSE(refusal(bad).empty()) << local;
  }
  bad = job_request();
  bad.erase("RoleArn");
  EXPECT_TRUE(refusal(bad).starts_with("ValidationException"));
  ask("CreateTrainingJob", job_request());
  EXPECT_TRUE(refusal(job_request()).starts_with("ResourceInUse"));
}

TEST_F(SageMaker, RefusesUnknownParametersAtAnyDepth) {
  json bad = job_request();
  bad["UseSpot"] = true;
  EXPECT_TRUE(refusal(bad).starts_with(
      "ValidationException: Unknown parameter in input: \"UseSpot\", must be one of: "
      "TrainingJobName, HyperParameters,"))
      << refusal(bad);
  bad = job_request();
  bad["StoppingCondition"]["MaxWait"] = 1;
  EXPECT_EQ(refusal(bad),
            "ValidationException: Unknown parameter in input: \"StoppingCondition.MaxWait\", must "
            "be one of: MaxRuntimeInSeconds, MaxWaitTimeInSeconds");
}

// Every request that SageMaker's SDKs sent is taken, and shown again field by field.
TEST_F(SageMaker, AcceptsRequestsOfRecordedClients) {
  const char* const shared = std::getenv("SPOTSIM_SHARED");
  const auto folder = std::filesystem::path(shared ? shared : "") / "reference/sagemaker";
  if (!shared || !std::filesystem::exists(folder)) GTEST_SKIP() << "no recorded conversations";
  int jobs = 0;
  for (const char* file : {"sdk-1.56.0.txt", "sdk-2.77.1.txt"}) {
    std::ifstream in(folder / file);
    for (std::string line; std::getline(in, line);) {
      const auto at = line.find(" SageMaker.CreateTrainingJob {");
      if (at == line.npos) continue;
      const json asked = json::parse(line.substr(line.find('{')));
      const auto made = ask("CreateTrainingJob", asked);
      ASSERT_EQ(made.status, 200) << made.body;
      const json shown =
          ask("DescribeTrainingJob", {{"TrainingJobName", asked["TrainingJobName"]}}).body;
      for (const auto& [field, value] : asked.items())
        EXPECT_EQ(shown.value(field, json()), value) << field;
      ++jobs;
    }
  }
  EXPECT_EQ(jobs, 2);
}

}  // namespace
}  // namespace fakes
