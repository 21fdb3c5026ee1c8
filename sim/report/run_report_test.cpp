#include "sim/report/run_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files/folder_for_test.h"
#include "sim/events/read.h"
#include "sim/report/marks.h"
#include "sim/result/log_builder_for_test.h"
#include "sim/result/result_of_log.h"

namespace sim::report {
namespace {

using result::LogBuilder;

void write_log(const base::FolderForTest& folder, const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += to_line(event) + "\n";
  base::write_content(folder / "events.jsonl", text);
}

Json report_of(const std::vector<Event>& events, const result::InvariantRules& rules = {}) {
  const base::FolderForTest folder;
  write_log(folder, events);
  base::write_content(folder / "result.json",
                      result::to_json(result::result_of(events, rules)).dump(2));
  base::write_content(folder / "command.txt", "spotsim run a.yaml --seed 7\n");
  return run_report(folder);
}

const Json& lane(const Json& report, const std::string& id) {
  for (const Json& lane : report["lanes"])
    if (lane["id"] == id) return lane;
  throw std::runtime_error("no lane " + id);
}

// The spans as "boot 30-70" and so on, in seconds.
std::string spans(const Json& lane) {
  std::string text;
  for (const Json& span : lane["spans"])
    text += span["what"].get<std::string>() + " " + std::to_string(span["from"].get<int>()) + "-" +
            std::to_string(span["to"].get<int>()) + " ";
  return text;
}

std::vector<Json> marks(const Json& report, const std::string& kind) {
  std::vector<Json> found;
  for (const Json& mark : report["marks"])
    if (mark["kind"] == kind) found.push_back(mark);
  return found;
}

TEST(RunReport, AnInstancesLaneShowsItsTime) {
  const Json report = report_of(result::interrupted_once().events());
  EXPECT_EQ(spans(lane(report, "i-1")),
            "pending 10-30 boot 30-70 migrate 70-100 restore 100-110 train_kept 110-130 "
            "checkpoint 130-134 train_lost 134-166 notice_idle 166-275 ");
  EXPECT_EQ(lane(report, "i-1")["pool"], "p3.2xlarge/us-west-2b");
  EXPECT_EQ(report["time"]["seconds"], 500);
  EXPECT_EQ(report["command"], "spotsim run a.yaml --seed 7");
}

TEST(RunReport, ALaneShowsThatAnInstanceIsStopped) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b", "on-demand").running(10s, "i-1").boot(20s, "i-1");
  log.stopping(60s, "i-1").charge(60s, "i-1", 10s, 60s).stopped(75s, "i-1");
  const std::string begin = "pending 0-10 prepare 10-60 stopped 60-";
  LogBuilder stays = log;
  EXPECT_EQ(spans(lane(report_of(stays.end("deadline", 900s).events()), "i-1")), begin + "900 ");
  log.pending(600s, "i-1").running(620s, "i-1").charge(900s, "i-1", 620s, 900s);
  EXPECT_EQ(spans(lane(report_of(log.end("deadline", 900s).events()), "i-1")),
            begin + "600 pending 600-620 prepare 620-900 ");
}

TEST(RunReport, SpansAddUpToTheTimeLedger) {
  const Json report = report_of(result::interrupted_once().events());
  std::map<std::string, double> sums;
  for (const Json& lane : report["lanes"])
    for (const Json& span : lane["spans"])
      sums[span["what"]] += span["to"].get<double>() - span["from"].get<double>();
  for (const auto& [column, seconds] : report["result"]["time_ledger_seconds"].items()) {
    if (column == "billed" || column == "waiting") continue;
    EXPECT_DOUBLE_EQ(sums[column], seconds.get<double>()) << column;
  }
}

TEST(RunReport, AMarkAndASpanHaveTheirLinesOfTheLog) {
  const Json report = report_of(result::interrupted_once().events());
  const Json notice = marks(report, "notice").at(0);
  EXPECT_EQ(notice["lane"], "i-1");
  EXPECT_EQ(notice["at"], 155);
  const auto line = [&](const Json& number) {
    return parse_event(report["lines"][std::to_string(number.get<int>())].get<std::string>());
  };
  EXPECT_EQ(line(notice["line"]).kind, "instance.notice");
  const Json& lost = lane(report, "i-1")["spans"][6];
  EXPECT_EQ(line(lost["lines"][0]).kind, "trainer.checkpoint-durable");
  EXPECT_EQ(line(lost["lines"][1]).kind, "trainer.stop");
}

TEST(RunReport, TheCurveHasTheStepsThatWereDoneTwice) {
  const Json curve = report_of(result::interrupted_once().events())["training"];
  ASSERT_EQ(curve.size(), 2u);
  EXPECT_EQ(curve[0]["kept_through"], 100);
  EXPECT_EQ(curve[0]["steps"].back(), Json({164, 103}));
  EXPECT_EQ(curve[1]["start_step"], 100);
  EXPECT_EQ(curve[1]["kept_through"], 104);
}

TEST(RunReport, ALongSessionIsThinnedAndKeepsItsLastStepAndItsLoss) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(30s, "i-1", "start", 0);
  for (int step = 1; step <= 5000; ++step)
    log.add(30s + 1s * step, "trainer.step",
            {{"instance_id", "i-1"}, {"step", step}, {"loss", 1.0 / step}});
  const Json curve = report_of(log.end("deadline", 6000s).events())["training"];
  EXPECT_LE(curve[0]["steps"].size(), 502u);
  EXPECT_EQ(curve[0]["steps"].back(), Json({5030, 5000}));
  EXPECT_EQ(curve[0]["loss"].back()[1], 1.0 / 5000);
}

TEST(RunReport, AVolumeThatMovesToAnotherZoneHops) {
  LogBuilder log;
  const auto volume = [&](Duration at, const char* id, const char* from, const char* to,
                          const char* zone, const char* snapshot) {
    log.add(at, "volume.state",
            {{"volume_id", id},
             {"from", from},
             {"to", to},
             {"availability_zone", zone},
             {"snapshot_id", snapshot}});
  };
  log.start();
  volume(10s, "vol-1", "", "creating", "us-west-2b", "");
  volume(20s, "vol-1", "creating", "available", "", "");
  log.add(30s, "snapshot.state",
          {{"snapshot_id", "snap-1"}, {"from", ""}, {"to", "pending"}, {"volume_id", "vol-1"}});
  volume(40s, "vol-2", "", "creating", "us-west-2a", "snap-1");
  volume(50s, "vol-1", "available", "deleting", "", "");
  volume(60s, "vol-1", "deleting", "deleted", "", "");
  const Json report = report_of(log.end("completed", 100s).events());
  EXPECT_EQ(spans(lane(report, "vol-1")), "creating 10-20 available 20-50 deleting 50-60 ");
  EXPECT_EQ(spans(lane(report, "vol-2")), "creating 40-100 ");
  const Json hop = marks(report, "hop").at(0);
  EXPECT_EQ(hop["lane"], "vol-2");
  EXPECT_EQ(hop["text"], "data hops from us-west-2b to us-west-2a through snap-1");
  EXPECT_EQ(marks(report, "snapshot").at(0)["lane"], "vol-1");
}

TEST(RunReport, PoolsThatWereUsedComeFirst) {
  LogBuilder log;
  log.start();
  const auto pool = [](const char* zone, const char* key, const Json& value) {
    return Json{{"instance_type", "p3.2xlarge"}, {"availability_zone", zone}, {key, value}};
  };
  log.add(0s, "price", pool("us-west-2a", "price", "0.9"));
  log.add(0s, "price", pool("us-west-2b", "price", "0.5"));
  log.add(5s, "capacity", pool("us-west-2b", "slots", 3));
  log.add(9s, "capacity", pool("us-west-2b", "slots", nullptr));
  log.launch(10s, "i-1", "us-west-2b");
  const Json pools = report_of(log.end("stuck", 100s).events())["pools"];
  EXPECT_EQ(pools[0]["pool"], "p3.2xlarge/us-west-2b");
  EXPECT_EQ(pools[0]["used"], true);
  EXPECT_EQ(pools[0]["prices"], Json::parse("[[0.0, 0.5]]"));
  EXPECT_EQ(pools[0]["capacity"], Json::parse("[[5.0, 3], [9.0, null]]"));
  EXPECT_EQ(pools[1]["used"], false);
}

TEST(RunReport, ACallIsAMarkOfItsCallerAndARefusedOneIsItsOwnKind) {
  LogBuilder log;
  log.start();
  for (const char* result : {"ok", "Throttling"})
    log.add(1s, "api.call",
            {{"service", "ec2"},
             {"action", "CreateVolume"},
             {"caller", "operator"},
             {"result", result}});
  const Json report = report_of(log.end("stuck", 9s).events());
  EXPECT_EQ(marks(report, "call").at(0)["text"], "ec2 CreateVolume: ok");
  EXPECT_EQ(marks(report, "refused-call").at(0)["text"], "ec2 CreateVolume: Throttling");
  EXPECT_EQ(lane(report, "operator")["kind"], "operator");
}

TEST(RunReport, ABrokenInvariantsLinesAreAmongThoseOfTheReport) {
  const Json report = report_of(result::interrupted_once().events());
  std::size_t shown = 0;
  for (const Json& verdict : report["result"]["invariants"])
    for (const Json& line : verdict.value("lines", Json::array())) {
      const auto& lines = report["lines"];
      EXPECT_TRUE(
          std::any_of(lines.begin(), lines.end(), [&](const Json& l) { return l == line; }));
      ++shown;
    }
  EXPECT_GT(shown, 0u) << "the log breaks an invariant that shows lines";
}

std::string error_of(const base::FolderForTest& folder) {
  try {
    run_report(folder);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(RunReport, ReportsWhatIsMissing) {
  const base::FolderForTest folder;
  EXPECT_NE(error_of(folder).find("result.json: cannot be read, expected"), std::string::npos);
  base::write_content(folder / "result.json", "{}");
  EXPECT_NE(error_of(folder).find("events.jsonl: cannot be read, expected"), std::string::npos);
  std::vector<Event> cut_short = result::interrupted_once().events();
  cut_short.pop_back();
  write_log(folder, cut_short);
  EXPECT_NE(error_of(folder).find("found no line run.end"), std::string::npos);
  base::write_content(folder / "events.jsonl", "{\"time\":1}\n");
  EXPECT_NE(error_of(folder).find("events.jsonl:1: "), std::string::npos);
}

TEST(Marks, TextHasFieldsOfTheEvent) {
  const events::TagsCreated event{.resource_id = "vol-1"};
  EXPECT_EQ(filled("{resource_id} and {none}:", events::AnyEvent(event)), "vol-1 and");
}

}  // namespace
}  // namespace sim::report
