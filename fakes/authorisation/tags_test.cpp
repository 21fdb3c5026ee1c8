// Decisions by the tags of resources and of requests, in each service that has tags.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "fakes/authorisation/signing_for_test.h"
#include "sim/vpc/network.h"

namespace fakes::authorisation {
namespace {

using nlohmann::json;

// The tag "team" of every resource here has the value "ml".
struct TaggedResources : testing::Test {
  using Status = std::function<int(const Keys& keys)>;

  // A user who may do this only with the tag's value.
  Keys user_of(const std::string& key, const std::string& team, const std::string& action) {
    return t.user(team + std::to_string(++users),
                  R"({"Effect":"Allow","Action":")" + action +
                      R"(","Resource":"*","Condition":{"StringEquals":{")" + key + R"(/team":")" +
                      team + R"("}}})");
  }
  void check(const std::string& key, const std::string& action, const Status& status) {
    EXPECT_NE(status(user_of(key, "web", action)), 200) << action;
    EXPECT_EQ(status(user_of(key, "ml", action)), 200) << action;
  }
  void check_resource(const std::string& action, const Status& status) {
    check("aws:ResourceTag", action, status);
  }

  // ---- requests in each service's protocol
  std::string made(const char* action, const Fields& fields, const char* at) {
    return t.call(kAdministrator, "ec2", action, fields).at(at);
  }
  Status form(const std::string& service, const std::string& action, const Fields& fields) {
    return [this, service, action, fields](const Keys& keys) {
      return t.call(keys, service, action, fields).status();
    };
  }
  Status target(const std::string& service, const std::string& operation, const json& body) {
    return [this, service, operation, body](const Keys& keys) {
      return t.send(t.signed_request(keys, service, body.dump(), operation)).status();
    };
  }
  Status sns(const std::string& fields) {
    return [this, fields](const Keys& keys) {
      return t.send(t.signed_request(keys, "sns", fields + "&Version=2010-03-31")).status();
    };
  }
  Answer fis(const Keys& keys, const std::string& method, const std::string& path,
             const json& body = json::object()) const {
    return t.send(t.signed_path(keys, "fis", method, path, method == "GET" ? "" : body.dump()));
  }
  static json experiment(const std::string& team) {
    return {{"clientToken", team},
            {"description", "d"},
            {"roleArn", "arn:aws:iam::123456789012:role/fis"},
            {"stopConditions", json::array({{{"source", "none"}}})},
            {"tags", {{"team", team}}},
            {"actions",
             {{"act", {{"actionId", "aws:fis:wait"}, {"parameters", {{"duration", "PT1M"}}}}}}}};
  }

  TestIam t;
  int users = 0;
};

TEST_F(TaggedResources, OfEc2) {
  const std::string vpc = made("CreateVpc", {{"CidrBlock", "10.0.0.0/16"}}, "vpc/vpcId");
  const std::string gateway =
      made("CreateInternetGateway", {}, "internetGateway/internetGatewayId");
  const std::string table = made("CreateRouteTable", {{"VpcId", vpc}}, "routeTable/routeTableId");
  const std::string address = made("AllocateAddress", {}, "allocationId");
  const std::string key = made("CreateKeyPair", {{"KeyName", "mine"}}, "keyPairId");
  const std::string group =
      made("CreatePlacementGroup", {{"GroupName", "near"}, {"Strategy", "cluster"}},
           "placementGroup/groupId");
  const std::string options = made(
      "CreateDhcpOptions",
      {{"DhcpConfiguration.1.Key", "domain-name"}, {"DhcpConfiguration.1.Value.1", "example.com"}},
      "dhcpOptions/dhcpOptionsId");
  Fields tags{{"Tag.1.Key", "team"}, {"Tag.1.Value", "ml"}};
  for (const std::string& id : {vpc, gateway, table, address, key, group, options})
    tags.emplace_back("ResourceId." + std::to_string(tags.size() - 1), id);
  EXPECT_EQ(t.code(kAdministrator, "ec2", "CreateTags", tags), "");
  check_resource(
      "ec2:ModifyVpcAttribute",
      form("ec2", "ModifyVpcAttribute", {{"VpcId", vpc}, {"EnableDnsHostnames.Value", "true"}}));
  check_resource("ec2:DeleteInternetGateway",
                 form("ec2", "DeleteInternetGateway", {{"InternetGatewayId", gateway}}));
  check_resource("ec2:DeleteRouteTable",
                 form("ec2", "DeleteRouteTable", {{"RouteTableId", table}}));
  check_resource("ec2:ReleaseAddress", form("ec2", "ReleaseAddress", {{"AllocationId", address}}));
  for (const std::string& id : {key, group}) {
    const Fields tag{{"ResourceId.1", id}, {"Tag.1.Key", "cost"}, {"Tag.1.Value", "1"}};
    check_resource("ec2:CreateTags", form("ec2", "CreateTags", tag));
  }
  check_resource("ec2:DeleteKeyPair", form("ec2", "DeleteKeyPair", {{"KeyName", "mine"}}));
  check_resource("ec2:DeletePlacementGroup",
                 form("ec2", "DeletePlacementGroup", {{"GroupName", "near"}}));
  check_resource("ec2:DeleteDhcpOptions",
                 form("ec2", "DeleteDhcpOptions", {{"DhcpOptionsId", options}}));
}

// One resource of each kind that DescribeTags can list, with the type in its ARN (Service
// Authorization Reference, "Resource types defined by Amazon EC2").
TEST_F(TaggedResources, OfEc2HaveArnsOfTheirTypes) {
  const std::string image = "ami-0123456789abcdef0", type = "m4.xlarge";
  const Fields machine{{"ImageId", image}, {"InstanceType", type}};
  const auto with = [](Fields fields, const std::string& prefix, const Fields& more) {
    for (const auto& [name, value] : more) fields.emplace_back(prefix + name, value);
    return fields;
  };
  std::map<std::string, std::string> ids;  // by type
  const auto make = [&](const std::string& kind, const char* action, const Fields& fields,
                        const char* at) { return ids[kind] = made(action, fields, at); };
  const std::string subnet = t.cloud.network().subnets.default_of("us-west-2b")->id;
  const std::string instance =
      make("instance", "RunInstances",
           with({{"MinCount", "1"}, {"MaxCount", "1"}, {"SubnetId", subnet}}, "", machine),
           "instancesSet/item/instanceId");
  make("volume", "CreateVolume", {{"AvailabilityZone", "us-west-2b"}, {"Size", "1"}}, "volumeId");
  t.run(2min);
  make("snapshot", "CreateSnapshot", {{"VolumeId", ids["volume"]}}, "snapshotId");
  make("image", "CreateImage", {{"InstanceId", instance}, {"Name", "own"}}, "imageId");
  make("spot-instances-request", "RequestSpotInstances", with({}, "LaunchSpecification.", machine),
       "spotInstanceRequestSet/item/spotInstanceRequestId");
  const std::string config = "SpotFleetRequestConfig.";
  make("spot-fleet-request", "RequestSpotFleet",
       with({{config + "TargetCapacity", "1"},
             {config + "IamFleetRole",
              "arn:aws:iam::123456789012:role/aws-service-role/spotfleet.amazonaws.com/r"}},
            config + "LaunchSpecifications.1.", machine),
       "spotFleetRequestId");
  make("launch-template", "CreateLaunchTemplate",
       with({{"LaunchTemplateName", "big"}}, "LaunchTemplateData.", machine),
       "launchTemplate/launchTemplateId");
  const std::string named = "LaunchTemplateConfigs.1.LaunchTemplateSpecification.";
  make("fleet", "CreateFleet",
       {{named + "LaunchTemplateName", "big"},
        {named + "Version", "1"},
        {"TargetCapacitySpecification.TotalTargetCapacity", "1"},
        {"TargetCapacitySpecification.DefaultTargetCapacityType", "spot"}},
       "fleetId");
  make("vpc", "CreateVpc", {{"CidrBlock", "10.0.0.0/16"}}, "vpc/vpcId");
  make("subnet", "CreateSubnet", {{"VpcId", ids["vpc"]}, {"CidrBlock", "10.0.0.0/24"}},
       "subnet/subnetId");
  make("internet-gateway", "CreateInternetGateway", {}, "internetGateway/internetGatewayId");
  make("route-table", "CreateRouteTable", {{"VpcId", ids["vpc"]}}, "routeTable/routeTableId");
  make("security-group", "CreateSecurityGroup", {{"GroupName", "web"}, {"GroupDescription", "d"}},
       "groupId");
  make("security-group-rule", "AuthorizeSecurityGroupIngress",
       {{"GroupId", ids["security-group"]},
        {"IpPermissions.1.IpProtocol", "-1"},
        {"IpPermissions.1.IpRanges.1.CidrIp", "10.0.0.0/8"}},
       "securityGroupRuleSet/item/securityGroupRuleId");
  make("network-interface", "CreateNetworkInterface", {{"SubnetId", ids["subnet"]}},
       "networkInterface/networkInterfaceId");
  make("elastic-ip", "AllocateAddress", {}, "allocationId");
  make("key-pair", "CreateKeyPair", {{"KeyName", "mine"}}, "keyPairId");
  make("placement-group", "CreatePlacementGroup", {{"GroupName", "near"}, {"Strategy", "cluster"}},
       "placementGroup/groupId");
  make("dhcp-options", "CreateDhcpOptions",
       {{"DhcpConfiguration.1.Key", "domain-name"}, {"DhcpConfiguration.1.Value.1", "a.com"}},
       "dhcpOptions/dhcpOptionsId");
  for (const char* prefix : sim::vpc::Network::kTaggable)
    EXPECT_TRUE(std::ranges::any_of(ids, [&](const auto& entry) {
      return entry.second.starts_with(prefix);
    })) << prefix;
  for (const auto& [kind, id] : ids) {
    const Fields tag{{"ResourceId.1", id}, {"Tag.1.Key", "team"}, {"Tag.1.Value", "ml"}};
    for (const char* action : {"CreateTags", "DeleteTags"}) {
      const auto code_if = [&](const std::string& resource, const std::string& team) {
        return t.code(t.user(std::to_string(++users),
                             R"({"Effect":"Allow","Action":"ec2:)" + std::string(action) +
                                 R"(","Resource":")" + resource +
                                 R"(","Condition":{"StringEqualsIfExists":{)" +
                                 R"("aws:ResourceTag/team":")" + team + R"("}}})"),
                      "ec2", action, tag);
      };
      const std::string own = "arn:aws:ec2:us-west-2:*:" + kind + "/*";
      EXPECT_EQ(t.code(kAdministrator, "ec2", "CreateTags", tag), "") << kind;
      EXPECT_EQ(code_if("arn:aws:ec2:us-west-2:*:x/*", "ml"), "UnauthorizedOperation") << kind;
      EXPECT_EQ(code_if(own, "web"), "UnauthorizedOperation") << kind;
      EXPECT_EQ(code_if(own, "ml"), "") << action << " " << kind;
    }
  }
}

TEST_F(TaggedResources, OfIam) {
  const Fields tags{{"Tags.member.1.Key", "team"}, {"Tags.member.1.Value", "ml"}};
  Fields policy{
      {"PolicyName", "p"},
      {"PolicyDocument", R"({"Version":"2012-10-17","Statement":)" + allow(R"("s3:*")") + "}"}};
  policy.insert(policy.end(), tags.begin(), tags.end());
  const std::string arn =
      t.call(kAdministrator, "iam", "CreatePolicy", policy).at("CreatePolicyResult/Policy/Arn");
  Fields profile{{"InstanceProfileName", "i"}};
  profile.insert(profile.end(), tags.begin(), tags.end());
  t.call(kAdministrator, "iam", "CreateInstanceProfile", profile);
  check_resource("iam:GetPolicy", form("iam", "GetPolicy", {{"PolicyArn", arn}}));
  check_resource("iam:GetInstanceProfile",
                 form("iam", "GetInstanceProfile", {{"InstanceProfileName", "i"}}));
}

TEST_F(TaggedResources, OfOtherServices) {
  const auto make = [&](const Status& status) { EXPECT_EQ(status(kAdministrator), 200); };
  const json map{{"team", "ml"}};
  const json list = json::array({{{"Key", "team"}, {"Value", "ml"}}});
  make(target("sqs", "AmazonSQS.CreateQueue", {{"QueueName", "q"}, {"tags", map}}));
  check_resource("sqs:GetQueueAttributes",
                 target("sqs", "AmazonSQS.GetQueueAttributes",
                        {{"QueueUrl", "https://sqs.us-west-2.amazonaws.com/123456789012/q"}}));
  make(sns("Action=CreateTopic&Name=t&Tags.member.1.Key=team&Tags.member.1.Value=ml"));
  check_resource("sns:GetTopicAttributes",
                 sns("Action=GetTopicAttributes&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A"
                     "123456789012%3At"));
  for (const char* name : {"/a/b", "plain"}) {
    make(target("ssm", "AmazonSSM.PutParameter",
                {{"Name", name}, {"Value", "v"}, {"Type", "String"}, {"Tags", list}}));
    check_resource("ssm:GetParameter", target("ssm", "AmazonSSM.GetParameter", {{"Name", name}}));
  }
  make(target("logs", "Logs_20140328.CreateLogGroup", {{"logGroupName", "/g"}, {"tags", map}}));
  check_resource("logs:DescribeLogStreams",
                 target("logs", "Logs_20140328.DescribeLogStreams", {{"logGroupName", "/g"}}));
  make(target("events", "AWSEvents.PutRule",
              {{"Name", "r"}, {"EventPattern", R"({"source":["own"]})"}, {"Tags", list}}));
  check_resource("events:DescribeRule",
                 target("events", "AWSEvents.DescribeRule", {{"Name", "r"}}));
  make(target("monitoring", "GraniteServiceVersion20100801.PutMetricAlarm",
              {{"AlarmName", "a"},
               {"Namespace", "n"},
               {"MetricName", "m"},
               {"Statistic", "Sum"},
               {"Period", 60},
               {"EvaluationPeriods", 1},
               {"Threshold", 1},
               {"ComparisonOperator", "GreaterThanThreshold"},
               {"Tags", list}}));
  check_resource("cloudwatch:EnableAlarmActions",
                 target("monitoring", "GraniteServiceVersion20100801.EnableAlarmActions",
                        {{"AlarmNames", {"a"}}}));
}

TEST_F(TaggedResources, OfFis) {
  const Answer answer = fis(kAdministrator, "POST", "/experimentTemplates", experiment("ml"));
  const std::string id = json::parse(answer.body())["experimentTemplate"]["id"];
  check_resource("fis:GetExperimentTemplate", [&](const Keys& keys) {
    return fis(keys, "GET", "/experimentTemplates/" + id).status();
  });
}

// Tags are maps in the requests of these services.
TEST_F(TaggedResources, RequestsHaveTagsAsMaps) {
  const auto check_request = [&](const std::string& action, const Status& status) {
    check("aws:RequestTag", action, status);
  };
  const json map{{"team", "ml"}};
  check_request("sqs:*Queue",
                target("sqs", "AmazonSQS.CreateQueue", {{"QueueName", "q"}, {"tags", map}}));
  check_request("logs:*", target("logs", "Logs_20140328.CreateLogGroup",
                                 {{"logGroupName", "g"}, {"tags", map}}));
  t.backend.iam->begin_with({"fis"});
  const Keys ann = t.user(
      "ann", allow(R"("iam:PassRole")") +
                 R"(,{"Effect":"Allow","Action":"fis:CreateExperimentTemplate","Resource":"*",)"
                 R"("Condition":{"StringEquals":{"aws:RequestTag/team":"ml"},)"
                 R"("ForAllValues:StringEquals":{"aws:TagKeys":"team"}}})");
  EXPECT_EQ(fis(ann, "POST", "/experimentTemplates", experiment("ml")).status(), 200);
  EXPECT_NE(fis(ann, "POST", "/experimentTemplates", experiment("web")).status(), 200);
}

// IAM User Guide, "Controlling access based on tag keys".
TEST_F(TaggedResources, TagKeysIncludeThoseThatARequestRemoves) {
  t.backend.logs.create_group("g", {.tags = {{"team", "ml"}, {"cost", "1"}}});
  const Keys ann =
      t.user("ann", R"({"Effect":"Allow","Action":"logs:UntagResource","Resource":"*","Condition":)"
                    R"({"ForAllValues:StringEquals":{"aws:TagKeys":"cost"}}})");
  const auto untag = [&](const char* key) {
    return target("logs", "Logs_20140328.UntagResource",
                  {{"resourceArn", "arn:aws:logs:us-west-2:123456789012:log-group:g"},
                   {"tagKeys", {key}}})(ann);
  };
  EXPECT_NE(untag("team"), 200);
  EXPECT_EQ(untag("cost"), 200);
}

}  // namespace
}  // namespace fakes::authorisation
