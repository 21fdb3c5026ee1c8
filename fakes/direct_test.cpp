// The same requests over HTTP and as structs, to two equal clouds.
#include "fakes/direct.h"

#include <gtest/gtest.h>

#include "api/ec2.h"
#include "api/protocol.h"
#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

namespace op = api::ec2::op;

struct DirectTest : ::testing::Test {
  // The direct answer, after comparing it and both logs with the answer over HTTP.
  template <class Op>
  DirectReply ask(const typename Op::Request& request, std::string_view region = "us-west-2") {
    const api::Service& service = Op::service();
    const api::Operation& operation = service.operations[Op::kAt];
    const Answer answer = wire.send(
        TestBackend::post(api::write_request(service, operation, &request).body,
                          fmt::format("AWS4-HMAC-SHA256 Credential=A/20191105/{}/ec2/aws4_request, "
                                      "SignedHeaders=host, Signature=0",
                                      region)
                              .c_str()));
    DirectReply reply = handler({service, operation, &request, region});
    EXPECT_EQ(reply.response == nullptr, answer.status() != 200);
    if (!reply.response) {
      EXPECT_EQ(reply.error.code, answer.code());
      EXPECT_EQ(reply.error.message, answer.message());
      EXPECT_EQ(reply.error.status, answer.status());
    } else {
      const std::string id = answer.at("requestId");
      EXPECT_EQ(api::write_response(service, operation, reply.response.get(), id).body,
                answer.body());
    }
    EXPECT_EQ(reply.delay, direct.backend.latencies.api);
    EXPECT_EQ(direct.lines, wire.lines);
    return reply;
  }
  template <class Op>
  typename Op::Response response(const typename Op::Request& request) {
    const DirectReply reply = ask<Op>(request);
    EXPECT_TRUE(reply.response) << reply.error.message;
    if (!reply.response) return {};
    return *static_cast<const typename Op::Response*>(reply.response.get());
  }

  TestBackend wire, direct;
  DirectHandler handler = direct_aws(direct.backend, "operator");
  const op::CreateVolume::Request volume{
      .availability_zone = "us-west-2b",
      .client_token = "once",
      .size = 100,
      .tag_specifications = {{.resource_type = "volume", .tags = {{.key = "a", .value = "b&c"}}}},
      .volume_type = "gp2"};
};

TEST_F(DirectTest, WhatIsDoneAndLoggedIsTheSame) {
  const auto made = response<op::CreateVolume>(volume);
  EXPECT_EQ(made.size, 100);
  ASSERT_FALSE(direct.lines.empty());
  EXPECT_NE(direct.lines.back().find("\"TagSpecification.1.Tag.1.Value\":\"b&c\""),
            std::string::npos);
  const auto found =
      response<op::DescribeVolumes>({.filters = {{.name = "tag:a", .values = {"b&c"}}}});
  ASSERT_EQ(found.volumes.size(), 1u);
  EXPECT_EQ(found.volumes[0].volume_id, made.volume_id);
}

TEST_F(DirectTest, ErrorsAreRefusedWithTheSameMessages) {
  EXPECT_EQ(ask<op::AttachVolume>({}).error.code, "MissingParameter");
  EXPECT_EQ(ask<op::DeleteVolume>({.volume_id = "vol-0123456789abcdef0"}).error.code,
            "InvalidVolume.NotFound");
  EXPECT_EQ(ask<op::DescribeVolumes>({.dry_run = true}).error.code, "DryRunOperation");
  EXPECT_EQ(
      ask<op::CreateVolume>({.availability_zone = "us-west-2a", .volume_type = "gp9"}).error.code,
      "InvalidParameterValue");
  EXPECT_EQ(ask<op::DescribeVolumes>({}, "eu-west-1").error.code, "AuthFailure");
}

TEST_F(DirectTest, AClientTokenIsGoodForOneRequest) {
  const auto first = response<op::CreateVolume>(volume);
  EXPECT_EQ(response<op::CreateVolume>(volume).volume_id, first.volume_id);
  auto other = volume;
  other.size = 200;
  EXPECT_EQ(ask<op::CreateVolume>(other).error.code, "IdempotentParameterMismatch");
}

TEST_F(DirectTest, TimesAreToTheMillisecondAsOnTheWire) {
  for (TestBackend* t : {&wire, &direct}) t->run(1'500'001ns);
  EXPECT_EQ(response<op::CreateVolume>(volume).create_time,
            api::Timestamp((kStart + 1ms).time_since_epoch()));
}

// Over HTTP, a volume's text is cached between lists.
TEST_F(DirectTest, AListShowsEachChangeOfAVolume) {
  const std::string id = *response<op::CreateVolume>(volume).volume_id;
  const auto look = [&] {
    for (const auto& shown : response<op::DescribeVolumes>({}).volumes)
      if (shown.volume_id == id) return shown;
    return api::ec2::Volume{};
  };
  const auto pass = [&](sim::Duration d) {
    for (TestBackend* t : {&wire, &direct}) t->run(d);
    return look().state;
  };
  EXPECT_EQ(look().state, "creating");
  EXPECT_EQ(pass(1min), "available");
  response<op::CreateTags>({.resources = {id}, .tags = {{.key = "a", .value = "other"}}});
  EXPECT_EQ(look().tags.at(0).value, "other");
  response<op::DeleteTags>({.resources = {id}, .tags = {{.key = "a"}}});
  EXPECT_TRUE(look().tags.empty());
  const auto ran = response<op::RunInstances>({.image_id = "ami-0123456789abcdef0",
                                               .instance_type = "m4.xlarge",
                                               .max_count = 1,
                                               .min_count = 1,
                                               .placement = {{.availability_zone = "us-west-2b"}}});
  const std::string instance = *ran.instances.at(0).instance_id;
  pass(2min);
  response<op::AttachVolume>({.device = "/dev/sdf", .instance_id = instance, .volume_id = id});
  EXPECT_EQ(look().attachments.at(0).state, "attaching");
  EXPECT_EQ(pass(1min), "in-use");
  EXPECT_EQ(look().attachments.at(0).state, "attached");
  for (TestBackend* t : {&wire, &direct}) t->cloud.lose_volumes({instance});
  response<op::DetachVolume>({.volume_id = id});
  EXPECT_EQ(look().attachments.at(0).state, "detaching");
  EXPECT_EQ(pass(1min), "error");
  EXPECT_TRUE(look().attachments.empty());
  response<op::CreateVolume>({.availability_zone = "us-west-2a", .size = 1});
  response<op::DescribeVolumes>({.volume_ids = {id}});
  response<op::DescribeVolumes>({.filters = {{.name = "status", .values = {"error"}}}});
  response<op::DeleteVolume>({.volume_id = id});
  look();
  pass(5min);
  EXPECT_FALSE(look().volume_id);
  EXPECT_EQ(response<op::DescribeVolumes>({}).volumes.size(), 2u);  // the other volume, and a root
}

TEST_F(DirectTest, AServiceThatIsNotServedIsNotImplemented) {
  api::Service other = op::DescribeVolumes::service();
  other.name = "s3";
  const op::DescribeVolumes::Request request;
  const DirectReply reply =
      handler({other, other.operations[op::DescribeVolumes::kAt], &request, "us-west-2"});
  EXPECT_EQ(reply.error.code, "NotImplemented");
  EXPECT_EQ(reply.error.status, 501);
  EXPECT_NE(direct.lines.back().find("\"service\":\"s3\""), std::string::npos);
}

}  // namespace
}  // namespace fakes
