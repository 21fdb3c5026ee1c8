#include "sim/result/result.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sim/kernel/event.h"
#include "sim/result/log_builder_for_test.h"
#include "sim/result/metrics.h"
#include "sim/result/schema_check_for_test.h"

namespace sim::run {
namespace {

nlohmann::json schema() {
  std::ifstream in(SPOTSIM_SOURCE_DIR "/docs/result.schema.json");
  return nlohmann::json::parse(in);
}

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

nlohmann::json plain(const Json& json) { return nlohmann::json::parse(json.dump()); }

Result of_a_run() {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(30s, "i-1", "start", 0).trainer(40s, "i-1", "step", 1);
  log.trainer(40s, "i-1", "finished", 1).shutting_down(50s, "i-1").charge(50s, "i-1", 10s, 50s);
  Result result = compute(log.terminated(80s, "i-1").end("completed", 80s).events());
  result.expectations = {{"attempts: 1", true, "1"}};
  return result;
}

TEST(ResultJson, KeepsToItsSchema) {
  EXPECT_EQ(joined(SchemaCheck(schema()).violations(plain(to_json(of_a_run())))), "");
}

TEST(ResultJson, OfARunWithoutInstancesKeepsToItsSchema) {
  LogBuilder log;
  log.start().end("stuck", 10s);
  EXPECT_EQ(joined(SchemaCheck(schema()).violations(plain(to_json(compute(log.events()))))), "");
}

TEST(ResultJson, SchemaRefusesWhatDoesNotBelong) {
  const nlohmann::json good = plain(to_json(of_a_run()));
  nlohmann::json extra = good, wrong = good, missing = good;
  extra["speed"] = 1;
  wrong["attempts"][0]["launched_at"] = "yesterday";
  missing["time_ledger_seconds"].erase("boot");
  EXPECT_EQ(joined(SchemaCheck(schema()).violations(extra)), ": has speed");
  EXPECT_EQ(SchemaCheck(schema()).violations(wrong).size(), 1u);
  EXPECT_EQ(joined(SchemaCheck(schema()).violations(missing)), "/time_ledger_seconds: has no boot");
}

}  // namespace
}  // namespace sim::run
