// The resources and the condition keys of requests for Systems Manager and EC2.
#include "fakes/authorisation/permissions.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakes/authorisation/signing_for_test.h"

namespace fakes::authorisation {
namespace {

using Json = nlohmann::json;

const std::string kImage = "ami-0123456789abcdef0";

std::string statement(const std::string& effect, const std::string& action,
                      const std::string& resource, const std::string& condition = "{}") {
  return R"({"Effect":")" + effect + R"(","Action":")" + action + R"(","Resource":")" + resource +
         R"(","Condition":)" + condition + "}";
}

struct TestPermissions : TestIam {
  // Empty, or the code of an error.
  std::string ssm(const Keys& keys, const std::string& action, const Json& body) const {
    const Answer answer = send(signed_request(keys, "ssm", body.dump(), "AmazonSSM." + action));
    return Json::parse(answer.body()).value("__type", "");
  }
  std::string parameter_arn(const std::string& name) const {
    return "arn:aws:ssm:us-west-2:123456789012:parameter" + name;
  }
  std::string launch(const Keys& keys, const Fields& more, const std::string& image = kImage) {
    Fields fields{{"ImageId", image},
                  {"InstanceType", "m4.xlarge"},
                  {"MinCount", "1"},
                  {"MaxCount", "1"},
                  {"Placement.AvailabilityZone", "us-west-2b"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return code(keys, "ec2", "RunInstances", fields);
  }
  // A user who may do all, but launch no volumes or other resources of this kind.
  Keys all_but(const std::string& name, const std::string& resource,
               const std::string& condition = "{}") {
    return user(
        name, allow(R"("*")") + "," +
                  statement("Deny", "ec2:RunInstances", "arn:aws:ec2:*:*:" + resource, condition));
  }
};

// ---- Systems Manager

TEST(SsmPermissions, AVersionOrAnArnIsTheSameParameter) {
  TestPermissions t;
  t.backend.parameters.put("/prod/secret", {.type = "String", .value = "v"});
  const std::string arn = t.parameter_arn("/prod/secret");
  const Keys ann = t.user("ann", allow(R"("ssm:*")") + "," + statement("Deny", "ssm:*", arn));
  const Keys bob = t.user("bob", allow(R"("ssm:GetParameter*")", arn));
  for (const std::string& name :
       {std::string("/prod/secret"), std::string("/prod/secret:1"), arn, arn + ":1"}) {
    EXPECT_EQ(t.ssm(ann, "GetParameter", {{"Name", name}}), "AccessDeniedException") << name;
    EXPECT_EQ(t.ssm(ann, "GetParameters", {{"Names", {name}}}), "AccessDeniedException") << name;
    EXPECT_EQ(t.ssm(bob, "GetParameter", {{"Name", name}}), "") << name;
  }
  EXPECT_EQ(t.ssm(ann, "GetParameter", {{"Name", "/prod"}}), "ParameterNotFound");
  const std::string foreign = "arn:aws:ssm:us-east-1:123456789012:parameter/prod/secret";
  EXPECT_EQ(t.ssm(bob, "GetParameter", {{"Name", foreign}}), "AccessDeniedException");
}

// Messages such as "is not authorized to perform: ssm:GetParametersByPath on resource:
// arn:aws:ssm:…:parameter/aft/account-request/custom-fields/".
TEST(SsmPermissions, APathKeepsItsLastSlash) {
  TestPermissions t;
  const Keys ann = t.user("ann", allow(R"("ssm:*")", t.parameter_arn("/a/*")));
  EXPECT_EQ(t.ssm(ann, "GetParametersByPath", {{"Path", "/a/"}}), "");
  EXPECT_EQ(t.ssm(ann, "GetParametersByPath", {{"Path", "/a"}}), "AccessDeniedException");
}

TEST(SsmPermissions, OverwriteAndRecursiveAreConditionKeys) {
  TestPermissions t;
  const auto denied = [](const std::string& key) {
    return statement("Deny", "ssm:*", "*", R"({"StringEquals":{")" + key + R"(":"true"}})");
  };
  const Keys ann = t.user(
      "ann", allow(R"("ssm:*")") + "," + denied("ssm:Overwrite") + "," + denied("ssm:Recursive"));
  const Json put{{"Name", "/a/b"}, {"Value", "v"}, {"Type", "String"}};
  Json overwrite = put;
  overwrite["Overwrite"] = true;
  EXPECT_EQ(t.ssm(ann, "PutParameter", put), "");
  EXPECT_EQ(t.ssm(ann, "PutParameter", overwrite), "AccessDeniedException");
  EXPECT_EQ(t.ssm(ann, "GetParametersByPath", {{"Path", "/a"}}), "");
  EXPECT_EQ(t.ssm(ann, "GetParametersByPath", {{"Path", "/a"}, {"Recursive", true}}),
            "AccessDeniedException");
  const std::string absent = R"({"StringEquals":{"ssm:Overwrite":"false"}})";
  const Keys bob = t.user("bob", statement("Allow", "ssm:*", "*", absent));
  EXPECT_EQ(t.ssm(bob, "PutParameter", put), "ParameterAlreadyExists");
  EXPECT_EQ(t.ssm(bob, "GetParameter", {{"Name", "/a/b"}}), "AccessDeniedException")
      << "it has no such key";
}

// ---- EC2's tags

TEST(Ec2Permissions, ATagOfARequestMayBeEmpty) {
  TestPermissions t;
  sim::cloud::VolumeSpec spec;
  spec.availability_zone = "us-west-2b", spec.size_gib = 1;
  const std::string id = t.cloud.create_volume(spec).value;
  const auto tag = [&](const Keys& keys, const std::string& team) {
    return t.code(keys, "ec2", "CreateTags",
                  {{"ResourceId.1", id},
                   {"Tag.1.Key", "team"},
                   {"Tag.1.Value", team},
                   {"Tag.2.Key", "x"},
                   {"Tag.2.Value", "ml"}});
  };
  const auto of_team = [&](const std::string& name, const std::string& team) {
    return t.user(name, statement("Allow", "ec2:CreateTags", "*",
                                  R"({"StringEquals":{"aws:RequestTag/team":")" + team + R"("}})"));
  };
  const Keys ann = of_team("ann", "ml"), bob = of_team("bob", "");
  EXPECT_EQ(tag(ann, "ml"), "");
  EXPECT_EQ(tag(ann, ""), "UnauthorizedOperation");
  EXPECT_EQ(tag(bob, ""), "");
}

}  // namespace
}  // namespace fakes::authorisation
