// The advanced tier of parameters, their policies, and the events about them.
#include "fakes/events/events_for_test.h"

namespace fakes {
namespace {

using nlohmann::json;

struct TestPolicies : TestEvents {
  void watch() const { rule({{"source", {"aws.ssm"}}}); }
  JsonAnswer ssm(const std::string& action, const json& body) const {
    return ask(request("ssm", "AmazonSSM." + action, body.dump()));
  }
  JsonAnswer put(const std::string& name, const std::string& value, json more = {}) const {
    more["Name"] = name;
    more["Value"] = value;
    more["Type"] = "String";
    return ssm("PutParameter", more);
  }
  json described() const { return ssm("DescribeParameters", json::object()).body["Parameters"]; }
};

json policy(const std::string& type, const json& attributes) {
  return {{"Type", type}, {"Version", "1.0"}, {"Attributes", attributes}};
}
json advanced(const std::vector<json>& policies) {
  return {{"Tier", "Advanced"}, {"Policies", json(policies).dump()}, {"Overwrite", true}};
}
const json kExpiresTomorrow = policy("Expiration", {{"Timestamp", "2019-11-06T10:00:00.000Z"}});
const json kNotice = policy("ExpirationNotification", {{"Before", "6"}, {"Unit", "Hours"}});
const json kNoChange = policy("NoChangeNotification", {{"After", "2"}, {"Unit", "Days"}});

TEST(SsmPolicies, TheAdvancedTierHasLongerValues) {
  const TestPolicies t;
  EXPECT_EQ(t.put("long", std::string(8192, 'v'), {{"Tier", "Advanced"}}).body["Tier"], "Advanced");
  EXPECT_EQ(t.put("longer", std::string(8193, 'v'), {{"Tier", "Advanced"}}).body["__type"],
            "ValidationException");
  const json intelligent = {{"Tier", "Intelligent-Tiering"}};
  EXPECT_EQ(t.put("a", std::string(4096, 'v'), intelligent).body["Tier"], "Standard");
  EXPECT_EQ(t.put("b", std::string(4097, 'v'), intelligent).body["Tier"], "Advanced");
  EXPECT_EQ(t.ssm("DescribeParameters",
                  {{"ParameterFilters", {{{"Key", "Tier"}, {"Values", {"Advanced"}}}}}})
                .body["Parameters"]
                .size(),
            2U);
  EXPECT_EQ(t.put("b", "v", {{"Overwrite", true}}).body["Tier"], "Advanced") << "it stays";
  EXPECT_EQ(t.put("b", "v", {{"Overwrite", true}, {"Tier", "Standard"}}).body["__type"],
            "ValidationException");
}

TEST(SsmPolicies, AParameterExpiresAfterANotice) {
  TestPolicies t;
  t.watch();
  EXPECT_EQ(t.put("p", "v", advanced({kExpiresTomorrow, kNotice})).body["Tier"], "Advanced");
  const json shown = t.described()[0];
  EXPECT_EQ(shown["Tier"], "Advanced");
  EXPECT_EQ(shown["Policies"][1], (json{{"PolicyStatus", "Pending"},
                                        {"PolicyText", kNotice.dump()},
                                        {"PolicyType", "ExpirationNotification"}}));
  t.run(18h + 1min);
  EXPECT_EQ(t.described()[0]["Policies"][1]["PolicyStatus"], "Finished");
  auto got = t.received();
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0]["detail"], (json{{"name", "p"}, {"type", "String"}, {"operation", "Create"}}));
  EXPECT_EQ(got[0]["resources"][0], "arn:aws:ssm:us-west-2:123456789012:parameter/p");
  EXPECT_EQ(got[1]["detail-type"], "Parameter Store Policy Action");
  EXPECT_EQ(got[1]["detail"]["policy-type"], "ExpirationNotification");
  EXPECT_EQ(t.put("p", "w", {{"Overwrite", true}}).status, 200);
  t.run(6h);
  EXPECT_EQ(t.ssm("GetParameter", {{"Name", "p"}}).body["__type"], "ParameterNotFound");
  got = t.received();
  ASSERT_EQ(got.size(), 2U) << "the notice was not repeated for the next version";
  EXPECT_EQ(got[0]["detail"]["operation"], "Update");
  EXPECT_EQ(got[1]["detail"]["policy-type"], "Expiration");
  EXPECT_EQ(got[1]["detail"]["parameter-name"], "p");
}

TEST(SsmPolicies, ANoticeComesIfAParameterIsNotChanged) {
  TestPolicies t;
  t.watch();
  t.put("p", "v", advanced({kNoChange}));
  t.run(47h);
  t.put("p", "w", {{"Overwrite", true}});
  t.run(47h);
  EXPECT_EQ(t.received().size(), 2U) << "the changes only";
  t.run(1h + 1min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0]["detail"]["policy-type"], "NoChangeNotification");
  t.put("p", "x", {{"Overwrite", true}, {"Policies", "[{}]"}});
  EXPECT_EQ(t.described()[0]["Policies"], json::array()) << "an empty policy removes them";
}

json expires(const std::string& time) { return policy("Expiration", {{"Timestamp", time}}); }

TEST(SsmPolicies, OfADeletedParameterDoNotActOnTheNextOneOfItsName) {
  TestPolicies t;
  const auto make = [&](const json& more) {
    t.put("p", "v", more);
    t.put("q", "v", more);
  };
  make(advanced({expires("2019-11-05T11:00:00Z")}));
  t.ssm("DeleteParameters", {{"Names", {"p", "q"}}});
  t.put("p", "next", json::object());
  t.put("q", "next", advanced({expires("2019-11-05T13:00:00Z")}));
  t.watch();
  t.run(1h + 1min);
  EXPECT_EQ(t.described().size(), 2U);
  EXPECT_EQ(t.received().size(), 0U);
  t.run(2h);
  EXPECT_EQ(t.described().size(), 1U) << "its own policy";
}

TEST(SsmPolicies, ATimeBeyondTheClockIsItsEnd) {
  TestPolicies t;
  t.watch();
  t.put("late", "v",
        advanced({policy("NoChangeNotification", {{"After", "100000"}, {"Unit", "Days"}})}));
  t.run(1min);
  EXPECT_EQ(t.received().size(), 1U) << "the change only";
  t.put("early", "v",
        advanced({policy("ExpirationNotification", {{"Before", "100000"}, {"Unit", "Days"}}),
                  expires("1678-01-01T00:00:00Z")}));
  t.run(1min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 3U);
  EXPECT_EQ(got[1]["detail"]["policy-type"], "ExpirationNotification");
  EXPECT_EQ(got[2]["detail"]["policy-type"], "Expiration");
  EXPECT_EQ(t.described().size(), 1U);
}

TEST(SsmPolicies, InvalidPoliciesAreRefused) {
  const TestPolicies t;
  const auto code = [&](const std::vector<json>& policies) {
    return t.put("p", "v", advanced(policies)).body["__type"];
  };
  EXPECT_EQ(code({policy("Rotation", json::object())}), "InvalidPolicyTypeException");
  EXPECT_EQ(code({policy("Expiration", {{"Timestamp", "tomorrow"}})}),
            "InvalidPolicyAttributeException");
  EXPECT_EQ(code({policy("NoChangeNotification", {{"After", "2"}, {"Unit", "Weeks"}})}),
            "InvalidPolicyAttributeException");
  EXPECT_EQ(code({kExpiresTomorrow, kExpiresTomorrow}), "IncompatiblePolicyException");
  EXPECT_EQ(code(std::vector<json>(11, kNoChange)), "PoliciesLimitExceededException");
  EXPECT_EQ(t.put("p", "v", {{"Tier", "Advanced"}, {"Policies", "text"}}).body["__type"],
            "ValidationException");
  const std::string deep = std::string(2000, '[') + std::string(2000, ']');
  EXPECT_EQ(t.put("p", "v", {{"Tier", "Advanced"}, {"Policies", deep}}).body["__type"],
            "ValidationException");
  EXPECT_EQ(t.put("p", "v", {{"Policies", json::array({kNoChange}).dump()}}).body["__type"],
            "ValidationException")
      << "of the standard tier";
  EXPECT_EQ(t.described().size(), 0U);
}

TEST(SsmPolicies, ChangesAreEvents) {
  TestPolicies t;
  t.watch();
  t.put("p", "v", {{"Description", "of the trainer"}});
  t.ssm("LabelParameterVersion", {{"Name", "p"}, {"Labels", {"prod"}}});
  t.ssm("DeleteParameter", {{"Name", "p"}});
  t.put("image", "no image", {{"DataType", "aws:ec2:image"}});
  t.run(1min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 4U);
  EXPECT_EQ(got[0]["detail"]["description"], "of the trainer");
  EXPECT_EQ(got[1]["detail"]["operation"], "LabelParameterVersion");
  EXPECT_EQ(got[2]["detail"]["operation"], "Delete");
  EXPECT_EQ(got[3]["detail"], (json{{"name", "image"},
                                    {"type", "String"},
                                    {"operation", "Create"},
                                    {"dataType", "aws:ec2:image"},
                                    {"exception", "Unable to Describe Resource"}}));
}

}  // namespace
}  // namespace fakes
