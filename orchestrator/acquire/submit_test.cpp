#include "orchestrator/acquire/submit.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "api/percent.h"
#include "base/text/base64.h"
#include "orchestrator/fake_ec2_for_test.h"
#include "orchestrator/job/fleet_file.h"
#include "orchestrator/job/user_data.h"
#include "orchestrator/seams/fakes_for_test.h"

namespace spotrun {
namespace {

// EC2 with one tagged volume whose job is done. It records requests.
struct Submit : ::testing::Test {
  Submit() {
    http.answer = [](const client::HttpRequest& request) -> client::HttpResponse {
      if (request.body.starts_with("Action=DescribeVolumes&")) {
        return {200,
                "<a><volumeSet><item><volumeId>vol-1</volumeId><tagSet><item><key>"
                "spotrun:done</key><value>now</value></item></tagSet></item></volumeSet></a>"};
      }
      return {200,
              "<a><spotFleetRequestId>sfr-1</spotFleetRequestId><instancesSet><item>"
              "<instanceId>i-1</instanceId></item></instancesSet></a>"};
    };
  }
  std::string submit(const std::string& fleet) {
    return submit_fleet(context, client, job, read_fleet(fleet, "fleet.json", job, {}),
                        "fleet.json");
  }
  // The body of the only request for an action. The test fails if there were more.
  std::string sent(const std::string& action) {
    const std::string& body = http.requests.back().body;
    EXPECT_TRUE(body.starts_with("Action=" + action + "&")) << body;
    return body + "&";
  }
  static std::string encoded(const std::string& name, const std::string& value) {
    std::string text = "&";
    api::append_percent(text, name);
    text += '=';
    api::append_percent(text, value);
    return text + '&';
  }

  testing::ScriptedHttp http;
  testing::FakeClock clock;
  testing::FakeLog log;
  client::MetadataClient imds{http, clock, "http://imds"};
  client::Credentials credentials{http, imds, clock,
                                  testing::environment_of(testing::kCredentials)};
  aws::HttpTransport transport{http, testing::environment_of(testing::kCredentials)};
  aws::Client client{
      transport, clock, credentials, {.region = "us-west-2"}, testing::numbered_bits()};
  aws::Ec2 ec2{client};
  Context context{clock, log, ec2};
  Job job = testing::test_job();
};

constexpr char kSubmittedFleet[] = R"({"IamFleetRole": "arn:aws:iam::1:role/f", "TargetCapacity": 1,
  "LaunchSpecifications": [{"ImageId": "ami-1", "InstanceType": "p3.2xlarge"},
                           {"ImageId": "ami-1", "UserData": "b3du"}]})";

TEST_F(Submit, TheFleetGetsTheJobWhereItBringsNoUserDataOfItsOwn) {
  EXPECT_EQ(submit(kSubmittedFleet), "sfr-1");
  const std::string body = sent("RequestSpotFleet"), list = "SpotFleetRequestConfig.";
  const std::string specification = list + "LaunchSpecifications.";
  EXPECT_NE(body.find(encoded(specification + "1.UserData",
                              base::base64_encode(user_data(job, "instance")))),
            std::string::npos);
  EXPECT_NE(body.find(encoded(specification + "2.UserData", "b3du")), std::string::npos);
  EXPECT_NE(body.find(encoded(list + "TargetCapacity", "1")), std::string::npos);
  EXPECT_NE(body.find("&" + list + "ClientToken="), std::string::npos);
}

constexpr char kPrioritizedFleet[] = R"({"IamFleetRole": "arn:aws:iam::1:role/f",
  "TargetCapacity": 1, "AllocationStrategy": "capacityOptimizedPrioritized",
  "LaunchSpecifications": [
    {"ImageId": "ami-1", "InstanceType": "p3.2xlarge", "SpotPrice": "1.5",
     "SecurityGroups": [{"GroupId": "sg-1"}],
     "Placement": {"AvailabilityZone": "us-west-2a, us-west-2b"}},
    {"ImageId": "ami-1", "InstanceType": "p2.xlarge"}]})";

TEST_F(Submit, PrioritiesGoWithLaunchTemplatesInTheFilesOrder) {
  EXPECT_EQ(submit(kPrioritizedFleet), "sfr-1");
  std::vector<std::string> made;
  for (const auto& request : http.requests)
    if (request.body.starts_with("Action=CreateLaunchTemplate&"))
      made.push_back(request.body + "&");
  ASSERT_EQ(made.size(), 2u);
  const std::string data = "LaunchTemplateData.";
  EXPECT_NE(
      made[0].find(encoded(data + "UserData", base::base64_encode(user_data(job, "instance")))),
      std::string::npos);
  EXPECT_NE(made[0].find(encoded(data + "SecurityGroupId.1", "sg-1")), std::string::npos);
  EXPECT_EQ(made[0].find("SpotPrice"), std::string::npos);

  const std::string body = sent("RequestSpotFleet");
  const std::string configs = "SpotFleetRequestConfig.LaunchTemplateConfigs.";
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"1.LaunchTemplateSpecification.Version", "1"},
           {"1.Overrides.1.AvailabilityZone", "us-west-2a"},
           {"1.Overrides.2.AvailabilityZone", "us-west-2b"},
           {"1.Overrides.2.Priority", "1.0"},
           {"1.Overrides.2.SpotPrice", "1.5"},
           {"2.Overrides.1.Priority", "2.0"}}) {
    EXPECT_NE(body.find(encoded(configs + name, value)), std::string::npos) << name;
  }
  EXPECT_EQ(body.find("LaunchSpecifications"), std::string::npos);
}

TEST_F(Submit, ATemplateThatIsThereIsTaken) {
  const auto answer = http.answer;
  http.answer = [answer](const client::HttpRequest& request) -> client::HttpResponse {
    if (!request.body.starts_with("Action=CreateLaunchTemplate&")) return answer(request);
    return {400,
            "<Response><Errors><Error><Code>InvalidLaunchTemplateName.AlreadyExistsException</Code>"
            "</Error></Errors></Response>"};
  };
  EXPECT_EQ(submit(kPrioritizedFleet), "sfr-1");
}

TEST_F(Submit, SettingsThatTemplatesLackAreRefusedBeforeOneIsMade) {
  std::string fleet = kPrioritizedFleet;
  fleet.replace(fleet.find("p2.xlarge\""), 10, "p2.xlarge\", \"KernelId\": \"aki-1\"");
  try {
    submit(fleet);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, ExitCode::kBadInput);
    EXPECT_TRUE(
        std::string(failure.what()).starts_with("fleet.json: /LaunchSpecifications/1/KernelId: "))
        << failure.what();
  }
  for (const auto& request : http.requests)
    EXPECT_FALSE(request.body.starts_with("Action=CreateLaunchTemplate&"));
}

TEST_F(Submit, TheSkeletonOfTheCliIsAFleetToo) {
  EXPECT_EQ(submit(std::string("{\"SpotFleetRequestConfig\": ") + kSubmittedFleet + "}"), "sfr-1");
}

TEST_F(Submit, AnEarlierOutcomeIsForgottenBeforeTheFleetIsThere) {
  submit(kSubmittedFleet);
  ASSERT_EQ(http.requests.size(), 3u);
  EXPECT_TRUE(http.requests[1].body.starts_with("Action=DeleteTags&"));
  EXPECT_NE((http.requests[1].body + "&").find(encoded("Tag.1.Key", "spotrun:done")),
            std::string::npos);
  EXPECT_TRUE(http.requests[2].body.starts_with("Action=RequestSpotFleet&"));
}

TEST_F(Submit, WhatIsNoFleetIsRefusedAndNothingIsAsked) {
  for (const char* text :
       {"", "[]", "{}", R"({"LaunchSpecifications": []})", R"({"LaunchSpecifications": [1]})",
        R"({"LaunchTemplateConfigs": [{}]})"}) {
    try {
      submit(text);
      FAIL() << text;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code, ExitCode::kBadInput);
      EXPECT_TRUE(std::string(failure.what()).starts_with("fleet.json: ")) << failure.what();
    }
  }
  EXPECT_TRUE(http.requests.empty());
}

TEST_F(Submit, OnDemandRunsTheSameUserDataInTheNamedZone) {
  EXPECT_EQ(submit_on_demand(context, job, "p3.2xlarge/us-west-2c"), "i-1");
  const std::string body = sent("RunInstances");
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"InstanceType", "p3.2xlarge"},
           {"Placement.AvailabilityZone", "us-west-2c"},
           {"InstanceInitiatedShutdownBehavior", "terminate"},
           {"UserData", base::base64_encode(user_data(job, "instance"))}}) {
    EXPECT_NE(body.find(encoded(name, value)), std::string::npos) << name;
  }
}

TEST_F(Submit, OnDemandNeedsATypeAndAZone) {
  for (const char* where : {"", "p3.2xlarge", "/us-west-2c", "p3.2xlarge/"}) {
    EXPECT_THROW(submit_on_demand(context, job, where), Failure) << where;
  }
  EXPECT_TRUE(http.requests.empty());
}

}  // namespace
}  // namespace spotrun
