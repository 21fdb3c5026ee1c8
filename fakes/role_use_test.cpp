// Roles that AWS's services assume, in an account whose IAM decides.
#include <nlohmann/json.hpp>

#include "fakes/authorisation/signing_for_test.h"

namespace fakes {
namespace {

using authorisation::allow;
using authorisation::kAdministrator;
using nlohmann::json;

constexpr const char* kFleetRole = "arn:aws:iam::123456789012:role/fleet";

struct ServiceRoles : testing::Test {
  Answer request_fleet() const {
    const std::string config = "SpotFleetRequestConfig.";
    const std::string spec = config + "LaunchSpecifications.1.";
    return t.call(kAdministrator, "ec2", "RequestSpotFleet",
                  {{config + "IamFleetRole", kFleetRole},
                   {config + "TargetCapacity", "1"},
                   {spec + "ImageId", "ami-0123456789abcdef0"},
                   {spec + "InstanceType", "p3.2xlarge"},
                   {spec + "Placement.AvailabilityZone", "us-west-2b"}});
  }
  // The sub-types of the errors in the history of the only fleet.
  std::string errors() const {
    std::string all;
    for (const auto& [id, fleet] : t.cloud.fleets())
      for (const auto& record : t.cloud.fleet(id).history)
        if (record.event_type == "error") all += record.event_sub_type + "\n";
    return all;
  }
  authorisation::TestIam t;
};

TEST_F(ServiceRoles, AFleetNeedsARoleThatItCanAssume) {
  EXPECT_EQ(request_fleet().code(), "InvalidSpotFleetRequestConfig");
  t.service_role("fleet", "ec2.amazonaws.com", allow(R"("*")"));
  EXPECT_EQ(request_fleet().code(), "InvalidSpotFleetRequestConfig");
  EXPECT_EQ(t.denied(), "sts:AssumeRole trust\nsts:AssumeRole trust\n");
  EXPECT_TRUE(t.cloud.fleets().empty());
}

TEST_F(ServiceRoles, AFleetWhoseRoleMayNotLaunchSaysSoInItsHistory) {
  t.service_role("fleet", "spotfleet.amazonaws.com", allow(R"("ec2:RequestSpotInstances")"));
  EXPECT_EQ(request_fleet().code(), "");
  t.run(5min);
  EXPECT_EQ(errors(), "iamFleetRoleInvalid\n");
  EXPECT_TRUE(t.cloud.instances().empty());
  EXPECT_TRUE(t.denied().starts_with("ec2:RunInstances implicit\n")) << t.denied();
  t.backend.iam->put_policy(
      sim::iam::Owner::kRole, "fleet", "more",
      R"({"Version":"2012-10-17","Statement":[)" + allow(R"("ec2:RunInstances")") + "]}");
  t.run(5min);
  EXPECT_EQ(t.cloud.instances().size(), 1U) << "it tries again";
}

TEST_F(ServiceRoles, AFleetWithItsPermissionsLaunches) {
  t.service_role("fleet", "spotfleet.amazonaws.com", allow(R"("ec2:RunInstances")"));
  EXPECT_EQ(request_fleet().code(), "");
  t.run(5min);
  EXPECT_EQ(t.cloud.instances().size(), 1U);
  EXPECT_EQ(t.denied(), "");
}

// The policy of a role that may launch only instances that meet these conditions.
std::string allow_instances_if(const std::string& conditions) {
  return allow(R"("ec2:RunInstances")", "arn:aws:ec2:us-west-2:*:subnet/*") + "," +
         allow(R"("ec2:RunInstances")", "arn:aws:ec2:us-west-2::image/*") + "," +
         allow(R"("ec2:RunInstances")", "arn:aws:ec2:us-west-2:*:network-interface/*") + "," +
         allow(R"("ec2:RunInstances")", "arn:aws:ec2:us-west-2:*:security-group/*") + "," +
         allow(R"("ec2:RunInstances")", "arn:aws:ec2:us-west-2:*:volume/*") + "," +
         R"({"Effect":"Allow","Action":"ec2:RunInstances",)" +
         R"("Resource":"arn:aws:ec2:us-west-2:*:instance/*","Condition":)" + conditions + "}";
}

TEST_F(ServiceRoles, AFleetsLaunchHasTheConditionKeysOfRunInstances) {
  const auto launched = [&](const std::string& type) {
    t.permit(sim::iam::Owner::kRole, "fleet",
             allow_instances_if(R"({"StringEquals":{"ec2:InstanceMarketType":"spot",)"
                                R"("ec2:InstanceType":")" +
                                type + R"(","ec2:AvailabilityZone":"us-west-2b"}})"));
    EXPECT_EQ(request_fleet().code(), "");
    t.run(5min);
    return t.cloud.instances().size();
  };
  t.service_role("fleet", "spotfleet.amazonaws.com", allow(R"("ec2:Nothing")"));
  EXPECT_EQ(launched("p3.8xlarge"), 0U);
  EXPECT_EQ(launched("p3.2xlarge"), 2U) << "the first fleet tries again";
}

struct TrainingRoles : ServiceRoles {
  Response create_job() const {
    const json body = {
        {"TrainingJobName", "job"},
        {"AlgorithmSpecification",
         {{"TrainingImage", "123456789012.dkr.ecr.us-west-2.amazonaws.com/train:1"},
          {"TrainingInputMode", "File"}}},
        {"RoleArn", "arn:aws:iam::123456789012:role/train"},
        {"OutputDataConfig", {{"S3OutputPath", "s3://bucket/out"}}},
        {"ResourceConfig",
         {{"InstanceType", "ml.p3.2xlarge"}, {"InstanceCount", 1}, {"VolumeSizeInGB", 30}}},
        {"StoppingCondition", {{"MaxRuntimeInSeconds", 3600}}}};
    return t
        .api(t.signed_request(kAdministrator, "sagemaker", body.dump(),
                              "SageMaker.CreateTrainingJob"))
        .response;
  }
};

TEST_F(TrainingRoles, SageMakerNeedsARoleThatItCanAssume) {
  const Response refused = create_job();
  EXPECT_EQ(refused.result_int(), 400U);
  EXPECT_NE(refused.body().find("Could not assume role"), std::string::npos) << refused.body();
  EXPECT_EQ(t.denied(), "sts:AssumeRole trust\n");
}

TEST_F(TrainingRoles, AContainerSignsAsTheRoleOfItsJob) {
  t.service_role("train", "sagemaker.amazonaws.com", allow(R"("ec2:DescribeInstances")"));
  ASSERT_EQ(create_job().result_int(), 200U);
  const auto& variables = t.backend.training.jobs().at(0)->spec.environment;
  const authorisation::Keys keys{variables.at("AWS_ACCESS_KEY_ID"),
                                 variables.at("AWS_SECRET_ACCESS_KEY"),
                                 variables.at("AWS_SESSION_TOKEN")};
  EXPECT_EQ(t.call(keys, "sts", "GetCallerIdentity").at("GetCallerIdentityResult/Arn"),
            "arn:aws:sts::123456789012:assumed-role/train/SageMaker");
  EXPECT_EQ(t.code(keys, "ec2", "DescribeInstances"), "");
  EXPECT_EQ(t.code(keys, "ec2", "DescribeVolumes"), "UnauthorizedOperation");
  t.run(2h);
  EXPECT_EQ(t.code(keys, "ec2", "DescribeInstances"), "") << "for as long as a job can run";
}

}  // namespace
}  // namespace fakes
