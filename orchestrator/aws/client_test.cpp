#include "orchestrator/aws/client.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>

#include "api/ec2.h"
#include "api/form.h"
#include "orchestrator/aws/ec2.h"
#include "orchestrator/aws/http_transport.h"
#include "orchestrator/seams/fakes_for_test.h"

namespace spotrun::aws {
namespace {

namespace op = api::ec2::op;
using testing::FakeClock;
using testing::ScriptedHttp;

client::HttpResponse api_error(int status, const std::string& code) {
  return {status, "<Response><Errors><Error><Code>" + code +
                      "</Code><Message>no</Message></Error></Errors></Response>"};
}

struct ClientTest : ::testing::Test {
  Client client(int max_attempts) {
    return Client(transport, clock, credentials,
                  {.region = "us-west-2", .max_attempts = max_attempts}, testing::numbered_bits());
  }
  ScriptedHttp http;
  FakeClock clock;
  client::MetadataClient imds{http, clock, "http://imds"};
  testing::Variables variables = testing::kCredentials;
  client::Credentials credentials{http, imds, clock, testing::environment_of(variables)};
  HttpTransport transport{http, testing::environment_of(variables)};
};

TEST_F(ClientTest, ThrottlingIsRetriedWithinTheBoundsOfTheBackoff) {
  int asked = 0;
  http.answer = [&](const client::HttpRequest&) {
    return ++asked < 3 ? api_error(503, "RequestLimitExceeded") : client::HttpResponse{200, "<a/>"};
  };
  EXPECT_TRUE(client(3).call<op::DescribeVolumes>({})->volumes.empty());
  EXPECT_EQ(asked, 3);
  ASSERT_EQ(clock.sleeps.size(), 2u);
  EXPECT_LE(clock.sleeps[0], Duration{1'000});
  EXPECT_LE(clock.sleeps[1], Duration{2'000});
}

TEST_F(ClientTest, GivesUpAfterTheConfiguredAttempts) {
  http.answer = [](const client::HttpRequest&) { return api_error(500, "InternalError"); };
  EXPECT_THROW(client(5).call<op::DescribeVolumes>({}), ApiError);
  EXPECT_EQ(http.requests.size(), 5u);
}

// AWS refuses for two minutes, three times in a row, each of many calls.
TEST_F(ClientTest, RefusalsOfSixMinutesAreWaitedOut) {
  Time ends{};
  http.answer = [&](const client::HttpRequest&) {
    return clock.time < ends ? api_error(503, "RequestLimitExceeded")
                             : client::HttpResponse{200, "<a/>"};
  };
  const int attempts = max_attempts(testing::environment_of(variables));
  for (int run = 0; run < 100; ++run) {
    ends = clock.time + std::chrono::minutes{6};
    EXPECT_NO_THROW(client(attempts).call<op::DescribeVolumes>({})) << "run " << run;
    clock.time = ends + std::chrono::hours{1};
  }
}

TEST_F(ClientTest, ALastingErrorIsNotWaitedOut) {
  http.answer = [](const client::HttpRequest&) { return api_error(403, "UnauthorizedOperation"); };
  const int attempts = max_attempts(testing::environment_of(variables));
  EXPECT_THROW(client(attempts).call<op::DescribeVolumes>({}), ApiError);
  EXPECT_TRUE(clock.sleeps.empty());
}

TEST_F(ClientTest, AClientErrorIsNotRetriedAndKeepsItsCode) {
  http.answer = [](const client::HttpRequest&) { return api_error(400, "IncorrectState"); };
  try {
    client(3).call<op::AttachVolume>({});
    FAIL();
  } catch (const ApiError& error) {
    EXPECT_EQ(error.code(), "IncorrectState");
    EXPECT_FALSE(error.transient());
  }
  EXPECT_EQ(http.requests.size(), 1u);
}

TEST_F(ClientTest, ABrokenConnectionIsRetried) {
  http.answer = [&](const client::HttpRequest&) -> client::HttpResponse {
    if (http.requests.size() == 1) throw client::TransportError("reset");
    return {200, "<a/>"};
  };
  client(3).call<op::DescribeVolumes>({});
  EXPECT_EQ(http.requests.size(), 2u);
}

TEST_F(ClientTest, TheRetryQuotaEndsRetriesWhenTheServiceIsDown) {
  http.answer = [](const client::HttpRequest&) { return api_error(503, "Unavailable"); };
  Client failing = client(3);
  for (int i = 0; i < 100; ++i) EXPECT_THROW(failing.call<op::DescribeVolumes>({}), ApiError);
  EXPECT_EQ(http.requests.size(), 100u + 500 / client::kRetryCost);
}

TEST_F(ClientTest, AllPagesAreRead) {
  http.answer = [](const client::HttpRequest& request) -> client::HttpResponse {
    if (request.body.find("NextToken=t") != std::string::npos) return {200, "<a/>"};
    return {200, "<a><nextToken>t</nextToken></a>"};
  };
  int pages = 0;
  client(3).call_paged<op::DescribeVolumes>({}, [&](const auto&) { ++pages; });
  EXPECT_EQ(pages, 2);
}

TEST_F(ClientTest, TheSessionTokenGoesAsAHeaderThatIsSigned) {
  variables["AWS_SESSION_TOKEN"] = "token";
  http.answer = [](const client::HttpRequest&) { return client::HttpResponse{200, "<a/>"}; };
  client(3).call<op::DescribeVolumes>({});
  const auto& headers = http.requests[0].headers;
  EXPECT_EQ(headers.back(), (std::pair<std::string, std::string>{"x-amz-security-token", "token"}));
  EXPECT_EQ(http.requests[0].signing->service, "ec2");
  EXPECT_EQ(http.requests[0].body, "Action=DescribeVolumes&Version=2016-11-15");
}

// ---- metadata and role

struct RoleTest : ClientTest {
  RoleTest() {
    variables.clear();
    http.answer = [this](const client::HttpRequest& request) -> client::HttpResponse {
      if (request.method == "PUT") return {200, "imds-token"};
      if (request.headers.at(0).second != "imds-token") return {401, ""};
      if (request.url.ends_with("security-credentials/")) return {200, "the-role"};
      if (!request.url.ends_with("the-role")) return {404, "not found"};
      ++fetched;
      const std::string ends = iso_time(clock.time + std::chrono::hours{1});
      return {200, R"({"AccessKeyId": "A", "SecretAccessKey": "S", "Token": "T", "Expiration": ")" +
                       ends + "\"}"};
    };
  }
  int fetched = 0;
};

TEST_F(RoleTest, TheRolesCredentialsAreKeptAndRenewedBeforeTheyExpire) {
  EXPECT_EQ(credentials.get().session_token, "T");
  clock.time += std::chrono::minutes{54};
  credentials.get();
  EXPECT_EQ(fetched, 1);
  clock.time += std::chrono::minutes{2};
  credentials.get();
  EXPECT_EQ(fetched, 2);
}

// Another process may have renewed the cached credentials.
TEST_F(RoleTest, CredentialsThatAwsTakesForExpiredAreAskedForAnew) {
  int refusals = 2;
  http.answer = [&,
                 inner = http.answer](const client::HttpRequest& request) -> client::HttpResponse {
    if (request.url.starts_with("http://imds")) return inner(request);
    return refusals-- > 0 ? api_error(400, "RequestExpired") : client::HttpResponse{200, "<a/>"};
  };
  client(5).call<op::DescribeVolumes>({});
  EXPECT_EQ(fetched, 3);
}

TEST_F(RoleTest, ForbiddenMetadataIsNotAsked) {
  variables["AWS_EC2_METADATA_DISABLED"] = "true";
  EXPECT_THROW(credentials.get(), client::NoCredentials);
  EXPECT_TRUE(http.requests.empty());
}

TEST_F(RoleTest, OneTokenServesManyReadsAnd404IsNoError) {
  EXPECT_EQ(imds.get("meta-data/spot/instance-action"), std::nullopt);
  EXPECT_EQ(imds.get("meta-data/spot/instance-action"), std::nullopt);
  EXPECT_EQ(http.requests.size(), 3u);
}

TEST_F(RoleTest, ARefusedTokenIsRenewed) {
  int refusals = 1;
  http.answer = [&,
                 inner = http.answer](const client::HttpRequest& request) -> client::HttpResponse {
    if (request.method == "GET" && refusals-- > 0) return {401, ""};
    return inner(request);
  };
  EXPECT_EQ(imds.get("meta-data/iam/security-credentials/"), "the-role");
}

TEST_F(RoleTest, AServerErrorIsNeverAnAnswer) {
  http.answer = [](const client::HttpRequest& request) -> client::HttpResponse {
    return request.method == "PUT" ? client::HttpResponse{200, "t"}
                                   : client::HttpResponse{500, "oops"};
  };
  EXPECT_THROW(imds.get("meta-data/spot/instance-action"), client::MetadataError);
}

// ---- a user's fleet

TEST_F(ClientTest, ASpotFleetConfigGetsTheNamesOfTheWire) {
  const auto config =
      nlohmann::json::parse(R"({"TargetCapacity": 1, "TerminateInstancesWithExpiration": true,
    "TagSpecifications": [{"ResourceType": "spot-fleet-request",
      "Tags": [{"Key": "k", "Value": "v"}]}],
    "LaunchSpecifications": [{"InstanceType": "p3.2xlarge", "EbsOptimized": true,
      "SecurityGroups": [{"GroupId": "sg-1"}],
      "BlockDeviceMappings": [{"DeviceName": "/dev/sda1", "Ebs": {"VolumeSize": 80}}],
      "NetworkInterfaces": [{"DeviceIndex": 0, "Groups": ["sg-2"]}],
      "InstanceRequirements": {"VCpuCount": {"Min": 4}, "AcceleratorNames": ["v100"]},
      "TagSpecifications": [{"ResourceType": "instance",
      "Tags": [{"Key": "a", "Value": "b"}]}]}]})");
  http.answer = [](const client::HttpRequest&) {
    return client::HttpResponse{200, "<a><spotFleetRequestId>sfr-1</spotFleetRequestId></a>"};
  };
  Client ec2_client = client(3);
  EXPECT_EQ(Ec2(ec2_client).request_spot_fleet(config), "sfr-1");
  api::Parameters sent;
  api::parse_form(http.requests.back().body, sent);
  std::map<std::string, std::string> by_name;
  for (const auto& [name, value] : sent) by_name[name] = value;
  const std::string c = "SpotFleetRequestConfig.", first = c + "LaunchSpecifications.1.";
  const std::map<std::string, std::string> expected{
      {"Action", "RequestSpotFleet"},
      {"Version", "2016-11-15"},
      {c + "TargetCapacity", "1"},
      {c + "TerminateInstancesWithExpiration", "true"},
      {c + "TagSpecification.1.ResourceType", "spot-fleet-request"},
      {c + "TagSpecification.1.Tag.1.Key", "k"},
      {c + "TagSpecification.1.Tag.1.Value", "v"},
      {first + "InstanceType", "p3.2xlarge"},
      {first + "EbsOptimized", "true"},
      {first + "GroupSet.1.GroupId", "sg-1"},
      {first + "BlockDeviceMapping.1.DeviceName", "/dev/sda1"},
      {first + "BlockDeviceMapping.1.Ebs.VolumeSize", "80"},
      {first + "NetworkInterfaceSet.1.DeviceIndex", "0"},
      {first + "NetworkInterfaceSet.1.SecurityGroupId.1", "sg-2"},
      {first + "InstanceRequirements.VCpuCount.Min", "4"},
      {first + "InstanceRequirements.AcceleratorNameSet.1", "v100"},
      {first + "TagSpecificationSet.1.ResourceType", "instance"},
      {first + "TagSpecificationSet.1.Tag.1.Key", "a"},
      {first + "TagSpecificationSet.1.Tag.1.Value", "b"}};
  EXPECT_EQ(by_name, expected);
}

TEST_F(ClientTest, AMemberThatEc2HasNotIsTheUsersMistake) {
  Client ec2_client = client(3);
  Ec2 ec2(ec2_client);
  EXPECT_THROW(ec2.request_spot_fleet({{"TargetCapactiy", 1}}), std::invalid_argument);
  EXPECT_THROW(ec2.request_spot_fleet({{"TargetCapacity", "one"}}), std::invalid_argument);
  EXPECT_TRUE(http.requests.empty());
}

TEST(Time, IsWrittenAndReadToTheMillisecond) {
  const Time time = *parse_iso_time("2019-11-05T10:00:01.2509Z");
  EXPECT_EQ(time, *parse_iso_time("2019-11-05T10:00:01Z") + Duration{250});
  EXPECT_EQ(iso_time(time), "2019-11-05T10:00:01.250Z");
  EXPECT_EQ(parse_iso_time(""), std::nullopt);
}

}  // namespace
}  // namespace spotrun::aws
