#include "sim/report/csv.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sim::report {
namespace {

const Json kCsvReport = Json::parse(R"({
  "result": {"attempts": [{"number": 1, "instance_id": "i-1", "notice_at": null, "cost_usd": 0.5}],
             "time_ledger_seconds": {"boot": 90.5}, "money_ledger_usd": {"total": 0.75}},
  "lanes": [{"kind": "instance", "id": "i-1", "name": "spot p3", "pool": null,
             "spans": [{"what": "boot", "from": 1, "to": 3.5, "lines": [4]}]}],
  "marks": [{"kind": "call", "lane": "i-1", "at": 2, "text": "a, \"b\"\nc", "line": 5}],
  "pools": [{"pool": "p3/us-west-2b", "prices": [[0, 0.5]], "capacity": [[0, null], [1, 0]]}],
  "training": [{"instance_id": "i-1", "start_step": 0, "kept_through": 7, "steps": [[3, 7]],
                "loss": []}]})");

std::string csv_table(const std::string& name) {
  const auto all = csv_tables(kCsvReport);
  return std::ranges::find(all, name, &CsvTable::name)->text;
}

TEST(Csv, HasARowForEachSpanMarkAndPoint) {
  EXPECT_EQ(csv_table("spans"),
            "kind,id,name,pool,what,from,to\ninstance,i-1,spot p3,,boot,1,3.5\n");
  EXPECT_EQ(csv_table("prices"), "pool,at,usd_per_hour\np3/us-west-2b,0,0.5\n");
  EXPECT_EQ(csv_table("capacity"), "pool,at,slots\np3/us-west-2b,0,\np3/us-west-2b,1,0\n")
      << "unlimited capacity is empty";
  EXPECT_EQ(csv_table("steps"), "instance_id,start_step,kept_through,at,step\ni-1,0,7,3,7\n");
  EXPECT_EQ(csv_table("loss"), "instance_id,start_step,kept_through,at,loss\n");
}

TEST(Csv, HasTheFiguresOfTheResult) {
  EXPECT_EQ(csv_table("time"), "part,seconds\nboot,90.5\n");
  EXPECT_EQ(csv_table("money"), "part,usd\ntotal,0.75\n");
  EXPECT_NE(csv_table("attempts").find("\n1,i-1,,,,,,,,,,,,0.5\n"), std::string::npos);
}

TEST(Csv, QuotesWhatWouldEndACell) {
  EXPECT_EQ(csv_table("marks"), "kind,lane,at,text,line\ncall,i-1,2,\"a, \"\"b\"\"\nc\",5\n");
}

}  // namespace
}  // namespace sim::report
