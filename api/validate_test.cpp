#include "api/validate.h"

#include <gtest/gtest.h>

#include "api/dynamodb.h"
#include "api/ec2.h"
#include "api/protocol.h"
#include "api/s3.h"
#include "api/toy_for_test.h"

namespace api {
namespace {

using Why = Refusal::Why;

template <class Op>
Refusal validation_of(const typename Op::Request& request) {
  const Service& service = Op::service();
  return refusal_of([&] { validate_request(service, service.operations[Op::kAt], &request); });
}

void expect_invalid(const Refusal& refusal, Why why, std::string_view where, std::string_view found,
                    std::string_view expected) {
  EXPECT_EQ(refusal.why, why) << refusal.what();
  EXPECT_EQ(refusal.where, where);
  EXPECT_EQ(refusal.found, found);
  EXPECT_EQ(refusal.expected, expected);
}

TEST(ApiValidate, ARequestThatKeepsToTheModelPasses) {
  EXPECT_EQ(validation_of<ec2::op::DescribeVolumes>({.max_results = 5}).where, "not refused");
  EXPECT_EQ(validation_of<ec2::op::RunInstances>({.max_count = 1, .min_count = 1}).where,
            "not refused");
}

TEST(ApiValidate, WhatIsRequiredMustBeThereAtEachDepth) {
  expect_invalid(validation_of<ec2::op::RunInstances>({.max_count = 1}), Why::kMissing, "MinCount",
                 "", "");
  expect_invalid(validation_of<ec2::op::RequestSpotFleet>({.spot_fleet_request_config = {{}}}),
                 Why::kMissing, "SpotFleetRequestConfig.IamFleetRole", "", "");
  expect_invalid(validation_of<dynamodb::op::CreateTable>(
                     {.attribute_definitions = {{.attribute_name = "a", .attribute_type = "S"}, {}},
                      .key_schema = {{.attribute_name = "a", .key_type = "HASH"}},
                      .table_name = "abc"}),
                 Why::kMissing, "attributeDefinitions.2.member.attributeName", "", "");
}

TEST(ApiValidate, EnumsAreSets) {
  expect_invalid(validation_of<ec2::op::CreateVolume>(
                     {.availability_zone = "us-east-1a", .volume_type = "gp9"}),
                 Why::kEnum, "VolumeType", "gp9", "standard, io1, io2, gp2, sc1, st1, gp3");
}

TEST(ApiValidate, NumbersAndListsHaveBounds) {
  Toy toy{.size = 101};
  const auto invalid = [&toy] {
    return refusal_of([&toy] { validate(kToyShape, &toy, kCommonPaths); });
  };
  expect_invalid(invalid(), Why::kMax, "size", "101", "100");
  toy.size = 100;
  EXPECT_EQ(invalid().where, "not refused");
  toy.children.push_back({.child = Toy{.size = -1}});
  expect_invalid(invalid(), Why::kMin, "children.1.member.child.size", "-1", "0");
  toy.children[0].child->size = 0;
  EXPECT_EQ(invalid().where, "not refused");
}

TEST(ApiValidate, LengthsCountCharactersNotBytes) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "ü";
  Toy toy{.tags = {{"key", text}}};
  const auto invalid = [&toy] {
    return refusal_of([&toy] { validate(kToyShape, &toy, kFormPaths); });
  };
  EXPECT_EQ(invalid().where, "not refused");
  toy.tags["key"] += "x";
  expect_invalid(invalid(), Why::kLong, "Tags.key", text + "x", "1000");
  toy.tags.clear();
  toy.tags[text + "x"] = "1";
  expect_invalid(invalid(), Why::kLong, "Tags", text + "x", "1000");
}

// The struct has such a field if a response uses the same structure.
TEST(ApiValidate, AMemberThatNoHandlerReadsIsRefusedInAStructToo) {
  ec2::SpotFleetRequestConfigData config{.iam_fleet_role = "r", .target_capacity = 1};
  EXPECT_EQ(validation_of<ec2::op::RequestSpotFleet>({.spot_fleet_request_config = config}).where,
            "not refused");
  config.load_balancers_config.emplace();
  expect_invalid(validation_of<ec2::op::RequestSpotFleet>({.spot_fleet_request_config = config}),
                 Why::kUnsupported, "SpotFleetRequestConfig.LoadBalancersConfig", "", "");
  config.load_balancers_config.reset();
  config.fulfilled_capacity = 1;  // ignored
  EXPECT_EQ(validation_of<ec2::op::RequestSpotFleet>({.spot_fleet_request_config = config}).where,
            "not refused");
}

}  // namespace
}  // namespace api
