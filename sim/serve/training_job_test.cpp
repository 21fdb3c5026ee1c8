// Training jobs under `spotsim serve`.
#include <fmt/format.h>

#include "sim/serve/testbed_for_test.h"

namespace sim::serve {
namespace {

constexpr const char* kScope =
    "AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/{}/aws4_request, SignedHeaders=host, "
    "Signature=0";

Json sagemaker(Tested& t, const std::string& action, const Json& request) {
  return Json::parse(t.send("POST", "/", request.dump(),
                            {{"Content-Type", "application/x-amz-json-1.1"},
                             {"X-Amz-Target", "SageMaker." + action},
                             {"Authorization", fmt::format(fmt::runtime(kScope), "sagemaker")}})
                         .body());
}

void create_job(Tested& t, int instances = 1, const Json& hyperparameters = Json::object()) {
  const auto made =
      t.send("PUT", "/bucket-1",
             "<CreateBucketConfiguration><LocationConstraint>us-west-2</LocationConstraint>"
             "</CreateBucketConfiguration>",
             {{"Authorization", fmt::format(fmt::runtime(kScope), "s3")}});
  EXPECT_EQ(made.result_int(), 200) << made.body();
  const Json answer = sagemaker(
      t, "CreateTrainingJob",
      {{"TrainingJobName", "job"},
       {"RoleArn", "arn:aws:iam::123456789012:role/r"},
       {"AlgorithmSpecification",
        {{"TrainingImage", "123456789012.dkr.ecr.us-west-2.amazonaws.com/x:1"},
         {"TrainingInputMode", "File"}}},
       {"HyperParameters", hyperparameters},
       {"OutputDataConfig", {{"S3OutputPath", "s3://bucket-1/out"}}},
       {"CheckpointConfig", {{"S3Uri", "s3://bucket-1/saved"}}},
       {"EnableManagedSpotTraining", true},
       {"ResourceConfig",
        {{"InstanceType", "ml.p3.2xlarge"}, {"InstanceCount", instances}, {"VolumeSizeInGB", 10}}},
       {"StoppingCondition", {{"MaxRuntimeInSeconds", 3600}, {"MaxWaitTimeInSeconds", 7200}}}});
  EXPECT_TRUE(answer.contains("TrainingJobArn")) << answer;
}

Json described(Tested& t) {
  return sagemaker(t, "DescribeTrainingJob", {{"TrainingJobName", "job"}});
}

// Without a `trainer` in the scenario, the job trains for ten minutes.
TEST(ServedTrainingJob, CompletesAndLeavesItsModelAndItsCheckpoints) {
  Tested t("manual");
  t.scenario.trainer.reset();
  t.start();
  create_job(t);
  t.post("clock", {{"by", "10m"}});
  EXPECT_EQ(described(t)["TrainingJobStatus"], "InProgress");
  t.post("clock", {{"by", "10m"}});
  const Json job = described(t);
  EXPECT_EQ(job["TrainingJobStatus"], "Completed") << job;
  EXPECT_EQ(job["ModelArtifacts"]["S3ModelArtifacts"], "s3://bucket-1/out/job/output/model.tar.gz");
  EXPECT_GE(job["TrainingTimeInSeconds"], 600);
}

TEST(ServedTrainingJob, TakesTheStepTimeOfItsHyperparameters) {
  Tested t("manual");
  t.scenario.trainer.reset();
  t.start();
  create_job(t, 1, {{"emulate-step-time", "100ms"}});
  t.post("clock", {{"by", "6m"}});
  EXPECT_EQ(described(t)["TrainingJobStatus"], "Completed");
}

TEST(ServedTrainingJob, IsDoneAtOnceInTheInstantProfile) {
  Tested t("max", Profile::kInstant);
  create_job(t);
  EXPECT_EQ(described(t)["TrainingJobStatus"], "Completed") << described(t);
}

// A waiting trainer moves the clock itself, but not past the time that the wall clock permits.
TEST(ServedTrainingJob, MayBePolledWhileItTrains) {
  Tested t("600x");
  create_job(t, 1, {{"emulate-step-time", "100ms"}});
  for (int poll = 0; poll < 100; ++poll) {
    t.real += std::chrono::milliseconds{37};
    ASSERT_TRUE(described(t).contains("TrainingJobStatus"));
  }
  t.real += std::chrono::seconds{10};
  EXPECT_EQ(described(t)["TrainingJobStatus"], "Completed");
}

TEST(ServedTrainingJob, RunsOnSeveralInstances) {
  Tested t("manual");
  t.scenario.trainer.reset();
  t.start();
  create_job(t, 3);
  t.post("clock", {{"by", "10m"}});
  EXPECT_EQ(described(t)["TrainingJobStatus"], "InProgress");
  t.post("clock", {{"by", "10m"}});
  const Json job = described(t);
  EXPECT_EQ(job["TrainingJobStatus"], "Completed") << job;
  EXPECT_EQ(job["ResourceConfig"]["InstanceCount"], 3);
}

}  // namespace
}  // namespace sim::serve
