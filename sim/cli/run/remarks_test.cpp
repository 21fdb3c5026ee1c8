#include "sim/cli/run/remarks.h"

#include <gtest/gtest.h>

#include "sim/events/read.h"

namespace sim::cli {
namespace {

std::vector<std::string> remarks_on(const std::vector<Event>& events) {
  events::Listeners log;
  Remarks remarks;
  remarks.listen(log);
  for (const Event& event : events) events::tell(log, event);
  return remarks.all();
}

Event call(const std::string& caller, const std::string& result) {
  return {{}, "api.call", {{"action", "RunInstances"}, {"caller", caller}, {"result", result}}};
}

const Event kLaunch{{}, "instance.state", {{"instance_id", "i-1"}, {"from", ""}}};

TEST(Remarks, ARunThatLaunchedAnInstanceGetsNone) {
  EXPECT_TRUE(remarks_on({call("operator", "Throttling"), kLaunch}).empty());
}

TEST(Remarks, ARunWithoutAnInstanceListsRefusedCalls) {
  const auto said = remarks_on({call("operator", "InvalidParameterValue"), call("operator", "ok"),
                                call("operator", "InvalidParameterValue"), call("i-1", "Other")});
  EXPECT_EQ(said,
            (std::vector<std::string>{
                "no instance was ever launched; AWS refused the operator's calls RunInstances "
                "(InvalidParameterValue); a script without `set -e` continues after a command has "
                "failed"}));
  EXPECT_EQ(remarks_on({}).at(0).find("refused"), std::string::npos);
}

TEST(Remarks, MissingPermissionsAreNamedWithTheirCallers) {
  const Event denied{{}, "iam.denied", {{"action", "ec2:AttachVolume"}, {"caller", "i-1"}}};
  EXPECT_EQ(remarks_on({kLaunch, denied, denied}),
            (std::vector<std::string>{"IAM refused calls; the missing permissions are "
                                      "ec2:AttachVolume (i-1) (docs/iam.md)"}));
}

TEST(Remarks, AlarmsOfMetricsWithoutDataAreNamedOnce) {
  const Event alarm{{}, "alarm.without-data", {{"alarm", "idle"}, {"metric", "AWS/EC2 NetworkIn"}}};
  EXPECT_EQ(remarks_on({kLaunch, alarm, alarm}),
            (std::vector<std::string>{
                "the metrics of these alarms have no data here: idle (AWS/EC2 NetworkIn); of EC2's "
                "metrics only CPUUtilization and status checks have data; let a script measure and "
                "call PutMetricData (docs/events-and-queues.md)"}));
}

TEST(Remarks, AlarmsOnCpuUseThatCouldNotSeeTheTrainingAreNamed) {
  const Event put{{},
                  "api.call",
                  {{"service", "monitoring"},
                   {"action", "PutMetricAlarm"},
                   {"caller", "operator"},
                   {"result", "ok"},
                   {"request", {{"AlarmName", "idle"}, {"MetricName", "CPUUtilization"}}}}};
  const Event acted{
      {},
      "alarm.action",
      {{"alarm", "idle"}, {"action", "arn:aws:automate:us-west-2:ec2:stop"}, {"result", "ok"}}};
  const Event step{{}, "trainer.step", {{"instance_id", "i-1"}, {"step", 1}}};
  EXPECT_EQ(remarks_on({kLaunch, put, acted}),
            (std::vector<std::string>{
                "these alarms on CPUUtilization acted though no program had reported training: "
                "idle; an instance without progress lines counts as idle (docs/foreign-jobs.md)"}));
  EXPECT_TRUE(remarks_on({kLaunch, put, step, acted}).empty());
  EXPECT_TRUE(remarks_on({kLaunch, acted}).empty()) << "of another metric";
}

TEST(Remarks, AFailedScriptGetsNoHintAboutSetE) {
  const auto exit = [](int status) {
    return Event{{}, "guest.exit", {{"machine", "operator"}, {"status", status}}};
  };
  EXPECT_EQ(remarks_on({call("operator", "AuthFailure"), exit(254)}),
            (std::vector<std::string>{"no instance was ever launched; AWS refused the operator's "
                                      "calls RunInstances (AuthFailure)"}));
  EXPECT_NE(remarks_on({exit(0)}).at(0).find("set -e"), std::string::npos);
}

TEST(Remarks, CloudInitWarningsAreReportedOnceAnInstance) {
  const auto warned = [](const char* machine, const char* warning) {
    return Event{{}, "guest.user-data", {{"machine", machine}, {"warning", warning}}};
  };
  const auto said = remarks_on(
      {kLaunch, warned("i-1", "Unhandled non-multipart (text/x-not-multipart) userdata: 'b'x'...'"),
       warned("i-2", "the key apt does nothing here"), warned("i-2", "another")});
  EXPECT_EQ(said,
            (std::vector<std::string>{
                "i-1: its user data was not run, because it does not begin with `#!` (such "
                "as #!/bin/bash)",
                "i-2: cloud-init reports about its user data: the key apt does nothing here"}));
}

TEST(Remarks, InvalidProgressLinesAreCountedAndTheFirstIsShown) {
  const auto bad = [](const std::string& line) {
    return Event{{},
                 "guest.bad-event",
                 {{"instance_id", "i-1"}, {"line", line}, {"why", "expected a JSON object"}}};
  };
  EXPECT_EQ(remarks_on({kLaunch, bad("step 1"), bad("step 2")}),
            (std::vector<std::string>{
                "2 of the lines in $JOB_EVENTS were ignored, the first of i-1: step 1: expected a "
                "JSON object; docs/event-log.md describes the format"}));
}

TEST(Remarks, AMissingCommandIsReportedAtOnceAndOnlyOnce) {
  events::Listeners log;
  Remarks remarks;
  std::vector<std::string> said;
  remarks.listen(log, [&said](const std::string& text) { said.push_back(text); });
  const auto error = [&log](const char* machine, int status, const char* message) {
    log.tell(events::AnyEvent(
        events::GuestCommandError{.machine = machine, .status = status, .message = message}));
  };
  error("i-1", 127, "line 6: nosuch: command not found");
  error("i-2", 127, "line 6: nosuch: command not found");
  error("i-2", 128, "fatal: no such repository");
  EXPECT_EQ(said, (std::vector<std::string>{
                      "i-1: a command is missing: line 6: nosuch: command not found",
                      "i-2: git clone failed: fatal: no such repository"}));
}

}  // namespace
}  // namespace sim::cli
