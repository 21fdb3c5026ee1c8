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
