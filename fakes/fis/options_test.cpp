// Options of experiments, parameters of targets, and logs in CloudWatch Logs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fakes/ec2/network/vpc.h"
#include "fakes/fis/fis_for_test.h"

namespace fakes {
namespace {

json terminating(const json& target) {
  return TestFis::plan("aws:ec2:terminate-instances", json::object(), "aws:ec2:instance",
                       "Instances", target);
}
const json kByTag = {{"resourceTags", {{"group", "none"}}}};

json logged(json planned, int version = 2) {
  planned["logConfiguration"] = {
      {"logSchemaVersion", version},
      {"cloudWatchLogsConfiguration",
       {{"logGroupArn", "arn:aws:logs:us-west-2:123456789012:log-group:fis:*"}}}};
  return planned;
}

// The records of an experiment.
std::vector<json> records_of(const TestFis& t, const std::string& experiment) {
  std::vector<json> records;
  for (const auto& event : t.backend.logs.stream("fis", "/aws/fis/" + experiment).events)
    records.push_back(json::parse(event.message));
  return records;
}

std::string types_of(const std::vector<json>& records) {
  std::string types;
  for (const json& record : records)
    types += (types.empty() ? "" : " ") + record["log_type"].get<std::string>();
  return types;
}

TEST(FisOptions, AnActionWithoutResourcesIsSkippedIfTheTemplateSaysSo) {
  TestFis t;
  json planned = terminating(kByTag);
  planned["actions"]["then"] = {{"actionId", "aws:fis:wait"},
                                {"parameters", {{"duration", "PT1M"}}},
                                {"startAfter", {"act"}}};
  int token = 0;
  const auto start = [&] {
    planned["clientToken"] = std::to_string(++token);
    return t.start(planned);
  };
  const auto status_soon = [&] {
    const std::string id = start();
    t.run(1s);
    return t.status(id);
  };
  EXPECT_EQ(status_soon(), "failed");
  planned["experimentOptions"] = {{"emptyTargetResolutionMode", "skip"}};
  const std::string id = start();
  t.run(30s);
  const json experiment = t.ask("GET", "/experiments/" + id).body["experiment"];
  EXPECT_EQ(experiment["state"]["status"], "running");
  EXPECT_EQ(experiment["actions"]["act"]["state"]["status"], "skipped");
  EXPECT_EQ(experiment["actions"]["then"]["state"]["status"], "running");
  t.run(1min);
  EXPECT_EQ(t.status(id), "completed");
  planned["targets"]["them"] = terminating(by_arn("i-0"))["targets"]["them"];
  EXPECT_EQ(status_soon(), "failed") << "targets with ARNs must exist";
}

TEST(FisOptions, APreviewOfTargetsSkipsAllActions) {
  TestFis t;
  const std::string instance = t.instance();
  const std::string made = t.ask("POST", "/experimentTemplates", terminating(by_arn(instance)))
                               .body["experimentTemplate"]["id"];
  const json started = t.ask("POST", "/experiments",
                             {{"clientToken", "c"},
                              {"experimentTemplateId", made},
                              {"experimentOptions", {{"actionsMode", "skip-all"}}}})
                           .body["experiment"];
  const json options = {{"accountTargeting", "single-account"},
                        {"emptyTargetResolutionMode", "fail"},
                        {"actionsMode", "skip-all"}};
  EXPECT_EQ(started["experimentOptions"], options);
  t.run(1s);
  const std::string id = started["id"];
  EXPECT_EQ(t.status(id), "completed");
  EXPECT_EQ(t.ask("GET", "/experiments").body["experiments"][0]["experimentOptions"], options);
  EXPECT_TRUE(t.recorder.faults.empty());
}

TEST(FisOptions, RefusesOptionsThatItLacks) {
  const TestFis t;
  json planned = terminating(kByTag);
  for (const json& options :
       {json{{"accountTargeting", "multi-account"}}, json{{"emptyTargetResolutionMode", "maybe"}},
        json{{"actionsMode", "skip-all"}}}) {
    planned["experimentOptions"] = options;
    EXPECT_EQ(t.ask("POST", "/experimentTemplates", planned).status, 400) << options;
  }
}

TEST(FisOptions, AnUpdateKeepsTheAccountTargeting) {
  const TestFis t;
  const std::string made = t.ask("POST", "/experimentTemplates", terminating(by_arn("i-0")))
                               .body["experimentTemplate"]["id"];
  const auto update = [&](const json& options) {
    return t.ask("PATCH", "/experimentTemplates/" + made, {{"experimentOptions", options}});
  };
  EXPECT_EQ(update({{"accountTargeting", "single-account"}}).status, 400);
  const auto updated = update({{"emptyTargetResolutionMode", "skip"}});
  EXPECT_EQ(updated.body["experimentTemplate"]["experimentOptions"],
            (json{{"accountTargeting", "single-account"}, {"emptyTargetResolutionMode", "skip"}}));
}

TEST(FisLog, RecordsTargetsAndActions) {
  TestFis t;
  t.backend.logs.create_group("fis");
  const std::string instance = t.instance();
  json planned = logged(terminating(by_arn(instance)));
  planned["actions"]["wait"] = {{"actionId", "aws:fis:wait"},
                                {"parameters", {{"duration", "PT1M"}}}};
  const std::string id = t.start(planned);
  t.run(2min);
  const std::vector<json> records = records_of(t, id);
  ASSERT_EQ(types_of(records),
            "experiment-start target-resolution-start target-resolution-detail "
            "target-resolution-end action-start action-start action-end action-end "
            "experiment-end");
  EXPECT_EQ(records[0]["id"], id);
  EXPECT_EQ(records[0]["version"], "2");
  EXPECT_EQ(records[2]["details"]["resolved_targets_count"], 1);
  const json found = {{{"arn", "arn:aws:ec2:us-west-2:123456789012:instance/" + instance}}};
  EXPECT_EQ(records[3]["details"]["resolved_targets"], found);
  EXPECT_EQ(records[4]["details"]["action_targets"], (json{{"Instances", "them"}}));
  EXPECT_EQ(records[5]["details"]["parameters"], (json{{"duration", "PT1M"}}));
  EXPECT_EQ(records[7]["details"]["action_state"]["status"], "completed");
  EXPECT_EQ(records[8]["details"]["experiment_state"]["status"], "completed");
}

TEST(FisLog, RecordsFailures) {
  TestFis t;
  t.backend.logs.create_group("fis");
  std::string id = t.start(logged(terminating(kByTag)));
  t.run(1s);
  std::vector<json> records = records_of(t, id);
  ASSERT_EQ(records.size(), 5U) << types_of(records);
  EXPECT_EQ(records[2]["details"]["status"], "failed");
  EXPECT_NE(records[3]["details"].value("error_information", ""), "");
  EXPECT_EQ(records[4]["details"]["experiment_state"]["status"], "failed");
  t.recorder.refuses = true;
  id = t.start(logged(terminating(by_arn(t.instance()))));
  t.run(1s);
  records = records_of(t, id);
  ASSERT_EQ(records.size(), 8U) << types_of(records);
  EXPECT_EQ(records[5]["log_type"], "action-error");
  EXPECT_EQ(records[5]["details"]["action_state"]["reason"], "It refuses.");
  EXPECT_EQ(records[6]["details"]["action_state"]["status"], "failed");
}

TEST(FisLog, TheFirstVersionListsArns) {
  TestFis t;
  t.backend.logs.create_group("fis");
  const std::string instance = t.instance();
  const std::string id = t.start(logged(terminating(by_arn(instance)), 1));
  t.run(1s);
  const std::vector<json> records = records_of(t, id);
  ASSERT_EQ(types_of(records),
            "experiment-start target-resolution-start target-resolution-end action-start "
            "action-end experiment-end");
  EXPECT_EQ(records[2]["details"]["resolved_targets"],
            json::array({"arn:aws:ec2:us-west-2:123456789012:instance/" + instance}));
}

TEST(FisLog, NeedsAGroupThatExists) {
  TestFis t;
  const std::string id = t.start(logged(terminating(by_arn(t.instance()))));
  t.run(1s);
  EXPECT_EQ(t.status(id), "failed");
  EXPECT_TRUE(t.recorder.faults.empty());
  EXPECT_EQ(t.ask("POST", "/experimentTemplates", logged(terminating(kByTag), 3)).status, 400);
  json elsewhere = logged(terminating(kByTag));
  elsewhere["logConfiguration"]["cloudWatchLogsConfiguration"]["logGroupArn"] =
      "arn:aws:logs:eu-west-1:123456789012:log-group:fis";
  EXPECT_EQ(t.ask("POST", "/experimentTemplates", elsewhere).status, 400);
}

// The ARNs that a preview of the template's targets shows.
json preview(TestFis& t, const json& planned) {
  const auto made = t.ask("POST", "/experimentTemplates", logged(planned, 1));
  EXPECT_EQ(made.status, 200) << made.body;
  const json started = t.ask("POST", "/experiments",
                             {{"clientToken", planned.dump()},
                              {"experimentTemplateId", made.body["experimentTemplate"]["id"]},
                              {"experimentOptions", {{"actionsMode", "skip-all"}}}})
                           .body["experiment"];
  EXPECT_EQ(started["targets"]["them"]["parameters"], planned["targets"]["them"]["parameters"]);
  t.run(1s);
  return records_of(t, started["id"]).at(2)["details"]["resolved_targets"];
}

TEST(FisTargets, ParametersChooseThem) {
  TestFis t;
  t.backend.logs.create_group("fis");
  const auto volume = [&](const char* zone) {
    return t.ec2("CreateVolume", {{"AvailabilityZone", zone}, {"Size", "8"}}).at("volumeId");
  };
  volume("us-west-2a");
  const std::string in_b = "arn:aws:ec2:us-west-2:123456789012:volume/" + volume("us-west-2b");
  t.run(1min);
  const auto volumes = [&](const json& parameters) {
    return TestFis::plan("aws:ebs:pause-volume-io", {{"duration", "PT1M"}}, "aws:ec2:ebs-volume",
                         "Volumes", {{"parameters", parameters}});
  };
  EXPECT_EQ(preview(t, volumes({{"availabilityZoneIdentifier", "us-west-2b"}})),
            json::array({in_b}));
  EXPECT_EQ(t.ask("POST", "/experimentTemplates", volumes({{"vpc", "vpc-1"}})).status, 400)
      << "volumes are in no VPC";
  const auto subnets = [&](const json& parameters) {
    return TestFis::plan("aws:network:disrupt-connectivity",
                         {{"duration", "PT1M"}, {"scope", "all"}}, "aws:ec2:subnet", "Subnets",
                         {{"parameters", parameters}});
  };
  const json by_name = preview(t, subnets({{"availabilityZoneIdentifier", "us-west-2b"}}));
  EXPECT_EQ(by_name.size(), 1U);
  EXPECT_EQ(preview(t, subnets({{"availabilityZoneIdentifier", ec2::zone_id("us-west-2b")}})),
            by_name);
  EXPECT_EQ(t.ask("GET", "/targetResourceTypes/" + url_encode("aws:ec2:subnet"))
                .body["targetResourceType"]["parameters"]
                .size(),
            2U);
}

TEST(FisLog, AnExperimentThatNeverRanHasNone) {
  TestFis t;
  t.backend.logs.create_group("fis");
  const std::string id = t.start(logged(terminating(by_arn(t.instance()))));
  ASSERT_EQ(t.ask("DELETE", "/experiments/" + id).status, 200);
  t.run(1min);
  EXPECT_TRUE(t.backend.logs.groups().at("fis").streams.empty());
}

TEST(FisLog, AnUpdateMayChangeAPartOfIt) {
  const TestFis t;
  const json made =
      t.ask("POST", "/experimentTemplates", logged(terminating(kByTag))).body["experimentTemplate"];
  const auto updated = t.ask("PATCH", "/experimentTemplates/" + made["id"].get<std::string>(),
                             {{"logConfiguration", {{"logSchemaVersion", 1}}}});
  ASSERT_EQ(updated.status, 200) << updated.body;
  const json& log = updated.body["experimentTemplate"]["logConfiguration"];
  EXPECT_EQ(log["logSchemaVersion"], 1);
  EXPECT_EQ(log["cloudWatchLogsConfiguration"],
            made["logConfiguration"]["cloudWatchLogsConfiguration"]);
}

TEST(FisLog, AnUpdateWithoutADestinationEndsIt) {
  const TestFis t;
  const json made =
      t.ask("POST", "/experimentTemplates", logged(terminating(kByTag))).body["experimentTemplate"];
  EXPECT_EQ(made["logConfiguration"]["logSchemaVersion"], 2);
  const auto updated = t.ask("PATCH", "/experimentTemplates/" + made["id"].get<std::string>(),
                             {{"logConfiguration", json::object()}});
  ASSERT_EQ(updated.status, 200) << updated.body;
  EXPECT_FALSE(updated.body["experimentTemplate"].contains("logConfiguration")) << updated.body;
}

}  // namespace
}  // namespace fakes
