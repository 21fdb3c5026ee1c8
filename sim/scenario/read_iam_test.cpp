// The `iam` block.
#include <gtest/gtest.h>

#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

using IamBlock = ScenarioFile;
constexpr const char* kPolicy =
    R"({"Statement":{"Effect":"Allow","Action":"ec2:*","Resource":"*"}})";

TEST_F(IamBlock, StatesWhetherIamDecidesAndTheRolesPermissions) {
  EXPECT_FALSE(read(good()).iam_decides);
  write("p.json", kPolicy);
  const Scenario s = read(good("iam: {decide: true, policies: {train: p.json}}\n"));
  EXPECT_TRUE(s.iam_decides);
  EXPECT_EQ(s.iam_policies.at("train"), kPolicy);
  EXPECT_FALSE(s.instance_profiles);
  EXPECT_TRUE(s.inputs.contains("p.json"));
  EXPECT_EQ(read(good("iam: {instance_profiles: [train]}\n")).instance_profiles->size(), 1U);
}

TEST_F(IamBlock, IsRefusedWithoutContentAndWithBadPolicies) {
  EXPECT_PRED2(contains, errors(good("iam: {}\n")), "instance_profiles");
  write("p.json", R"({"Statement":{"Effect":"Allow","Action":"ec2","Resource":"*"}})");
  EXPECT_PRED2(contains, errors(good("iam: {policies: {train: p.json}}\n")),
               "expected a policy document, but IAM refuses this one: Actions/Conditions must be "
               "prefaced by a vendor");
  EXPECT_PRED2(contains, errors(good("iam: {policies: {train: none.json}}\n")), "none.json");
  EXPECT_PRED2(contains, errors(good("iam: {policies: [a]}\n")), "a mapping from a role");
  EXPECT_PRED2(contains, errors(good("iam: {decide: 3}\n")), "decide");
}

}  // namespace
}  // namespace sim::scenario
