// Experiments of AWS FIS that inject faults of the catalogue.
#include <nlohmann/json.hpp>

#include "fakes/authorisation/signing_for_test.h"
#include "fakes/fis/experiments.h"
#include "sim/faults/world_for_test.h"

namespace sim::faults {
namespace {

using nlohmann::json;

constexpr const char* kRoles = "arn:aws:iam::123456789012:role/";

struct FisWorld : FaultWorld {
  FisWorld() {
    play({});
    fakes::fis::set_fault_injector(backend,
                                   [this]() -> fakes::fis::FaultInjector& { return *engine; });
  }
  std::pair<int, json> ask(const std::string& method, const std::string& path,
                           const json& body = json::object()) const {
    fakes::Request request =
        post(method == "GET" || method == "DELETE" ? "" : body.dump(),
             "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/fis/aws4_request, "
             "SignedHeaders=host, Signature=00");
    request.method_string(method);
    request.target(path);
    request.set("Content-Type", "application/json");
    if (backend.iam->decides()) {
      using namespace fakes::authorisation;
      request.set("Host", "fis.us-west-2.amazonaws.com");
      request.set("X-Amz-Date", "20191105T100000Z");
      TestIam::sign(request, kAdministrator, "fis", "us-west-2", "20191105T100000Z",
                    sha256_hex(request.body()));
    }
    const auto response = api(request).response;
    return {static_cast<int>(response.result_int()), json::parse(response.body(), nullptr, false)};
  }
  // Makes a template with one action. Returns its ID, or the message of its refusal.
  std::string plan(const std::string& action, const json& parameters, const std::string& key,
                   const json& target) const {
    json selected = {{"selectionMode", "ALL"}};
    selected.update(target);
    const auto [status, made] = ask(
        "POST", "/experimentTemplates",
        {{"clientToken", std::to_string(tokens++)},
         {"description", "d"},
         {"roleArn", std::string(kRoles) + "fis"},
         {"stopConditions", json::array({{{"source", "none"}}})},
         {"targets", {{"them", selected}}},
         {"actions",
          {{"act",
            {{"actionId", action}, {"parameters", parameters}, {"targets", {{key, "them"}}}}}}}});
    return status == 200 ? made["experimentTemplate"]["id"].get<std::string>()
                         : made.value("message", "");
  }
  std::string start(const std::string& action, const json& parameters, const std::string& key,
                    const json& target) {
    const auto [status, made] =
        ask("POST", "/experiments",
            {{"clientToken", std::to_string(tokens++)},
             {"experimentTemplateId", plan(action, parameters, key, target)}});
    EXPECT_EQ(status, 200) << made;
    pass(1s);
    return made["experiment"]["id"];
  }
  json state(const std::string& experiment) const {
    return ask("GET", "/experiments/" + experiment).second["experiment"]["state"];
  }
  json role() {
    sim::iam::Role made;
    made.name = "trainer";
    made.trust_policy =
        R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole",)"
        R"("Principal":{"Service":"ec2.amazonaws.com"}}]})";
    backend.iam->create_role(made);
    return {{"resourceType", "aws:iam:role"}, {"resourceArns", {std::string(kRoles) + "trainer"}}};
  }
  std::string code(const std::string& action) { return ec2(action).code(); }

  mutable int tokens = 0;
};

json api_error(const char* operations, const char* percentage = "100") {
  return {{"duration", "PT10M"},
          {"service", "ec2"},
          {"percentage", percentage},
          {"operations", operations}};
}

TEST(FisFaults, ThrottlesTheNamedOperationsUntilItsEnd) {
  FisWorld t;
  const std::string id =
      t.start("aws:fis:inject-api-throttle-error", api_error("DescribeVolumes, DescribeInstances"),
              "Roles", t.role());
  EXPECT_EQ(t.strikes(), 2U);
  EXPECT_EQ(t.of_kind("fault.strike")[0].fields["kind"], "api-error");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(t.code("DescribeVolumes"), "RequestLimitExceeded");
  EXPECT_EQ(t.code("DescribeSnapshots"), "");
  t.pass(10min);
  EXPECT_EQ(t.code("DescribeVolumes"), "");
  EXPECT_EQ(t.state(id)["status"], "completed");
}

TEST(FisFaults, AStoppedExperimentEndsItsFaults) {
  FisWorld t;
  const std::string id = t.start("aws:fis:inject-api-unavailable-error",
                                 api_error("DescribeVolumes"), "Roles", t.role());
  EXPECT_EQ(t.code("DescribeVolumes"), "Unavailable");
  EXPECT_EQ(t.ask("DELETE", "/experiments/" + id).first, 200);
  EXPECT_EQ(t.code("DescribeVolumes"), "");
  EXPECT_EQ(t.state(id)["status"], "stopping");
  t.pass(1s);
  EXPECT_EQ(t.state(id)["status"], "stopped");
}

TEST(FisFaults, APercentageOfTheCallsFails) {
  FisWorld t;
  t.start("aws:fis:inject-api-internal-error", api_error("DescribeVolumes", "30"), "Roles",
          t.role());
  int failed = 0;
  for (int i = 0; i < 400; ++i) failed += t.code("DescribeVolumes") == "InternalError";
  EXPECT_NEAR(failed, 120, 40);
}

TEST(FisFaults, AnInstanceOfAnotherRoleIsNotConcerned) {
  FisWorld t;
  const auto instance = t.spot();
  t.start("aws:fis:inject-api-internal-error", api_error("DescribeVolumes"), "Roles", t.role());
  EXPECT_EQ(t.ec2_of(instance.value, "DescribeVolumes").code(), "");
  EXPECT_EQ(t.code("DescribeVolumes"), "InternalError");
}

TEST(FisFaults, PausesTheVolumesOfAnInstance) {
  FisWorld t;
  const std::string id = t.instance(), volume = t.volume();
  t.ec2("AttachVolume", {{"VolumeId", volume}, {"InstanceId", id}, {"Device", "/dev/sdf"}});
  t.pass(1min);
  const json target = {{"resourceType", "aws:ec2:ebs-volume"},
                       {"resourceArns", {"arn:aws:ec2:us-west-2:123456789012:volume/" + volume}}};
  t.start("aws:ebs:pause-volume-io", {{"duration", "PT30S"}}, "Volumes", target);
  ASSERT_EQ(t.guests.inflicted.size(), 1U);
  EXPECT_EQ(t.guests.inflicted[0].first, id);
  EXPECT_EQ(t.guests.inflicted[0].second.what, guest::GuestFault::What::kPausedIo);
  EXPECT_EQ(t.guests.inflicted[0].second.lasts, Duration(30s));
  t.guests.unable = guest::GuestFault::What::kPausedIo;
  const std::string failed =
      t.start("aws:ebs:pause-volume-io", {{"duration", "PT30S"}}, "Volumes", target);
  EXPECT_EQ(t.state(failed)["status"], "failed");
}

TEST(FisFaults, AZoneHasNoSpotCapacity) {
  FisWorld t;
  const std::string id = t.start(
      "aws:ec2:api-insufficient-instance-capacity-error",
      {{"duration", "PT10M"}, {"availabilityZoneIdentifiers", "us-west-2b"}, {"percentage", "100"}},
      "Roles", t.role());
  const auto launched = [&] {
    return t
        .ec2("RunInstances", {{"ImageId", "ami-0123456789abcdef0"},
                              {"InstanceType", "p3.2xlarge"},
                              {"MinCount", "1"},
                              {"MaxCount", "1"},
                              {"Placement.AvailabilityZone", "us-west-2b"},
                              {"InstanceMarketOptions.MarketType", "spot"}})
        .code();
  };
  EXPECT_EQ(launched(), "InsufficientInstanceCapacity");
  t.ask("DELETE", "/experiments/" + id);
  EXPECT_EQ(launched(), "");
}

json instance_target(const std::string& id, const char* type = "aws:ec2:instance") {
  return {{"resourceType", type},
          {"resourceArns", {"arn:aws:ec2:us-west-2:123456789012:instance/" + id}}};
}

// The kinds of the strikes, in their order.
std::vector<std::string> struck_kinds(const FisWorld& t) {
  std::vector<std::string> kinds;
  for (const Event& line : t.of_kind("fault.strike")) kinds.push_back(line.fields["kind"]);
  return kinds;
}

TEST(FisFaults, AnInterruptionHasARecommendationAndANotice) {
  FisWorld t;
  const auto id = t.spot();
  const std::string experiment =
      t.start("aws:ec2:send-spot-instance-interruptions", {{"durationBeforeInterruption", "PT5M"}},
              "SpotInstances", instance_target(id.value, "aws:ec2:spot-instance"));
  EXPECT_EQ(t.state(experiment)["status"], "running");
  const auto& instance = t.cloud.instance(id);
  EXPECT_TRUE(instance.rebalance_recommended_at);
  t.pass(2min + 58s);
  EXPECT_FALSE(instance.interruption_notice_at);
  t.pass(1s);
  EXPECT_TRUE(instance.interruption_notice_at);
  EXPECT_EQ(struck_kinds(t), (std::vector<std::string>{"rebalance", "interrupt"}));
  EXPECT_EQ(t.of_kind("fault.strike")[1].fields["machine"], id.value);
  t.pass(2min);
  EXPECT_NE(instance.state, cloud::InstanceState::kRunning);
  EXPECT_EQ(t.state(experiment)["status"], "completed");
  EXPECT_EQ(t.ec2("DescribeSpotInstanceRequests").at("spotInstanceRequestSet/item/status/code"),
            "instance-terminated-by-experiment");
}

TEST(FisFaults, StopsInstancesAndStartsThemAgain) {
  FisWorld t;
  const cloud::InstanceId id{t.instance()};
  const auto begin = [&] {
    return t.start("aws:ec2:stop-instances", {{"startInstancesAfterDuration", "PT10M"}},
                   "Instances", instance_target(id.value));
  };
  const std::string experiment = begin();
  t.pass(5min);
  EXPECT_EQ(t.cloud.instance(id).state, cloud::InstanceState::kStopped);
  EXPECT_EQ(t.state(experiment)["status"], "running");
  t.pass(7min);
  EXPECT_EQ(t.cloud.instance(id).state, cloud::InstanceState::kRunning);
  EXPECT_EQ(t.state(experiment)["status"], "completed");
  t.ask("DELETE", "/experiments/" + begin());
  t.pass(5min);
  EXPECT_EQ(t.cloud.instance(id).state, cloud::InstanceState::kRunning) << "it starts at once";
  const std::string once = t.start("aws:ec2:stop-instances", json::object(), "Instances",
                                   instance_target(t.spot().value));
  EXPECT_EQ(t.state(once)["status"], "failed") << "a one-time spot request";
  EXPECT_EQ(struck_kinds(t), (std::vector<std::string>{"stop", "stop", "stop"}));
}

// As the action without completeIfInstancesTerminated.
TEST(FisFaults, FailsIfAStoppedInstanceCannotStartAgain) {
  FisWorld t;
  const cloud::InstanceId id{t.instance()};
  const std::string experiment =
      t.start("aws:ec2:stop-instances", {{"startInstancesAfterDuration", "PT10M"}}, "Instances",
              instance_target(id.value));
  t.pass(5min);
  t.cloud.terminate_instances({id});
  t.pass(4min);
  EXPECT_EQ(t.state(experiment)["status"], "running");
  t.pass(2min);
  EXPECT_EQ(t.state(experiment)["status"], "failed");
}

TEST(FisFaults, TerminatesAndRebootsInstances) {
  FisWorld t;
  const cloud::InstanceId id{t.instance()};
  t.start("aws:ec2:reboot-instances", json::object(), "Instances", instance_target(id.value));
  EXPECT_EQ(t.cloud.instance(id).state, cloud::InstanceState::kRunning);
  t.start("aws:ec2:terminate-instances", json::object(), "Instances", instance_target(id.value));
  EXPECT_EQ(t.cloud.instance(id).state, cloud::InstanceState::kShuttingDown);
  EXPECT_EQ(struck_kinds(t), (std::vector<std::string>{"reboot", "terminate"}));
}

TEST(FisFaults, CutsTheNetworkOfASubnet) {
  FisWorld t;
  const auto id = t.spot();
  const std::string& subnet = t.cloud.instance(id).spec.subnet_id;
  const json target = {{"resourceType", "aws:ec2:subnet"},
                       {"resourceArns", {"arn:aws:ec2:us-west-2:123456789012:subnet/" + subnet}}};
  const std::string experiment =
      t.start("aws:network:disrupt-connectivity", {{"duration", "PT5M"}, {"scope", "all"}},
              "Subnets", target);
  EXPECT_EQ(struck_kinds(t), std::vector<std::string>{"network-down"});
  EXPECT_EQ(t.ec2_of(id.value, "DescribeVolumes").code(), "NoAnswer");
  t.ask("DELETE", "/experiments/" + experiment);
  EXPECT_EQ(t.ec2_of(id.value, "DescribeVolumes").code(), "");
  for (const char* scope : {"dynamodb", "prefix-list", "s3express", ""})
    EXPECT_NE(t.plan("aws:network:disrupt-connectivity", {{"duration", "PT5M"}, {"scope", scope}},
                     "Subnets", target)
                  .find("Parameter scope"),
              std::string::npos)
        << scope;
}

// If IAM decides: a role with this statement as policy, and the service that may assume the role.
void decide_by_role(FisWorld& t, const std::string& trusted, const std::string& statement) {
  t.backend.iam->set_deciding({.policies = true});
  sim::iam::Role role;
  role.name = "fis";
  role.trust_policy =
      R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole",)"
      R"("Principal":{"Service":")" +
      trusted + R"("}}]})";
  t.backend.iam->create_role(role);
  t.backend.iam->put_policy(iam::Owner::kRole, "fis", "p",
                            R"({"Version":"2012-10-17","Statement":[)" + statement + "]}");
}

// The reason why an experiment that terminates an instance fails, with such a role. Empty: it does
// not fail.
std::string failure_of_role(const std::string& trusted, const std::string& allowed) {
  FisWorld t;
  const std::string id = t.instance();
  decide_by_role(t, trusted,
                 fakes::authorisation::allow(allowed, "arn:aws:ec2:*:*:instance/" + id));
  const std::string experiment =
      t.start("aws:ec2:terminate-instances", json::object(), "Instances", instance_target(id));
  const bool failed = t.state(experiment)["status"] == "failed";
  EXPECT_EQ(t.strikes(), failed ? 0U : 1U);
  EXPECT_EQ(t.of_kind("iam.denied").size(), failed ? 1U : 0U);
  const json shown = t.ask("GET", "/experiments/" + experiment).second["experiment"];
  return failed ? shown["state"]["reason"].get<std::string>() + " " +
                      shown["actions"]["act"]["state"]["reason"].get<std::string>()
                : "";
}

TEST(FisFaults, AnExperimentActsWithItsRole) {
  EXPECT_EQ(failure_of_role("fis.amazonaws.com", R"("ec2:TerminateInstances")"), "");
  EXPECT_EQ(failure_of_role("ec2.amazonaws.com", R"("*")"),
            "Unable to assume role arn:aws:iam::123456789012:role/fis. Initial state");
  EXPECT_EQ(failure_of_role("fis.amazonaws.com", R"("ec2:StopInstances")"),
            "Experiment failed to execute: one or more actions failed. Not authorized to perform "
            "the required action.");
}

// The condition of AWSFaultInjectionSimulatorNetworkAccess. Only a new resource has tags.
TEST(FisFaults, OnlyAnActionThatMakesAResourceTagsIt) {
  FisWorld t;
  const std::string id = t.instance();
  const std::string& subnet = t.cloud.instance({id}).spec.subnet_id;
  decide_by_role(
      t, "fis.amazonaws.com",
      R"({"Effect":"Allow","Action":["ec2:CreateNetworkAcl","ec2:TerminateInstances"],)"
      R"("Resource":"*","Condition":{"StringEquals":{"aws:RequestTag/managedByFIS":"true"}}},)" +
          fakes::authorisation::allow(R"("ec2:ReplaceNetworkAclAssociation")"));
  const auto status = [&](const std::string& experiment) {
    return t.state(experiment)["status"].get<std::string>();
  };
  EXPECT_EQ(status(t.start("aws:ec2:terminate-instances", json::object(), "Instances",
                           instance_target(id))),
            "failed");
  const json target = {{"resourceType", "aws:ec2:subnet"},
                       {"resourceArns", {"arn:aws:ec2:us-west-2:123456789012:subnet/" + subnet}}};
  EXPECT_EQ(status(t.start("aws:network:disrupt-connectivity",
                           {{"duration", "PT5M"}, {"scope", "all"}}, "Subnets", target)),
            "running");
}

TEST(FisFaults, RefusesInvalidParametersByName) {
  FisWorld t;
  const json role = t.role();
  const auto refusal = [&](const char* name, const json& value) {
    json parameters = api_error("DescribeVolumes");
    parameters[name] = value;
    return t.plan("aws:fis:inject-api-internal-error", parameters, "Roles", role);
  };
  for (const auto& [name, value] :
       {std::pair("duration", "PT30S"), std::pair("duration", "10m"), std::pair("service", "s3"),
        std::pair("percentage", "0"), std::pair("percentage", "a"),
        std::pair("operations", "DescribeAll"), std::pair("operations", "DescribeVolumes,,"),
        std::pair("other", "a")})
    EXPECT_NE(refusal(name, value).find(name), std::string::npos) << name << "=" << value;
}

}  // namespace
}  // namespace sim::faults
