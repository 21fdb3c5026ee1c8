// Public parameters without a socket, and aws-cli and boto3 against them.
#include "fakes/client_programs_for_test.h"
#include "fakes/json_for_test.h"

namespace fakes {
namespace {

const std::string kLinux = "/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2";

std::string newest_linux(const TestBackend& t) {
  return t
      .ec2("DescribeImages",
           {{"Filter.1.Name", "name"}, {"Filter.1.Value.1", "amzn2-ami-hvm-*-x86_64-gp2"}})
      .at("imagesSet/item/imageId");
}

TEST(Ssm, ParametersHaveTheCatalogueImages) {
  const TestJson t;
  const auto asked = [&](const std::string& action, const nlohmann::json& body) {
    return t.ask(TestJson::request("ssm", "AmazonSSM." + action, body.dump()));
  };
  const auto one = asked("GetParameter", {{"Name", kLinux}}).body["Parameter"];
  EXPECT_EQ(one["Value"], newest_linux(t));
  EXPECT_EQ(one["ARN"], "arn:aws:ssm:us-west-2::parameter" + kLinux);
  EXPECT_EQ(one["Version"], 1) << "the release of 2025 is not there in 2019";
  EXPECT_EQ(asked("GetParameter", {{"Name", one["ARN"]}}).body["Parameter"], one);
  EXPECT_EQ(asked("GetParameter", {{"Name", kLinux + ":1"}}).body["Parameter"]["Selector"], ":1");
  EXPECT_EQ(asked("GetParameter", {{"Name", kLinux + ":2"}}).body["__type"],
            "ParameterVersionNotFound");
  EXPECT_EQ(asked("GetParameter", {{"Name", "/none"}}).body["__type"], "ParameterNotFound");
  const auto some = asked("GetParameters", {{"Names", {"/none", kLinux}}}).body;
  EXPECT_EQ(some["Parameters"].size(), 1U);
  EXPECT_EQ(some["InvalidParameters"], nlohmann::json::array({"/none"}));
  EXPECT_EQ(asked("GetParametersByPath", {{"Path", "/aws/service"}}).body["Parameters"].size(), 0U);
}

TEST(Ssm, SecretsAreShownWhereTheirDecryptionIsAsked) {
  TestJson t;
  t.backend.parameters.put("/ec2/keypair/key-1", {.type = "SecureString", .value = "private"});
  const auto asked = [&](nlohmann::json body) {
    body["Name"] = "/ec2/keypair/key-1";
    return t.ask(TestJson::request("ssm", "AmazonSSM.GetParameter", body.dump())).body["Parameter"];
  };
  EXPECT_EQ(asked({{"WithDecryption", true}})["Value"], "private");
  EXPECT_EQ(asked({})["Type"], "SecureString");
  EXPECT_NE(asked({})["Value"], "private");
}

TEST(Ssm, AnImageIdMayBeAParameter) {
  const TestBackend t;
  const auto launched = [&](const std::string& image) {
    return t.ec2(
        "RunInstances",
        {{"ImageId", image}, {"InstanceType", "m4.xlarge"}, {"MinCount", "1"}, {"MaxCount", "1"}});
  };
  EXPECT_EQ(launched("resolve:ssm:" + kLinux).at("instancesSet/item/imageId"), newest_linux(t));
  EXPECT_EQ(launched("resolve:ssm:/none").code(), "InvalidParameterValue");
  t.ec2("CreateLaunchTemplate",
        {{"LaunchTemplateName", "linux"}, {"LaunchTemplateData.ImageId", "resolve:ssm:" + kLinux}});
  EXPECT_EQ(t.ec2("RunInstances", {{"LaunchTemplate.LaunchTemplateName", "linux"},
                                   {"InstanceType", "m4.xlarge"},
                                   {"MinCount", "1"},
                                   {"MaxCount", "1"}})
                .at("instancesSet/item/imageId"),
            newest_linux(t));
}

// The API reference of RequestSpotFleet and RequestSpotInstances: "The ID of the AMI."
TEST(Ssm, ASpotRequestTakesNoParameter) {
  const TestBackend t;
  EXPECT_EQ(t.ec2("RequestSpotInstances", {{"LaunchSpecification.ImageId", "resolve:ssm:" + kLinux},
                                           {"LaunchSpecification.InstanceType", "m4.xlarge"}})
                .code(),
            "InvalidAMIID.Malformed");
}

using SsmClients = ClientPrograms;

TEST_F(SsmClients, AwsCliAndBoto3FindTheNewestImage) {
  const std::string id = newest_linux(t);
  EXPECT_EQ(run("aws ssm get-parameters --names " + kLinux +
                " --query 'Parameters[0].[Value]' --output text"),
            id + "\n");
  EXPECT_EQ(run("aws ssm get-parameters-by-path --path /aws/service/ami-amazon-linux-latest "
                "--query 'Parameters[].Name' --output text"),
            "/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-arm64-gp2\t" + kLinux + "\n");
  python(R"(
import os, boto3
ssm = boto3.client("ssm", endpoint_url=os.environ["ENDPOINT"])
pages = ssm.get_paginator("get_parameters_by_path").paginate(
    Path="/aws/service", Recursive=True, PaginationConfig={"PageSize": 1})
names = [p["Name"] for page in pages for p in page["Parameters"]]
assert len(names) == 4 and names == sorted(names), names
try:
    ssm.get_parameter(Name="/none")
    raise SystemExit("found")
except ssm.exceptions.ParameterNotFound:
    pass
)");
}

}  // namespace
}  // namespace fakes
