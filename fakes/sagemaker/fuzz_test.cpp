// What clients can make of SageMaker: its requests, damaged.
#include "fakes/json_fuzz_for_test.h"

namespace fakes {
namespace {

const std::pair<const char*, const char*> kSageMakerSeeds[] = {
    {"CreateTrainingJob", R"({"TrainingJobName":"j","AlgorithmSpecification":{)"
                          R"("TrainingImage":"r.example/i:1","TrainingInputMode":"File",)"
                          R"("ContainerArguments":["a"]},"HyperParameters":{"a":"1"},)"
                          R"("RoleArn":"arn:aws:iam::123456789012:role/R",)"
                          R"("InputDataConfig":[{"ChannelName":"c","DataSource":{"S3DataSource":)"
                          R"({"S3DataType":"S3Prefix","S3Uri":"s3://bucket/data",)"
                          R"("S3DataDistributionType":"ShardedByS3Key"}}}],)"
                          R"("OutputDataConfig":{"S3OutputPath":"s3://bucket/out"},)"
                          R"("ResourceConfig":{"InstanceType":"ml.p3.2xlarge","InstanceCount":2,)"
                          R"("VolumeSizeInGB":30},"EnableManagedSpotTraining":true,)"
                          R"("StoppingCondition":{"MaxRuntimeInSeconds":60,)"
                          R"("MaxWaitTimeInSeconds":7200},"CheckpointConfig":)"
                          R"({"S3Uri":"s3://bucket/c","LocalPath":"/opt/ml/c"},)"
                          R"("RetryStrategy":{"MaximumRetryAttempts":3}})"},
    {"DescribeTrainingJob", R"({"TrainingJobName":"j"})"},
    {"ListTrainingJobs", R"({"MaxResults":1,"NameContains":"j","StatusEquals":"InProgress",)"
                         R"("SortBy":"Name","NextToken":"ag=="})"},
    {"ListTrainingJobs", R"({"CreationTimeAfter":1572948000,"SortOrder":"Ascending"})"},
    {"StopTrainingJob", R"({"TrainingJobName":"j"})"},
    {"AddTags", R"({"ResourceArn":"arn:aws:sagemaker:us-west-2:123456789012:training-job/j",)"
                R"("Tags":[{"Key":"a","Value":"b"}]})"},
    {"ListTags", R"({"ResourceArn":"arn:aws:sagemaker:us-west-2:123456789012:training-job/j"})"}};

TEST(SageMakerFuzz, AnswersAnyRequestWithWhatTheServiceHas) {
  fuzz_json({.service = "sagemaker",
             .target = "SageMaker.",
             .seeds = kSageMakerSeeds,
             .prepare =
                 [](TestJson& t) {
                   t.backend.objects.create_bucket("bucket");
                   t.ask(TestJson::request("sagemaker", "SageMaker.CreateTrainingJob",
                                           kSageMakerSeeds[0].second));
                 },
             .pause = 10min});
}

}  // namespace
}  // namespace fakes
