#include "api/form.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/autoscaling.h"
#include "api/ec2.h"
#include "api/toy_for_test.h"

namespace api {
namespace {

using Why = Refusal::Why;

Parameters parsed_form(std::string_view form) {
  Parameters parameters;
  parse_form(form, parameters);
  return parameters;
}

template <class Op>
typename Op::Request request_of(std::string_view form) {
  const Service& service = Op::service();
  typename Op::Request request;
  read_form(parsed_form(form), *service.operations[Op::kAt].input.shape, &request,
            service.protocol == Protocol::kEc2 ? FormStyle::kEc2 : FormStyle::kQuery);
  return request;
}

template <class Op>
Refusal form_refusal(std::string_view form) {
  return refusal_of([form] { request_of<Op>(form); });
}

Toy toy_of_form(std::string_view form) {
  Toy toy;
  read_form(parsed_form(form), kToyShape, &toy, FormStyle::kQuery);
  return toy;
}

using Strings = std::vector<std::string>;
using ec2::op::DescribeVolumes;
using ec2::op::RunInstances;

TEST(ApiForm, Ec2ListsHaveTheirIndexAfterTheName) {
  const auto request = request_of<DescribeVolumes>(
      "Action=DescribeVolumes&Version=2016-11-15&Filter.1.Name=tag%3AName&Filter.1.Value.1=a&"
      "Filter.1.Value.2=b+c&VolumeId.1=v&MaxResults=7");
  ASSERT_EQ(request.filters.size(), 1u);
  EXPECT_EQ(request.filters[0].name, "tag:Name");
  EXPECT_EQ(request.filters[0].values, (Strings{"a", "b c"}));
  EXPECT_EQ(request.volume_ids, Strings{"v"});
  EXPECT_EQ(request.max_results, 7);
  EXPECT_FALSE(request.next_token);
}

TEST(ApiForm, TheOrderOfTheParametersDoesNotMatter) {
  const auto request = request_of<DescribeVolumes>(
      "VolumeId.10=j&Filter.2.Value.2=d&VolumeId.2=b&Filter.1.Name=x&Filter.2.Name=y&VolumeId.1=a&"
      "Filter.2.Value.1=c");
  EXPECT_EQ(request.volume_ids, (Strings{"a", "b", "j"}));
  ASSERT_EQ(request.filters.size(), 2u);
  EXPECT_EQ(request.filters[0].name, "x");
  EXPECT_EQ(request.filters[1].name, "y");
  EXPECT_EQ(request.filters[1].values, (Strings{"c", "d"}));
}

TEST(ApiForm, AParameterGivenTwiceIsRefused) {
  for (const char* form : {"VolumeId.1=a&VolumeId.1=b", "MaxResults=5&VolumeId.1=a&MaxResults=5",
                           "Filter.1.Name=a&Filter.1.Value.1=x&Filter.1.Name=a"}) {
    const Refusal refusal = form_refusal<DescribeVolumes>(form);
    EXPECT_EQ(refusal.why, Why::kMalformed) << form;
    EXPECT_NE(refusal.expected.find("more than once"), std::string::npos) << form;
  }
}

TEST(ApiForm, AnIndexIsANumberFromZeroOn) {
  for (const char* index : {"00", "01", "-1", "+1", "1a", "a", "", "4294967296", "1e1"}) {
    const Refusal refusal = form_refusal<DescribeVolumes>(fmt::format("VolumeId.{}=v", index));
    EXPECT_EQ(refusal.why, Why::kUnknown) << index;
  }
  EXPECT_EQ(request_of<DescribeVolumes>("VolumeId.7=a&VolumeId.9=b").volume_ids,
            (Strings{"a", "b"}));
  EXPECT_EQ(request_of<DescribeVolumes>("VolumeId.0=a&VolumeId.1=b").volume_ids,
            (Strings{"a", "b"}));
}

TEST(ApiForm, TwoThousandParametersAreTheLimit) {
  std::string form;
  for (int i = 1; i <= 2000; ++i) form += fmt::format("VolumeId.{}=vol-{}&", i, i);
  const auto request = request_of<DescribeVolumes>(form);
  ASSERT_EQ(request.volume_ids.size(), 2000u);
  EXPECT_EQ(request.volume_ids[1999], "vol-2000");
  EXPECT_EQ(form_refusal<DescribeVolumes>(form + "VolumeId.2001=v").why, Why::kMalformed);
}

TEST(ApiForm, AnUnknownNameIsRefusedWithItsWholePath) {
  for (const char* name :
       {"Volume", "VolumeIds.1", "VolumeId", "VolumeId.1.Id", "Filter.1", "Filter.1.Names",
        "Filter.1.Value.1.x", "MaxResults.1", "Filter.Name", "VolumeId.member.1", "action", "."}) {
    const Refusal refusal = form_refusal<DescribeVolumes>(std::string(name) + "=x");
    EXPECT_EQ(refusal.why, Why::kUnknown) << name;
    EXPECT_EQ(refusal.where, name);
  }
}

TEST(ApiForm, AMemberThatNoHandlerReadsIsRefusedAtEachDepth) {
  for (const char* name : {"LicenseSpecification.1.LicenseConfigurationArn",
                           "InstanceMarketOptions.SpotOptions.BlockDurationMinutes",
                           "Placement.HostId", "NetworkInterface.1.NetworkCardIndex"}) {
    const Refusal refusal = form_refusal<RunInstances>(fmt::format("MinCount=1&{}=1", name));
    EXPECT_EQ(refusal.why, Why::kUnsupported) << name;
    EXPECT_EQ(refusal.where, name);
  }
}

TEST(ApiForm, AMemberThatMayBeIgnoredIsPassedOverAtEachDepth) {
  const auto request = request_of<RunInstances>(
      "KernelId=1&CpuOptions.CoreCount=1&CpuOptions.ThreadsPerCore=1&"
      "BlockDeviceMapping.1.DeviceName=sda&BlockDeviceMapping.1.VirtualName=x&"
      "BlockDeviceMapping.1.Ebs.VolumeSize=8&NetworkInterface.1.DeviceIndex=0&"
      "NetworkInterface.1.Description=d&MinCount=2");
  ASSERT_EQ(request.block_device_mappings.size(), 1u);
  EXPECT_EQ(request.block_device_mappings[0].device_name, "sda");
  EXPECT_TRUE(request.block_device_mappings[0].ebs);
  ASSERT_EQ(request.network_interfaces.size(), 1u);
  EXPECT_EQ(request.network_interfaces[0].device_index, 0);
  EXPECT_EQ(request.min_count, 2);
}

TEST(ApiForm, AValueOfAnotherTypeIsRefused) {
  for (const char* value : {"five", "5.0", "", "-", "2147483648", "5 "}) {
    const Refusal refusal = form_refusal<DescribeVolumes>(fmt::format("MaxResults={}", value));
    EXPECT_EQ(refusal.why, Why::kType) << value;
    EXPECT_EQ(refusal.where, "MaxResults");
    EXPECT_EQ(refusal.found, value);
  }
}

TEST(ApiForm, OnlyNamesAndUtf8AreText) {
  for (const char* form : {"VolumeId.1=%ff", "VolumeId.1=%C3", "%ff=1", "VolumeId.1=%", "=x",
                           "VolumeId.1=%0", "VolumeId.1=%zz", "VolumeId.1=%00", "VolumeId.1=\xc3"})
    EXPECT_EQ(form_refusal<DescribeVolumes>(form).why, Why::kMalformed) << form;
  EXPECT_EQ(request_of<DescribeVolumes>("&&VolumeId.1=%C3%BC&").volume_ids, Strings{"ü"});
}

TEST(ApiForm, QueryListsHaveAWordBeforeTheIndexAndCanBeEmpty) {
  using autoscaling::op::CreateAutoScalingGroup;
  const auto request = request_of<CreateAutoScalingGroup>(
      "AvailabilityZones.member.1=a&AvailabilityZones.member.2=b&TerminationPolicies=");
  EXPECT_EQ(request.availability_zones, (Strings{"a", "b"}));
  EXPECT_TRUE(request.termination_policies.given());
  EXPECT_TRUE(request.termination_policies.empty());
  EXPECT_FALSE(request.tags.given());
  for (const char* form : {"AvailabilityZones.1=a", "AvailabilityZones.item.1=a",
                           "AvailabilityZones.member=a", "AvailabilityZones=a"})
    EXPECT_EQ(form_refusal<CreateAutoScalingGroup>(form).why, Why::kUnknown) << form;
}

TEST(ApiForm, MapsAreEntriesOfKeyAndValue) {
  const Toy toy = toy_of_form(
      "Tags.entry.2.key=b&Tags.entry.2.value=2&Tags.entry.1.value=1&Tags.entry.1.key=a&Words.1=w");
  EXPECT_EQ(toy.tags.at("a"), "1");
  EXPECT_EQ(toy.tags.at("b"), "2");
  EXPECT_EQ(toy.words, Strings{"w"});
  EXPECT_EQ(refusal_of([] { toy_of_form("Tags.entry.1.key=a"); }).why, Why::kMissing);
  for (const char* form : {"Tags.1.key=a", "Tags.entry.1.value=1", "Tags.entry.1.key.x=1",
                           "Tags.entry.1.key=a&Tags.entry.1.values=1", "Tags=a"})
    EXPECT_NE(refusal_of([form] { toy_of_form(form); }).where, "not refused") << form;
}

TEST(ApiForm, NestingHasALimit) {
  const auto deep = [](std::size_t depth) {
    std::string name;
    for (std::size_t i = 0; i < depth; ++i) name += "Child.";
    return name + "Name=x";
  };
  toy_of_form(deep(kDeepest - 1));
  EXPECT_EQ(refusal_of([&] { toy_of_form(deep(kDeepest)); }).why, Why::kMalformed);
  EXPECT_EQ(refusal_of([&] { toy_of_form(deep(100'000)); }).why, Why::kMalformed);
}

TEST(ApiForm, WhatIsWrittenIsReadAsTheSame) {
  ec2::op::DescribeVolumes::Request request{
      .filters = {{.name = "tag:a&b=c", .values = {"x y", "+", "ü\n"}}, {.name = "empty"}},
      .volume_ids = {"v-1"}};
  std::string form;
  append_form(form, *ec2::kService.operations[DescribeVolumes::kAt].input.shape, &request,
              FormStyle::kEc2);
  EXPECT_EQ(form,
            "&Filter.1.Name=tag%3Aa%26b%3Dc&Filter.1.Value.1=x%20y&Filter.1.Value.2=%2B"
            "&Filter.1.Value.3=%C3%BC%0A&Filter.2.Name=empty&VolumeId.1=v-1");
  const auto again = request_of<DescribeVolumes>(form);
  EXPECT_EQ(again.filters[0].values, request.filters[0].values);
  EXPECT_EQ(again.filters[1].name, "empty");
}

}  // namespace
}  // namespace api
