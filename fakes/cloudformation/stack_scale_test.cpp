// Two stacks of 200 resources of real types: every resource is made after what it needs, removed
// before it, and nothing stays behind.
#include "fakes/cloudformation/stacks_for_test.h"

namespace fakes {
namespace {

constexpr int kChains = 33, kResources = 2 + kChains * 6;

// Each chain is a VPC, its subnet and route table, their association, a security group, and a
// bucket that waits for the group. An instance in the first subnet and a log group are added.
std::string many_resources(int network) {
  std::string text = "Resources:\n";
  for (int i = 0; i < kChains; ++i)
    text += fmt::format(R"(
  V{0}: {{Type: AWS::EC2::VPC, Properties: {{CidrBlock: 10.{1}.{0}.0/24}}}}
  S{0}:
    Type: AWS::EC2::Subnet
    Properties: {{VpcId: !Ref V{0}, CidrBlock: 10.{1}.{0}.0/25, AvailabilityZone: us-west-2b}}
  T{0}: {{Type: AWS::EC2::RouteTable, Properties: {{VpcId: !Ref V{0}}}}}
  A{0}:
    Type: AWS::EC2::SubnetRouteTableAssociation
    Properties: {{SubnetId: !Ref S{0}, RouteTableId: !Ref T{0}}}
  G{0}:
    Type: AWS::EC2::SecurityGroup
    Properties: {{VpcId: !Ref V{0}, GroupDescription: one of many}}
  B{0}: {{Type: AWS::S3::Bucket, DependsOn: G{0}}}
)",
                        i, network);
  return text + R"(
  Machine:
    Type: AWS::EC2::Instance
    Properties: {ImageId: ami-0123456789abcdef0, InstanceType: m4.xlarge, SubnetId: !Ref S0}
  Log: {Type: AWS::Logs::LogGroup, DependsOn: Machine}
)";
}

// The logical IDs whose resources came to this status, the first first.
std::vector<std::string> order_of(const TestStacks& t, const std::string& stack,
                                  const std::string& status) {
  std::vector<std::string> order;
  for (const sim::Event& event : t.events)
    if (event.kind == "stack.resource" && event.fields.at("stack") == stack &&
        event.fields.at("status") == status)
      order.push_back(event.fields.at("logical_id").get<std::string>());
  return order;
}

void expect_before(const std::vector<std::string>& order, const std::string& first,
                   const std::string& then) {
  const auto at = [&](const std::string& id) { return std::ranges::find(order, id); };
  EXPECT_LT(at(first), at(then)) << first << " before " << then;
}

void expect_nothing_left(const TestStacks& t) {
  EXPECT_TRUE(t.backend.objects.buckets().empty());
  EXPECT_TRUE(t.backend.logs.groups().empty());
  for (const auto& [id, instance] : t.cloud.instances())
    EXPECT_EQ(instance.state, sim::cloud::InstanceState::kTerminated) << id.value;
  EXPECT_EQ(t.ec2("DescribeVpcs").all("vpcSet/item/vpcId").size(), 1u) << "the default one";
}

TEST(StackScale, TwoStacksOfTwoHundredResourcesComeAndGoInOrder) {
  TestStacks t;
  for (int i : {1, 2})
    t.ask("CreateStack",
          {{"StackName", fmt::format("s{}", i)}, {"TemplateBody", many_resources(i)}});
  t.run(20min);
  for (const char* stack : {"s1", "s2"}) {
    EXPECT_EQ(t.status(stack), "CREATE_COMPLETE") << t.failure(stack);
    const auto made = order_of(t, stack, "CREATE_COMPLETE");
    EXPECT_EQ(made.size(), static_cast<std::size_t>(kResources));
    for (int i = 0; i < kChains; ++i)
      for (const auto& [first, then] :
           {std::pair{"V", "S"}, {"V", "T"}, {"S", "A"}, {"T", "A"}, {"V", "G"}, {"G", "B"}})
        expect_before(made, first + std::to_string(i), then + std::to_string(i));
    expect_before(made, "S0", "Machine");
  }
  std::vector<std::string> ids;
  for (const char* stack : {"s1", "s2"}) ids.push_back(t.described(stack, "StackId"));
  for (const std::string& id : ids) t.ask("DeleteStack", {{"StackName", id}});
  t.run(30min);
  for (const std::string& id : ids) EXPECT_EQ(t.status(id), "DELETE_COMPLETE");
  for (const char* stack : {"s1", "s2"}) {
    const auto gone = order_of(t, stack, "DELETE_COMPLETE");
    EXPECT_EQ(gone.size(), static_cast<std::size_t>(kResources));
    expect_before(gone, "A7", "S7");
    expect_before(gone, "S7", "V7");
    expect_before(gone, "Machine", "S0");
  }
  expect_nothing_left(t);
}

TEST(StackScale, OneIsDeletedWhileItsInstanceBootsAndTheOtherIsMade) {
  TestStacks t;
  t.ask("CreateStack", {{"StackName", "s1"}, {"TemplateBody", many_resources(1)}});
  t.ask("CreateStack", {{"StackName", "s2"}, {"TemplateBody", many_resources(2)}});
  for (int i = 0; i < 120 && t.physical("s1", "Machine").empty(); ++i) t.run(1s);
  const std::string instance = t.physical("s1", "Machine");
  ASSERT_NE(instance, "");
  EXPECT_EQ(t.cloud.instance({instance}).state, sim::cloud::InstanceState::kPending);
  EXPECT_EQ(t.remove("s1"), "DELETE_COMPLETE");
  EXPECT_EQ(t.status("s2"), "CREATE_COMPLETE") << t.failure("s2");
  EXPECT_EQ(t.remove("s2"), "DELETE_COMPLETE");
  expect_nothing_left(t);
}

}  // namespace
}  // namespace fakes
