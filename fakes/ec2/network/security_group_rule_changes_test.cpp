#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

struct RuleWorld : TestBackend {
  RuleWorld() {
    group = ec2("CreateSecurityGroup", {{"GroupName", "web"}, {"GroupDescription", "of the web"}})
                .at("groupId");
    rule = authorize("80");
  }
  static Fields permission(const std::string& port) {
    return {{"IpPermissions.1.IpProtocol", "tcp"},
            {"IpPermissions.1.FromPort", port},
            {"IpPermissions.1.ToPort", port},
            {"IpPermissions.1.IpRanges.1.CidrIp", "10.0.0.0/8"}};
  }
  Answer call(const std::string& action, Fields fields) const {
    fields.emplace_back("GroupId", group);
    return ec2(action, fields);
  }
  std::string authorize(const std::string& port) const {
    return call("AuthorizeSecurityGroupIngress", permission(port))
        .at("securityGroupRuleSet/item/securityGroupRuleId");
  }
  std::string shown(const std::string& id, const std::string& path) const {
    return ec2("DescribeSecurityGroupRules", {{"SecurityGroupRuleId.1", id}})
        .at("securityGroupRuleSet/item/" + path);
  }

  std::string group, rule;
};

TEST(SecurityGroupRuleDescriptions, AreChangedByPermissionAndById) {
  RuleWorld t;
  Fields named = RuleWorld::permission("80");
  named.emplace_back("IpPermissions.1.IpRanges.1.Description", "from here");
  EXPECT_EQ(t.call("UpdateSecurityGroupRuleDescriptionsIngress", named).at("return"), "true");
  EXPECT_EQ(t.shown(t.rule, "description"), "from here");
  EXPECT_EQ(t.call("UpdateSecurityGroupRuleDescriptionsIngress",
                   {{"SecurityGroupRuleDescription.1.SecurityGroupRuleId", t.rule},
                    {"SecurityGroupRuleDescription.1.Description", "by its ID"}})
                .status(),
            200);
  EXPECT_EQ(t.shown(t.rule, "description"), "by its ID");
  EXPECT_EQ(
      t.call("UpdateSecurityGroupRuleDescriptionsIngress", RuleWorld::permission("80")).status(),
      200);
  EXPECT_EQ(t.shown(t.rule, "description"), "") << "removed";
  EXPECT_EQ(
      t.call("UpdateSecurityGroupRuleDescriptionsIngress", RuleWorld::permission("81")).code(),
      "InvalidPermission.NotFound");
  EXPECT_EQ(t.call("UpdateSecurityGroupRuleDescriptionsEgress",
                   {{"SecurityGroupRuleDescription.1.SecurityGroupRuleId", t.rule}})
                .code(),
            "InvalidSecurityGroupRuleId.NotFound");
  EXPECT_EQ(t.call("UpdateSecurityGroupRuleDescriptionsIngress", {}).code(), "MissingParameter");
}

TEST(SecurityGroupRules, AreModifiedInPlace) {
  RuleWorld t;
  const std::string in = "SecurityGroupRule.1.";
  const Fields change{{in + "SecurityGroupRuleId", t.rule},
                      {in + "SecurityGroupRule.IpProtocol", "tcp"},
                      {in + "SecurityGroupRule.FromPort", "443"},
                      {in + "SecurityGroupRule.ToPort", "444"},
                      {in + "SecurityGroupRule.CidrIpv4", "0.0.0.0/0"},
                      {in + "SecurityGroupRule.Description", "all"}};
  EXPECT_EQ(t.call("ModifySecurityGroupRules", change).at("return"), "true");
  EXPECT_EQ(t.shown(t.rule, "fromPort"), "443");
  EXPECT_EQ(t.shown(t.rule, "cidrIpv4"), "0.0.0.0/0");
  EXPECT_EQ(t.shown(t.rule, "description"), "all");
}

TEST(SecurityGroupRules, KeepTheirKindOfPeerAndStayDifferent) {
  RuleWorld t;
  const std::string other = t.authorize("81"), in = "SecurityGroupRule.1.";
  const auto code = [&](const std::string& id, const std::string& peer, const std::string& value) {
    return t
        .call("ModifySecurityGroupRules", {{in + "SecurityGroupRuleId", id},
                                           {in + "SecurityGroupRule.IpProtocol", "tcp"},
                                           {in + "SecurityGroupRule.FromPort", "80"},
                                           {in + "SecurityGroupRule.ToPort", "80"},
                                           {in + "SecurityGroupRule." + peer, value}})
        .code();
  };
  EXPECT_EQ(code(other, "CidrIpv4", "10.0.0.0/8"), "InvalidPermission.Duplicate");
  EXPECT_EQ(code(t.rule, "ReferencedGroupId", t.group), "InvalidParameterValue");
  EXPECT_EQ(code("sgr-0123456789abcdef0", "CidrIpv4", "10.0.0.0/8"),
            "InvalidSecurityGroupRuleId.NotFound");
}

}  // namespace
}  // namespace fakes
