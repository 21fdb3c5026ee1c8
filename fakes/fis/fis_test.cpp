// Experiments without a socket, and boto3 as a client that interrupts instances.
#include "fakes/client_programs_for_test.h"
#include "fakes/cloudwatch/monitoring.h"
#include "fakes/fis/fis_for_test.h"

namespace fakes {
namespace {

TEST(Fis, ATargetIsChosenByTagFilterAndMode) {
  TestFis t;
  std::vector<std::string> ids;
  for (int i = 0; i < 4; ++i)
    ids.push_back(t.instance({{"TagSpecification.1.ResourceType", "instance"},
                              {"TagSpecification.1.Tag.1.Key", "group"},
                              {"TagSpecification.1.Tag.1.Value", i < 3 ? "a" : "b"}}));
  const auto terminate = [&](const json& target) {
    return TestFis::plan("aws:ec2:terminate-instances", json::object(), "aws:ec2:instance",
                         "Instances", target);
  };
  t.start(terminate({{"resourceTags", {{"group", "a"}}}, {"selectionMode", "PERCENT(67)"}}));
  t.run(1s);
  ASSERT_EQ(t.recorder.faults.size(), 2U);
  for (const auto& fault : t.recorder.faults) {
    EXPECT_EQ(fault.kind, "terminate");
    EXPECT_NE(fault.machine, ids[3]) << "it has another tag";
  }
  const json zone = {{"path", "Placement.AvailabilityZone"}, {"values", {"us-west-2b"}}};
  t.start(terminate({{"filters", json::array({zone})}, {"selectionMode", "COUNT(1)"}}));
  t.run(1s);
  EXPECT_EQ(t.recorder.faults.size(), 3U);
  const std::string none = t.start(terminate(by_arn("i-0")));
  t.run(1s);
  EXPECT_EQ(t.status(none), "failed");
}

TEST(Fis, AnExperimentCanBeStoppedBeforeTheNotice) {
  TestFis t;
  const std::string id = t.spot();
  json planned = TestFis::plan("aws:ec2:send-spot-instance-interruptions",
                               {{"durationBeforeInterruption", "PT2M"}}, "aws:ec2:spot-instance",
                               "SpotInstances", by_arn(id));
  planned["actions"]["act"]["startAfter"] = {"pause"};
  planned["actions"]["pause"] = {{"actionId", "aws:fis:wait"},
                                 {"parameters", {{"duration", "PT5M"}}}};
  const std::string experiment = t.start(planned);
  t.run(4min);
  for (int time = 0; time < 2; ++time) {
    const auto stopped = t.ask("DELETE", "/experiments/" + experiment);
    EXPECT_EQ(stopped.body["experiment"]["state"]["status"], "stopping") << stopped.body;
    EXPECT_EQ(stopped.body["experiment"]["arn"],
              "arn:aws:fis:us-west-2:123456789012:experiment/" + experiment);
  }
  t.run(10min);
  EXPECT_EQ(t.ask("DELETE", "/experiments/" + experiment).status, 400);
  EXPECT_TRUE(t.recorder.faults.empty());
  EXPECT_EQ(t.status(experiment), "stopped");
}

TEST(Fis, AnInterruptionsExperimentIsCompletedWhenTheNoticeIsSent) {
  TestFis t;
  const std::string experiment = t.start(TestFis::plan(
      "aws:ec2:send-spot-instance-interruptions", {{"durationBeforeInterruption", "PT135S"}},
      "aws:ec2:spot-instance", "SpotInstances", by_arn(t.spot())));
  t.run(14s);
  EXPECT_EQ(t.status(experiment), "running");
  t.run(1s);
  EXPECT_EQ(t.status(experiment), "completed");
  ASSERT_EQ(t.recorder.faults.size(), 2U);
  EXPECT_EQ(t.recorder.faults[1].after, 15s);
}

TEST(Fis, NamesUnsupportedPartsInItsRefusals) {
  TestFis t;
  const auto refused = [&](json planned) {
    const auto answer = t.ask("POST", "/experimentTemplates", planned);
    EXPECT_EQ(answer.status, 400);
    return answer.body.value("message", "");
  };
  json planned =
      TestFis::plan("aws:ecs:stop-task", json::object(), "aws:ecs:task", "Tasks", by_arn("i-0"));
  EXPECT_NE(refused(planned).find("aws:ecs:task is not part"), std::string::npos);
  planned["targets"]["them"]["resourceType"] = "aws:ec2:instance";
  EXPECT_NE(refused(planned).find("aws:ecs:stop-task is not part"), std::string::npos);
  planned = TestFis::plan("aws:ec2:reboot-instances", json::object(), "aws:ec2:instance",
                          "Instances", by_arn("i-0"));
  for (const json& condition :
       {json::object({{"source", "aws:cloudwatch:alarm"}, {"value", "an-alarm-without-its-arn"}}),
        json::object({{"source", "budget"}})}) {
    planned["stopConditions"] = json::array({condition});
    EXPECT_NE(refused(planned).find("Stop conditions"), std::string::npos);
  }
}

TEST(Fis, TheCatalogueHasTheActionsAndTheirTargets) {
  const TestFis t;
  const json all = t.ask("GET", "/actions").body["actions"];
  ASSERT_EQ(all.size(), 11U);
  EXPECT_EQ(all[0]["id"], "aws:ebs:pause-volume-io");
  EXPECT_EQ(all[0]["targets"]["Volumes"]["resourceType"], "aws:ec2:ebs-volume");
  const json page = t.ask("GET", "/actions?maxResults=10").body;
  const std::string token = page["nextToken"];
  EXPECT_EQ(t.ask("GET", "/actions?nextToken=" + url_encode(token)).body["actions"][0], all[10]);
  const json stop = t.ask("GET", "/actions/" + url_encode("aws:ec2:stop-instances")).body["action"];
  EXPECT_EQ(stop["parameters"]["startInstancesAfterDuration"]["required"], false);
  EXPECT_EQ(t.ask("GET", "/actions/" + url_encode("aws:ecs:stop-task")).status, 404);
  EXPECT_EQ(t.ask("GET", "/targetResourceTypes").body["targetResourceTypes"].size(), 5U);
  const auto type = t.ask("GET", "/targetResourceTypes/" + url_encode("aws:ec2:subnet"));
  EXPECT_EQ(type.body["targetResourceType"]["resourceType"], "aws:ec2:subnet");
  EXPECT_EQ(t.ask("GET", "/targetResourceTypes/" + url_encode("aws:rds:db")).status, 404);
}

TEST(Fis, AnAlarmStopsAnExperimentAndKeepsAnotherFromItsActions) {
  TestFis t;
  cloudwatch::Monitoring& monitoring = cloudwatch::monitoring(t.backend);
  sim::monitoring::AlarmSettings settings;
  settings.name = "a";
  settings.metric = {.space = "own", .name = "m"};
  monitoring.alarms.put(settings, {});
  const std::string id = t.spot();
  json planned =
      TestFis::plan("aws:fis:wait", {{"duration", "PT1H"}}, "aws:ec2:instance", "", json::object());
  planned["targets"] = json::object();
  planned["actions"]["act"].erase("targets");
  planned["stopConditions"] = json::array(
      {{{"source", "aws:cloudwatch:alarm"}, {"value", monitoring.alarms.alarm("a").arn}}});
  const std::string waiting = t.start(planned);
  t.run(1min);
  EXPECT_EQ(t.status(waiting), "running");
  monitoring.alarms.set_state("a", sim::monitoring::AlarmState::kAlarm, "test", "");
  EXPECT_EQ(t.status(waiting), "stopping");
  t.run(1s);
  EXPECT_EQ(t.status(waiting), "stopped");
  json reboot = TestFis::plan("aws:ec2:terminate-instances", json::object(), "aws:ec2:instance",
                              "Instances", by_arn(id));
  reboot["stopConditions"] = planned["stopConditions"];
  const std::string late = t.start(reboot);
  t.run(1min);
  EXPECT_EQ(t.status(late), "stopped");
  EXPECT_TRUE(t.recorder.faults.empty());
}

using FisClients = ClientPrograms;

TEST_F(FisClients, Boto3InterruptsASpotInstance) {
  Recorder recorder(t.backend);
  const std::string id = spot_of(t);
  python(R"py(
import os, boto3
fis, ec2 = (boto3.client(name, endpoint_url=os.environ["ENDPOINT"]) for name in ("fis", "ec2"))
id = ec2.describe_instances()["Reservations"][0]["Instances"][0]["InstanceId"]
template = fis.create_experiment_template(
    description="interrupt", roleArn="arn:aws:iam::123456789012:role/fis",
    stopConditions=[{"source": "none"}], tags={"Name": "interrupter"},
    targets={"them": {"resourceType": "aws:ec2:spot-instance", "selectionMode": "COUNT(1)",
                      "filters": [{"path": "State.Name", "values": ["running"]}],
                      "resourceArns": ["arn:aws:ec2:us-west-2:123456789012:instance/" + id]}},
    actions={"interrupt": {"actionId": "aws:ec2:send-spot-instance-interruptions",
                           "parameters": {"durationBeforeInterruption": "PT3M"},
                           "targets": {"SpotInstances": "them"}}})["experimentTemplate"]
assert fis.list_experiment_templates()["experimentTemplates"][0]["tags"] == {"Name": "interrupter"}
started = fis.start_experiment(experimentTemplateId=template["id"])["experiment"]
assert started["state"]["status"] == "initiating", started
assert fis.get_experiment(id=started["id"])["experiment"]["state"]["status"] == "running"
fis.update_experiment_template(id=template["id"], description="another")
listed = fis.list_experiments(maxResults=5)["experiments"]
assert [e["id"] for e in listed] == [started["id"]]
fis.delete_experiment_template(id=template["id"])
try:
    fis.get_experiment_template(id=template["id"])
    raise SystemExit("found")
except fis.exceptions.ResourceNotFoundException:
    pass
)py");
  ASSERT_EQ(recorder.faults.size(), 2U);
  EXPECT_EQ(recorder.faults[0].kind, "rebalance");
  EXPECT_EQ(recorder.faults[1].kind, "interrupt");
  EXPECT_EQ(recorder.faults[1].machine, id);
}

}  // namespace
}  // namespace fakes
