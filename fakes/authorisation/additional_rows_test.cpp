// Further permissions of requests, such as for tags and roles.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "fakes/authorisation/authorisation.h"
#include "fakes/authorisation/permissions.h"
#include "fakes/authorisation/signing_for_test.h"
#include "fakes/front.h"
#include "sim/cloud/error.h"

namespace fakes::authorisation {
namespace {

using Json = nlohmann::json;

struct AdditionalPermissions : testing::Test {
  using Ask = std::function<Answer(const Keys& keys)>;

  AdditionalPermissions() { t.backend.iam->begin_with({"train"}); }

  // The request needs the second permission besides the first one.
  void check(const std::string& first, const std::string& second, const Ask& ask) {
    const std::string own = allow('"' + first + '"');
    const std::string name = std::to_string(++users);
    const int refused = ask(t.user("one" + name, own)).status();
    EXPECT_TRUE(refused == 400 || refused == 403) << second << refused;
    const std::string lines = t.denied();
    EXPECT_TRUE(lines.ends_with(second + " implicit\n")) << second << ": " << lines;
    const Answer answer = ask(t.user("both" + name, own + "," + allow('"' + second + '"')));
    EXPECT_EQ(answer.status(), 200) << second << answer.body();
  }
  Ask form(const std::string& service, const std::string& version, const std::string& action,
           const Fields& fields) {
    std::string body = "Action=" + action + "&Version=" + version;
    for (const auto& [name, value] : fields) body += "&" + name + "=" + url_encode(value);
    return [this, service, body](const Keys& keys) {
      return t.send(t.signed_request(keys, service, body));
    };
  }
  Ask target(const std::string& service, const std::string& operation, const Json& body) {
    return [this, service, operation, body](const Keys& keys) {
      return t.send(t.signed_request(keys, service, body.dump(), operation));
    };
  }
  Ask put_object(const std::string& header, const std::string& value) {
    return [this, header, value](const Keys& keys) {
      Request request{http::verb::put, "/data/key", 11};
      request.set(http::field::host, "s3.us-west-2.amazonaws.com");
      const std::string now = t.signing_time();
      request.set("X-Amz-Date", now);
      request.set("x-amz-content-sha256", sha256_hex("x"));
      request.set(header, value);
      request.body() = "x";
      request.prepare_payload();
      TestIam::sign(request, keys, "s3", "us-west-2", now, sha256_hex("x"));
      return t.send(request);
    };
  }

  const Fields tags{{"Tags.member.1.Key", "team"}, {"Tags.member.1.Value", "ml"}};
  const Json tag_list = Json::array({{{"Key", "team"}, {"Value", "ml"}}});
  TestIam t;
  int users = 0;
};

Fields with(Fields a, const Fields& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST_F(AdditionalPermissions, ToTagNewEntitiesOfIam) {
  const std::string version = "2010-05-08";
  const std::string trust =
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"sts:AssumeRole",)"
      R"("Principal":{"Service":"ec2.amazonaws.com"}}})";
  const std::string document = R"({"Version":"2012-10-17","Statement":)" + allow(R"("s3:*")") + "}";
  check("iam:CreateRole", "iam:TagRole",
        form("iam", version, "CreateRole",
             with({{"RoleName", "r"}, {"AssumeRolePolicyDocument", trust}}, tags)));
  check("iam:CreateUser", "iam:TagUser",
        form("iam", version, "CreateUser", with({{"UserName", "u"}}, tags)));
  check("iam:CreatePolicy", "iam:TagPolicy",
        form("iam", version, "CreatePolicy",
             with({{"PolicyName", "p"}, {"PolicyDocument", document}}, tags)));
  check("iam:CreateInstanceProfile", "iam:TagInstanceProfile",
        form("iam", version, "CreateInstanceProfile", with({{"InstanceProfileName", "i"}}, tags)));
}

TEST_F(AdditionalPermissions, ToTagOtherNewResources) {
  check("sns:CreateTopic", "sns:TagResource",
        form("sns", "2010-03-31", "CreateTopic", with({{"Name", "t"}}, tags)));
  const Json map{{"team", "ml"}};
  check("sqs:CreateQueue", "sqs:TagQueue",
        target("sqs", "AmazonSQS.CreateQueue", {{"QueueName", "q"}, {"tags", map}}));
  check("sqs:CreateQueue", "sqs:TagQueue",
        form("sqs", "2012-11-05", "CreateQueue",
             {{"QueueName", "f"}, {"Tag.1.Key", "team"}, {"Tag.1.Value", "ml"}}));
  check("ssm:PutParameter", "ssm:AddTagsToResource",
        target("ssm", "AmazonSSM.PutParameter",
               {{"Name", "/a"}, {"Value", "v"}, {"Type", "String"}, {"Tags", tag_list}}));
  for (const char* second : {"logs:TagResource", "logs:TagLogGroup"}) {
    const std::string own =
        allow(R"("logs:CreateLogGroup")") + "," + allow('"' + std::string(second) + '"');
    EXPECT_EQ(target("logs", "Logs_20140328.CreateLogGroup",
                     {{"logGroupName", second + 5}, {"tags", map}})(t.user(second + 5, own))
                  .status(),
              200);
  }
  check("logs:CreateLogGroup", "logs:TagResource",
        target("logs", "Logs_20140328.CreateLogGroup", {{"logGroupName", "g"}, {"tags", map}}));
  check("events:PutRule", "events:TagResource",
        target("events", "AWSEvents.PutRule",
               {{"Name", "r"}, {"EventPattern", R"({"source":["own"]})"}, {"Tags", tag_list}}));
  check("cloudwatch:PutMetricAlarm", "cloudwatch:TagResource",
        target("monitoring", "GraniteServiceVersion20100801.PutMetricAlarm",
               {{"AlarmName", "a"},
                {"Namespace", "n"},
                {"MetricName", "m"},
                {"Statistic", "Sum"},
                {"Period", 60},
                {"EvaluationPeriods", 1},
                {"Threshold", 1},
                {"ComparisonOperator", "GreaterThanThreshold"},
                {"Tags", tag_list}}));
}

TEST_F(AdditionalPermissions, ForTagsAndTheAclOfAnObject) {
  t.backend.objects.create_bucket("data", "us-west-2");
  check("s3:PutObject", "s3:PutObjectTagging", put_object("x-amz-tagging", "team=ml"));
  check("s3:PutObject", "s3:PutObjectAcl", put_object("x-amz-acl", "private"));
}

TEST_F(AdditionalPermissions, ForTheAclAndOwnershipOfANewBucket) {
  int buckets = 0;
  const auto create = [&](const std::string& header, const std::string& value) -> Ask {
    return [&, path = "/new-" + std::to_string(++buckets), header, value](const Keys& keys) {
      Request request{http::verb::put, path, 11};
      request.set(http::field::host, "s3.us-west-2.amazonaws.com");
      const std::string now = t.signing_time();
      const std::string body =
          "<CreateBucketConfiguration><LocationConstraint>us-west-2</LocationConstraint>"
          "</CreateBucketConfiguration>";
      request.set("X-Amz-Date", now);
      request.set("x-amz-content-sha256", sha256_hex(body));
      request.set(header, value);
      request.body() = body;
      request.prepare_payload();
      TestIam::sign(request, keys, "s3", "us-west-2", now, sha256_hex(body));
      return t.send(request);
    };
  };
  check("s3:CreateBucket", "s3:PutBucketAcl", create("x-amz-acl", "public-read"));
  check("s3:CreateBucket", "s3:PutBucketOwnershipControls",
        create("x-amz-object-ownership", "ObjectWriter"));
  const Keys creator = t.user("creator", allow(R"("s3:CreateBucket")"));
  EXPECT_EQ(create("x-amz-acl", "private")(creator).status(), 200);
}

// Each row alone: a caller with all other permissions lacks its permission.
TEST_F(AdditionalPermissions, OfEachRowAreNeeded) {
  struct Given {
    api::Parameters parameters;
    api::HttpRequest http;
  };
  const auto given = [](std::string_view name) {
    Given one;
    if (name.starts_with("x-amz-"))
      one.http.headers.add(std::string(name.substr(0, name.find('!'))), "text");
    else if (!name.starts_with('!'))
      one.parameters.push_back({std::string(name), "text"});
    return one;
  };
  const auto caller_with_all_but = [&](const std::string& actions) {
    const std::string name = "row" + std::to_string(++users);
    t.user(name, R"({"Effect":"Allow","Resource":"*","NotAction":[)" + actions + "]}");
    return t.backend.iam->caller_of_user(name);
  };
  // What IAM denies, or another error; empty: nothing.
  const auto denied = [&](const AdditionalRow& row, const Given& one, const std::string& without) {
    const auto services = served_services();
    const auto service = std::ranges::find_if(
        services, [&](const Service* each) { return each->model.name == row.service; });
    if (service == services.end()) return std::string("no service");
    const auto& operations = (*service)->model.operations;
    const auto operation = std::ranges::find(operations, row.operation, &api::Operation::name);
    if (operation == operations.end()) return std::string("no operation");
    t.events.clear();
    try {
      authorise({t.backend, **service, *operation, one.parameters}, caller_with_all_but(without),
                "operator", &one.http);
      return std::string();
    } catch (const sim::cloud::ApiError& error) {
      if (t.events.empty()) return std::string(error.what());
      const auto& fields = t.events.back().fields;
      const auto resource = fields.at("resource").get<std::string>();
      EXPECT_EQ(resource.find('{'), std::string::npos) << resource;
      return fields.at("action").get<std::string>();
    }
  };
  for (const AdditionalRow& row : every_additional_row()) {
    if (row.service == "sts") continue;  // the role's trust policy decides
    const std::string action = '"' + std::string(row.action) + '"';
    const std::string both =
        row.or_action.empty() ? action : action + ",\"" + std::string(row.or_action) + '"';
    for (std::string_view rest = row.parameters; !rest.empty();) {
      const std::string_view name = rest.substr(0, rest.find('|'));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      const std::string what = fmt::format("{} {} {}", row.operation, name, row.action);
      EXPECT_EQ(denied(row, given(name), both), row.action) << what;
      EXPECT_EQ(denied(row, given(name), R"("none:None")"), "") << what;
      EXPECT_EQ(denied(row, given(name), action), row.or_action.empty() ? row.action : "") << what;
    }
  }
}

TEST_F(AdditionalPermissions, ToTagALogGroupAreForItsOwnResource) {
  const std::string group = "arn:aws:logs:us-west-2:123456789012:log-group:g";
  const auto status = [&](const std::string& action, const std::string& resource) {
    const std::string name = "group" + std::to_string(++users);
    const Keys keys =
        t.user(name, allow(R"("logs:CreateLogGroup")") + "," + allow('"' + action + '"', resource));
    return target("logs", "Logs_20140328.CreateLogGroup",
                  {{"logGroupName", "g"}, {"tags", {{"team", "ml"}}}})(keys)
        .status();
  };
  EXPECT_EQ(status("logs:TagLogGroup", group), 400);
  EXPECT_EQ(status("logs:TagResource", group + ":log-stream:"), 400);
  EXPECT_EQ(status("logs:TagLogGroup", group + ":log-stream:"), 200);
}

TEST_F(AdditionalPermissions, ToPassTheRolesOfHooksAndChangeSets) {
  form("autoscaling", "2011-01-01", "CreateLaunchConfiguration",
       {{"LaunchConfigurationName", "big"},
        {"ImageId", "ami-0123456789abcdef0"},
        {"InstanceType", "p3.2xlarge"}})(kAdministrator);
  const std::string role = "arn:aws:iam::123456789012:role/train";
  const std::string hook = "LifecycleHookSpecificationList.member.1.";
  check("autoscaling:*", "iam:PassRole",
        form("autoscaling", "2011-01-01", "CreateAutoScalingGroup",
             {{"AutoScalingGroupName", "web"},
              {"LaunchConfigurationName", "big"},
              {"MinSize", "0"},
              {"MaxSize", "0"},
              {"AvailabilityZones.member.1", "us-west-2b"},
              {hook + "LifecycleHookName", "h"},
              {hook + "LifecycleTransition", "autoscaling:EC2_INSTANCE_LAUNCHING"},
              {hook + "NotificationTargetARN", "arn:aws:sns:us-west-2:123456789012:t"},
              {hook + "RoleARN", role}}));
  t.service_role("stacks", "cloudformation.amazonaws.com", allow(R"("*")"));
  check("cloudformation:*", "iam:PassRole",
        form("cloudformation", "2010-05-15", "CreateChangeSet",
             {{"StackName", "net"},
              {"ChangeSetName", "first"},
              {"ChangeSetType", "CREATE"},
              {"RoleARN", "arn:aws:iam::123456789012:role/stacks"},
              {"TemplateBody", R"({"Resources":{"Vpc":{"Type":"AWS::EC2::VPC",)"
                               R"("Properties":{"CidrBlock":"10.0.0.0/16"}}}})"}}));
}

}  // namespace
}  // namespace fakes::authorisation
