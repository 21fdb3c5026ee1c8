#include "sim/report/perfetto.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace sim::report {
namespace {

const Json kReport = Json::parse(R"({
  "time": {"begin": "2019-11-05T10:00:00.000Z", "seconds": 9}, "result": {"scenario": "s"},
  "lanes": [{"kind": "instance", "id": "i-1", "name": "spot p3", "pool": "p3/us-west-2b",
             "spans": [{"what": "boot", "from": 1, "to": 3.5, "lines": [4]}]}],
  "marks": [{"kind": "notice", "lane": "i-1", "at": 2, "text": "notice", "line": 5},
            {"kind": "fault", "lane": null, "at": 2, "text": "a fault", "line": 6}],
  "pools": [{"pool": "p3/us-west-2b", "used": true, "prices": [[0, 0.5]],
             "capacity": [[0, null], [1, 0]]}],
  "training": [{"steps": [[3, 7]], "loss": []}], "lines": {"5": "the line"}})");

std::vector<Json> of_phase(const std::string& phase) {
  std::vector<Json> found;
  const Json trace = trace_events(kReport);
  for (const Json& event : trace["traceEvents"])
    if (event["ph"] == phase) found.push_back(event);
  return found;
}

TEST(Perfetto, ASpanIsAnEventOnTheThreadOfItsLane) {
  const Json boot = of_phase("X").at(0);
  EXPECT_EQ(boot["name"], "boot");
  EXPECT_EQ(boot["ts"], 1e6);
  EXPECT_EQ(boot["dur"], 2.5e6);
  const Json notice = of_phase("i").at(0);
  EXPECT_EQ(notice["tid"], boot["tid"]);
  EXPECT_EQ(notice["pid"], boot["pid"]);
  EXPECT_EQ(notice["args"]["line"], "the line");
  EXPECT_NE(of_phase("i").at(1)["pid"], boot["pid"]) << "the fault has no lane";
}

TEST(Perfetto, PricesCapacityAndStepsAreCounters) {
  const auto counters = of_phase("C");
  ASSERT_EQ(counters.size(), 3u) << "unlimited capacity has no number";
  EXPECT_EQ(counters[0]["args"]["value"], 0.5);
  EXPECT_EQ(counters[1]["args"]["value"], 0);
  EXPECT_EQ(counters[2]["name"], "step");
}

TEST(Perfetto, ProcessesAndThreadsHaveNames) {
  std::set<std::string> names;
  for (const Json& event : of_phase("M")) names.insert(event["args"]["name"]);
  EXPECT_TRUE(names.contains("zone us-west-2b") && names.contains("spot p3 i-1"));
}

}  // namespace
}  // namespace sim::report
