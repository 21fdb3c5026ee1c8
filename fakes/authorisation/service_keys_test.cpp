// The condition keys of single services.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "fakes/authorisation/signing_for_test.h"

namespace fakes::authorisation {
namespace {

using Json = nlohmann::json;

struct ServiceKeys : testing::Test {
  using Ask = std::function<int(const Keys& keys)>;

  // The request is permitted if the key has this value, and only then.
  void check(const std::string& key, const std::string& value, const std::string& action,
             const Ask& ask) {
    const auto user = [&](const std::string& wanted) {
      const std::string condition = R"({"ForAnyValue:StringEquals":{")" + key + R"(":")" + wanted;
      return t.user(std::to_string(++users), R"({"Effect":"Allow","Action":")" + action +
                                                 R"(","Resource":"*","Condition":)" + condition +
                                                 R"("}}})");
    };
    const int refused = ask(user("x" + value));
    EXPECT_TRUE(refused == 400 || refused == 403) << key << " " << refused;
    EXPECT_EQ(ask(user(value)), 200) << key;
  }
  Ask form(const std::string& service, const std::string& version, const std::string& action,
           const Fields& fields) {
    std::string body = "Action=" + action + "&Version=" + version;
    for (const auto& [name, value] : fields) body += "&" + name + "=" + url_encode(value);
    return [this, service, body](const Keys& keys) {
      return t.send(t.signed_request(keys, service, body)).status();
    };
  }
  Ask target(const std::string& service, const std::string& operation, const Json& body) {
    return [this, service, operation, body](const Keys& keys) {
      return t.send(t.signed_request(keys, service, body.dump(), operation)).status();
    };
  }
  Ask s3(http::verb method, const std::string& path, const Fields& headers = {},
         const std::string& body = "") {
    return [this, method, path, headers, body](const Keys& keys) {
      Request request{method, path, 11};
      request.set(http::field::host, "s3.us-west-2.amazonaws.com");
      const std::string now = t.signing_time();
      request.set("X-Amz-Date", now);
      request.set("x-amz-content-sha256", sha256_hex(body));
      for (const auto& [name, value] : headers) request.set(name, value);
      if (!body.empty()) {
        request.body() = body;
        request.prepare_payload();
      }
      TestIam::sign(request, keys, "s3", "us-west-2", now, sha256_hex(body));
      return t.send(request).status();
    };
  }

  TestIam t;
  int users = 0;
};

TEST_F(ServiceKeys, OfCloudWatchAndSns) {
  check("cloudwatch:namespace", "own", "cloudwatch:PutMetricData",
        target("monitoring", "GraniteServiceVersion20100801.PutMetricData",
               {{"Namespace", "own"}, {"MetricData", {{{"MetricName", "m"}, {"Value", 1}}}}}));
  form("sns", "2010-03-31", "CreateTopic", {{"Name", "t"}})(kAdministrator);
  const Ask subscribe = form("sns", "2010-03-31", "Subscribe",
                             {{"TopicArn", "arn:aws:sns:us-west-2:123456789012:t"},
                              {"Protocol", "sqs"},
                              {"Endpoint", "arn:aws:sqs:us-west-2:123456789012:q"}});
  target("sqs", "AmazonSQS.CreateQueue", {{"QueueName", "q"}})(kAdministrator);
  check("sns:Protocol", "sqs", "sns:Subscribe", subscribe);
  check("sns:Endpoint", "arn:aws:sqs:us-west-2:123456789012:q", "sns:Subscribe", subscribe);
}

TEST_F(ServiceKeys, OfEvents) {
  const Ask put =
      target("events", "AWSEvents.PutEvents",
             {{"Entries", {{{"Source", "own"}, {"DetailType", "made"}, {"Detail", "{}"}}}}});
  check("events:source", "own", "events:PutEvents", put);
  check("events:detail-type", "made", "events:PutEvents", put);
  check("events:source", "own", "events:PutRule",
        target("events", "AWSEvents.PutRule",
               {{"Name", "r"}, {"EventPattern", R"({"source":["own"]})"}}));
}

TEST_F(ServiceKeys, OfBucketsAndObjects) {
  const std::string place =
      "<CreateBucketConfiguration><LocationConstraint>us-west-2</LocationConstraint>"
      "</CreateBucketConfiguration>";
  check("s3:LocationConstraint", "us-west-2", "s3:CreateBucket",
        s3(http::verb::put, "/data", {}, place));
  const Fields tagged{{"x-amz-tagging", "team=ml"}};
  check("s3:RequestObjectTag/team", "ml", "s3:PutObject*",
        s3(http::verb::put, "/data/key", tagged, "x"));
  check("s3:RequestObjectTagKeys", "team", "s3:PutObject*",
        s3(http::verb::put, "/data/key", tagged, "x"));
  check("s3:RequestObjectTag/team", "ml", "s3:PutObjectTagging",
        s3(http::verb::put, "/data/key?tagging", {},
           "<Tagging><TagSet><Tag><Key>team</Key><Value>ml</Value></Tag></TagSet></Tagging>"));
  const Ask get = s3(http::verb::get, "/data/key");
  check("s3:ExistingObjectTag/team", "ml", "s3:GetObject", get);
  check("s3:ResourceAccount", "123456789012", "s3:GetObject", get);
  check("s3:signatureversion", "AWS4-HMAC-SHA256", "s3:GetObject", get);
  check("s3:authType", "REST-HEADER", "s3:GetObject", get);
}

TEST_F(ServiceKeys, OfGroups) {
  form("autoscaling", "2011-01-01", "CreateLaunchConfiguration",
       {{"LaunchConfigurationName", "big"},
        {"ImageId", "ami-0123456789abcdef0"},
        {"InstanceType", "p3.2xlarge"}})(kAdministrator);
  const auto create = [&](const std::string& name) {
    return form("autoscaling", "2011-01-01", "CreateAutoScalingGroup",
                {{"AutoScalingGroupName", name},
                 {"LaunchConfigurationName", "big"},
                 {"MinSize", "0"},
                 {"MaxSize", "1"},
                 {"AvailabilityZones.member.1", "us-west-2b"},
                 {"Tags.member.1.Key", "team"},
                 {"Tags.member.1.Value", "ml"}});
  };
  const Ask set =
      form("autoscaling", "2011-01-01", "SetDesiredCapacity",
           {{"AutoScalingGroupName", "aws:ResourceTag/team"}, {"DesiredCapacity", "0"}});
  for (const char* key : {"aws:ResourceTag/team", "autoscaling:ResourceTag/team"})
    check(key, "ml", "autoscaling:CreateAutoScalingGroup", create(key));
  check("autoscaling:ResourceTag/team", "ml", "autoscaling:SetDesiredCapacity", set);
}

TEST_F(ServiceKeys, OfExistingResourcesOfEc2) {
  const std::string version = "2016-11-15";
  const std::string volume = t.call(kAdministrator, "ec2", "CreateVolume",
                                    {{"AvailabilityZone", "us-west-2b"}, {"Size", "1"}})
                                 .at("volumeId");
  const std::string instance = t.call(kAdministrator, "ec2", "RunInstances",
                                      {{"ImageId", "ami-0123456789abcdef0"},
                                       {"InstanceType", "p3.2xlarge"},
                                       {"MinCount", "1"},
                                       {"MaxCount", "1"}})
                                   .at("instancesSet/item/instanceId");
  t.run(2min);
  const Ask protect = form("ec2", version, "ModifyInstanceAttribute",
                           {{"InstanceId", instance}, {"DisableApiTermination.Value", "false"}});
  check("ec2:InstanceID", instance, "ec2:ModifyInstanceAttribute", protect);
  check("ec2:Attribute", "DisableApiTermination", "ec2:ModifyInstanceAttribute", protect);
  check("ec2:Attribute/DisableApiTermination", "false", "ec2:ModifyInstanceAttribute", protect);
  check("ec2:Attribute/HttpTokens", "required", "ec2:ModifyInstanceMetadataOptions",
        form("ec2", version, "ModifyInstanceMetadataOptions",
             {{"InstanceId", instance}, {"HttpTokens", "required"}}));
  check("ec2:Attribute", "instanceType", "ec2:DescribeInstanceAttribute",
        form("ec2", version, "DescribeInstanceAttribute",
             {{"InstanceId", instance}, {"Attribute", "instanceType"}}));
  check("ec2:VolumeID", volume, "ec2:DeleteVolume",
        form("ec2", version, "DeleteVolume", {{"VolumeId", volume}}));
}

}  // namespace
}  // namespace fakes::authorisation
