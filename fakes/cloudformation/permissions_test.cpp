// The permissions that CloudFormation needs for a stack's resources.
#include "fakes/cloudformation/stacks_for_test.h"

namespace fakes {
namespace {

constexpr const char* kRole = "arn:aws:iam::123456789012:role/stacks";
constexpr const char* kOtherRole = "arn:aws:iam::123456789012:role/other";
constexpr const char* kVolume = R"(
Parameters: {Zone: {Type: String, Default: us-west-2b}}
Resources:
  Data: {Type: AWS::EC2::Volume, Properties: {AvailabilityZone: !Ref Zone, Size: 10}}
)";

// CloudFormation API reference, RoleARN: without one, the role that was previously associated with
// the stack.
TEST(StackRoles, ARoleRemainsUntilARequestNamesAnother) {
  TestStacks t;
  t.ask("CreateStack", {{"StackName", "s"}, {"TemplateBody", kVolume}, {"RoleARN", kRole}});
  t.run(10min);
  t.ask("UpdateStack", {{"StackName", "s"},
                        {"UsePreviousTemplate", "true"},
                        {"Parameters.member.1.ParameterKey", "Zone"},
                        {"Parameters.member.1.ParameterValue", "us-west-2a"}});
  t.run(10min);
  EXPECT_EQ(t.status("s"), "UPDATE_COMPLETE");
  EXPECT_EQ(t.described("s", "RoleARN"), kRole);
  const std::string id = t.described("s", "StackId");
  t.ask("DeleteStack", {{"StackName", "s"}, {"RoleARN", kOtherRole}});
  t.run(10min);
  EXPECT_EQ(t.status(id), "DELETE_COMPLETE");
  EXPECT_EQ(t.described(id, "RoleARN"), kOtherRole);
}

}  // namespace
}  // namespace fakes
