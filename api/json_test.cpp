#include "api/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "api/difference.h"
#include "api/dynamodb.h"
#include "api/ec2.h"
#include "api/logs.h"
#include "api/protocol.h"
#include "api/toy_for_test.h"
#include "api/wafv2.h"

namespace api {
namespace {

using Why = Refusal::Why;

template <class Op>
typename Op::Request request_of_json(std::string_view text, JsonStyle style) {
  typename Op::Request request;
  read_json(text, *Op::service().operations[Op::kAt].input.shape, &request, style);
  return request;
}

template <class Op>
std::string json_of(const typename Op::Request& request, JsonStyle style) {
  std::string out;
  append_json(out, *Op::service().operations[Op::kAt].input.shape, &request, style);
  return out;
}

template <class Op>
Refusal json_refusal(std::string_view text, JsonStyle style = JsonStyle::kRequest) {
  return refusal_of([=] { request_of_json<Op>(text, style); });
}

Toy toy_of_json(std::string_view text, JsonStyle style = JsonStyle::kRequest) {
  Toy toy;
  read_json(text, kToyShape, &toy, style);
  return toy;
}

TEST(ApiJson, AValueIsReadAsItsTextIs) {
  const auto json = nlohmann::json::parse(R"({"ImageId": "ami-1", "MaxCount": 2, "MinCount": 1,
    "DryRun": true, "KeyName": null, "SecurityGroupIds": ["sg-1", "sg-2"],
    "TagSpecifications": [{"ResourceType": "instance", "Tags": []}]})");
  const Shape& shape =
      *ec2::op::RunInstances::service().operations[ec2::op::RunInstances::kAt].input.shape;
  ec2::op::RunInstances::Request of_text, of_value;
  read_json(json.dump(), shape, &of_text, JsonStyle::kPlain);
  read_json_value(json, shape, &of_value, JsonStyle::kPlain);
  EXPECT_EQ(first_difference(shape, &of_text, &of_value), "");
  EXPECT_EQ(of_value.security_group_ids.size(), 2u);
  const auto refused = [&](const nlohmann::json& value) {
    return refusal_of([&] {
      ec2::op::RunInstances::Request request;
      read_json_value(value, shape, &request, JsonStyle::kPlain);
    });
  };
  EXPECT_EQ(refused({{"MaxCount", "two"}}).where, "MaxCount");
  EXPECT_EQ(refused({{"MaxCount", 1.5}}).found, "1.5");
  EXPECT_EQ(refused({{"Colour", "red"}}).why, Why::kUnknown);
  EXPECT_EQ(refused(nlohmann::json::array()).why, Why::kMalformed);
}

using ec2::op::RunInstances;
using logs::op::PutLogEvents;

TEST(ApiJson, StructuresListsAndScalars) {
  const auto request = request_of_json<PutLogEvents>(
      R"({"logGroupName":"g","logEvents":[{"message":"ü\ud83d\ude00\n","timestamp":1572948000000},)"
      R"({"timestamp":2}],"sequenceToken":null})",
      JsonStyle::kRequest);
  EXPECT_EQ(request.log_group_name, "g");
  ASSERT_EQ(request.log_events.size(), 2u);
  EXPECT_EQ(request.log_events[0].message, "ü😀\n");
  EXPECT_EQ(request.log_events[0].timestamp, 1572948000000);
  EXPECT_FALSE(request.sequence_token);
  EXPECT_FALSE(request.log_stream_name);
}

TEST(ApiJson, EmptyAndNoListDiffer) {
  EXPECT_TRUE(toy_of_json(R"({"Children":[],"Tags":{}})").children.given());
  EXPECT_TRUE(toy_of_json(R"({"Children":[],"Tags":{}})").tags.given());
  EXPECT_FALSE(toy_of_json(R"({"Children":null})").children.given());
}

TEST(ApiJson, AStructureMayHoldItself) {
  const auto item = request_of_json<dynamodb::op::PutItem>(
      R"({"Item":{"a":{"M":{"b":{"L":[{"S":"x"},{"N":"1"},{"NULL":true}]}}},"c":{"BS":["AP8="]}}})",
      JsonStyle::kRequest);
  const auto& list = item.item.at("a").m.at("b").l;
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].s, "x");
  EXPECT_EQ(list[1].n, "1");
  EXPECT_EQ(list[2].null, true);
  EXPECT_EQ(item.item.at("c").bs[0], std::string("\0\xff", 2));
  const auto acl = request_of_json<wafv2::op::CreateWebACL>(
      R"({"Rules":[{"Statement":{"NotStatement":{"Statement":{"NotStatement":{"Statement":)"
      R"({"GeoMatchStatement":{"CountryCodes":["DE"]}}}}}}}]})",
      JsonStyle::kRequest);
  const auto& inner = acl.rules[0].statement->not_statement->statement->not_statement->statement;
  EXPECT_EQ(inner->geo_match_statement->country_codes[0], "DE");
}

TEST(ApiJson, UnknownMembersOfAResponseArePassedOverWithAllInThem) {
  const Toy toy = toy_of_json(
      R"({"X":{"Name":"no","Y":[{"Name":"no"},[1,null,true]]},"Z":[[[]]],"W":1.5,"Name":"yes",)"
      R"("Child":{"name":"no","Size":3}})",
      JsonStyle::kResponse);
  EXPECT_EQ(toy.name, "yes");
  EXPECT_FALSE(toy.child->name);
  EXPECT_EQ(toy.child->size, 3);
}

TEST(ApiJson, AnUnknownMemberOfARequestIsRefusedAtEachDepth) {
  const struct {
    const char *text, *where;
  } kUnknown[] = {{R"({"loggroupname":"g"})", "loggroupname"},
                  {R"({"Name":null})", "Name"},
                  {R"({"logEvents":[{"message":"m"},{"time":1}]})", "logEvents.2.time"}};
  for (const auto& [text, where] : kUnknown) {
    const Refusal refusal = json_refusal<PutLogEvents>(text);
    EXPECT_EQ(refusal.why, Why::kUnknown) << text;
    EXPECT_EQ(refusal.where, where);
  }
  EXPECT_EQ(json_refusal<PutLogEvents>(kUnknown[2].text).expected, "timestamp, message");
}

TEST(ApiJson, IgnoredMembersArePassedOverAndRefusedOnesRefusedAtEachDepth) {
  const auto request = request_of_json<RunInstances>(
      R"({"KernelId":{"not":"a text"},"NetworkInterface":[{"SubnetId":"subnet-1",)"
      R"("Description":1,"DeviceIndex":0}],"MinCount":2})",
      JsonStyle::kRequest);
  EXPECT_EQ(request.min_count, 2);
  EXPECT_EQ(request.network_interfaces[0].subnet_id, "subnet-1");
  const struct {
    const char *text, *where;
  } kRefused[] = {{R"({"LicenseSpecification":[]})", "LicenseSpecification"},
                  {R"({"Placement":{"HostId":"h"}})", "Placement.HostId"},
                  {R"({"NetworkInterface":[{},{"NetworkCardIndex":1}]})",
                   "NetworkInterface.2.NetworkCardIndex"},
                  {R"({"InstanceMarketOptions":{"SpotOptions":{"BlockDurationMinutes":60}}})",
                   "InstanceMarketOptions.SpotOptions.BlockDurationMinutes"}};
  for (const auto& [text, where] : kRefused) {
    const Refusal refusal = json_refusal<RunInstances>(text);
    EXPECT_EQ(refusal.why, Why::kUnsupported) << text;
    EXPECT_EQ(refusal.where, where);
  }
  request_of_json<RunInstances>(R"({"LicenseSpecification":null})", JsonStyle::kRequest);
}

TEST(ApiJson, ThePlainStyleHasTheModelsNamesAndAllMembers) {
  const PutToyRequest request{.name = "n", .limit = 3, .quick = true, .toy = Toy{.color = "red"}};
  std::string text;
  append_json(text, *kToyJson.operations[0].input.shape, &request, JsonStyle::kPlain);
  EXPECT_EQ(text, R"({"Name":"n","limit":3,"x-quick":true,"Toy":{"Color":"red"}})");
  PutToyRequest again;
  read_json(text, *kToyJson.operations[0].input.shape, &again, JsonStyle::kPlain);
  EXPECT_EQ(again.limit, 3);
  EXPECT_EQ(again.toy->color, "red");

  const ec2::op::DescribeSpotPriceHistory::Request prices{
      .instance_types = {"p3.2xlarge"},
      .start_time = Timestamp(std::chrono::milliseconds(1572948000250))};
  const std::string plain = json_of<ec2::op::DescribeSpotPriceHistory>(prices, JsonStyle::kPlain);
  EXPECT_EQ(plain, R"({"InstanceTypes":["p3.2xlarge"],"StartTime":"2019-11-05T10:00:00.250Z"})");
  EXPECT_EQ(request_of_json<ec2::op::DescribeSpotPriceHistory>(plain, JsonStyle::kPlain).start_time,
            prices.start_time);
}

TEST(ApiJson, ThePlainStyleLosesNoWord) {
  const struct {
    const char* text;
    Why why;
    const char* where;
  } kLost[] = {{R"({"minCount":1})", Why::kUnknown, "minCount"},
               {R"({"BlockDeviceMapping":[]})", Why::kUnknown, "BlockDeviceMapping"},
               {R"({"Placement":{"Zone":"a"}})", Why::kUnknown, "Placement.Zone"},
               {R"({"BlockDeviceMappings":[{},{"Ebs":{"Size":1}}]})", Why::kUnknown,
                "BlockDeviceMappings.2.Ebs.Size"},
               {R"({"LicenseSpecifications":[]})", Why::kUnsupported, "LicenseSpecifications"},
               {R"({"InstanceMarketOptions":{"SpotOptions":{"BlockDurationMinutes":60}}})",
                Why::kUnsupported, "InstanceMarketOptions.SpotOptions.BlockDurationMinutes"},
               {R"({"KernelId":"aki-1"})", Why::kUnsupported, "KernelId"}};
  for (const auto& [text, why, where] : kLost) {
    const Refusal refusal = json_refusal<RunInstances>(text, JsonStyle::kPlain);
    EXPECT_EQ(refusal.why, why) << text;
    EXPECT_EQ(refusal.where, where) << text;
  }
  // A response has the same structure, so the struct has the field: this is the validation's.
  const auto host = request_of_json<RunInstances>(
      R"({"MinCount":1,"MaxCount":1,"Placement":{"HostId":"h"}})", JsonStyle::kPlain);
  const Refusal refusal = refusal_of(
      [&] { validate_request(ec2::kService, ec2::kService.operations[RunInstances::kAt], &host); });
  EXPECT_EQ(refusal.why, Why::kUnsupported);
  EXPECT_EQ(refusal.where, "Placement.HostId");
}

TEST(ApiJson, AValueOfAnotherTypeIsRefusedWithItsPath) {
  const struct {
    const char *text, *where, *expected;
  } kWrong[] = {{R"({"Name":1})", "Name", "a string"},
                {R"({"Name":{}})", "Name", "a string"},
                {R"({"Size":"1"})", "Size", "an integer"},
                {R"({"Size":1.5})", "Size", "an integer"},
                {R"({"Size":2147483648})", "Size", "an integer"},
                {R"({"Size":99999999999999999999})", "Size", "an integer"},
                {R"({"Size":true})", "Size", "an integer"},
                {R"({"Child":[]})", "Child", "an object"},
                {R"({"Child":"x"})", "Child", "an object"},
                {R"({"Children":{}})", "Children", "a list"},
                {R"({"Children":[{},{"Size":[]}]})", "Children.2.Size", "an integer"},
                {R"({"Children":[{},null]})", "Children", "an object"},
                {R"({"Tags":{"a":"1","b":2}})", "Tags.b", "a string"},
                {R"({"Tags":{"a":null}})", "Tags.a", "a string"}};
  for (const auto& [text, where, expected] : kWrong) {
    const Refusal refusal = refusal_of([text = text] { toy_of_json(text); });
    EXPECT_EQ(refusal.why, Why::kType) << text;
    EXPECT_TRUE(refusal.where.starts_with(where)) << text << refusal.where;
    EXPECT_EQ(refusal.expected, expected) << text;
  }
  EXPECT_EQ(json_refusal<dynamodb::op::PutItem>(R"({"Item":{"a":{"B":"?"}}})").expected, "base64");
}

TEST(ApiJson, WhatIsNoJsonObjectIsMalformed) {
  for (const char* text :
       {"", " ", "{", "{}{}", "[]", "1", "null", "\"x\"", "{\"Name\":}", "{Name:1}",
        "{\"Size\":01}", "{\"Name\":\"\xff\"}", "{\"Name\":\"\\ud800\"}", "{\"Name\":\"\n\"}",
        "{\"Size\":1e999}", "{\"Child\":{}", "{\"Name\":\"a\",}", "{\"Name\":\"a\",\"Name\":\"b\"}",
        "{\"Children\":[],\"Children\":[]}"})
    EXPECT_EQ(refusal_of([text] { toy_of_json(text); }).why, Why::kMalformed) << text;
}

TEST(ApiJson, NestingHasALimitInWhatIsReadAndInWhatIsPassedOver) {
  const auto deep = [](std::size_t depth, std::string_view open, std::string_view close) {
    std::string text = "{";
    for (std::size_t i = 0; i < depth; ++i) text += open;
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text + "}";
  };
  toy_of_json(deep(kDeepest - 1, "\"Child\":{", "}"));
  const auto passed_over = [](const std::string& text) { toy_of_json(text, JsonStyle::kResponse); };
  passed_over("{\"X\":" + deep(kDeepest - 3, "\"x\":{", "}") + "}");
  for (const std::size_t depth : {kDeepest, std::size_t{100'000}}) {
    EXPECT_EQ(refusal_of([&] { toy_of_json(deep(depth, "\"Child\":{", "}")); }).why,
              Why::kMalformed);
    EXPECT_EQ(refusal_of([&] { passed_over(deep(depth, "\"x\":{", "}")); }).why, Why::kMalformed);
    const std::string lists = "{\"x\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
    EXPECT_EQ(refusal_of([&] { passed_over(lists); }).why, Why::kMalformed);
  }
}

TEST(ApiJson, AResponsesNullsArePassedOver) {
  const Toy toy =
      toy_of_json(R"({"Children":[null,{"Size":1}],"Tags":{"a":null},"Old":1,"Name":"n"})",
                  JsonStyle::kResponse);
  EXPECT_EQ(toy.children.size(), 1u);
  EXPECT_TRUE(toy.tags.empty());
  EXPECT_EQ(toy.name, "n");
}

TEST(ApiJson, WrittenTextIsJsonWhateverIsInIt) {
  const Toy toy{.name = "q\"b\\ \x01\x1b\xff ü", .tags = {{"k\n", "v"}}};
  std::string text;
  append_json(text, kToyShape, &toy, JsonStyle::kResponse);
  EXPECT_EQ(text,
            "{\"Name\":\"q\\\"b\\\\ \\u0001\\u001b\xEF\xBF\xBD ü\",\"Tags\":{\"k\\n\":\"v\"}}");
  const ec2::op::RequestSpotFleet::Request fleet{
      .spot_fleet_request_config = {
          {.fulfilled_capacity = std::numeric_limits<double>::quiet_NaN()}}};
  EXPECT_EQ(json_of<ec2::op::RequestSpotFleet>(fleet, JsonStyle::kPlain),
            R"({"SpotFleetRequestConfig":{"FulfilledCapacity":null}})");
}

TEST(ApiJson, TheTargetNamesServiceAndAction) {
  HttpRequest request{.body = "{}"};
  EXPECT_EQ(route(logs::kService, request, {}), nullptr);
  request.headers.add("X-Amz-Target", "Logs_20140328.PutLogEvents");
  EXPECT_EQ(route(logs::kService, request, {})->name, "PutLogEvents");
  EXPECT_EQ(route(dynamodb::kService, request, {}), nullptr);
  for (const char* target : {"PutLogEvents", "Logs.PutLogEvents", "", ".", "Logs_20140328."}) {
    request.headers[0].second = target;
    EXPECT_EQ(route(logs::kService, request, {}), nullptr) << target;
  }
}

}  // namespace
}  // namespace api
