#include "sim/result/result.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/files/folder_for_test.h"
#include "sim/events/event.h"
#include "sim/result/log_builder_for_test.h"
#include "sim/result/result_of_log.h"

namespace sim::result {
namespace {

// The errors that python3-jsonschema finds in a result by docs/result.schema.json. Empty: none.
// "skipped": the package is missing.
std::string complaint(const nlohmann::json& result) {
  namespace fs = std::filesystem;
  const base::FolderForTest folder;
  fs::create_directories(folder / "run");
  std::ofstream(folder / "run/result.json") << result;
  const std::string command =
      fmt::format("python3 {0}/tests/run/schema.py {0}/docs/result.schema.json {1} 2>&1",
                  SPOTSIM_SOURCE_DIR, folder.string());
  std::string said;
  FILE* const out = popen(command.c_str(), "r");
  for (int c = 0; (c = std::fgetc(out)) != EOF;) said += static_cast<char>(c);
  const int status = pclose(out);
  if (WEXITSTATUS(status) == 77) return "skipped";
  return status == 0 ? "" : said;
}

nlohmann::json plain(const Json& json) { return nlohmann::json::parse(json.dump()); }

Result of_a_run() {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(30s, "i-1", "start", 0).trainer(40s, "i-1", "step", 1);
  log.trainer(40s, "i-1", "finished", 1).shutting_down(50s, "i-1").charge(50s, "i-1", 10s, 50s);
  Result result = result_of(log.terminated(80s, "i-1").end("completed", 80s).events());
  result.expectations = {{"attempts: 1", true, "1"}};
  return result;
}

class ResultJson : public testing::Test {
 protected:
  void SetUp() override {
    if (complaint({}) == "skipped") GTEST_SKIP() << "python3-jsonschema is not installed";
  }
};

TEST_F(ResultJson, KeepsToItsSchema) { EXPECT_EQ(complaint(plain(to_json(of_a_run()))), ""); }

TEST_F(ResultJson, OfARunWithoutInstancesKeepsToItsSchema) {
  LogBuilder log;
  log.start().end("stuck", 10s);
  EXPECT_EQ(complaint(plain(to_json(result_of(log.events())))), "");
}

TEST_F(ResultJson, OfAFailedRunKeepsToItsSchema) {
  Result failed = of_a_run();
  failed.outcome = "failed";
  failed.cause = {.machine = "operator", .status = {}, .at = kLogStart, .why = "it was stopped"};
  const nlohmann::json json = plain(to_json(failed));
  EXPECT_EQ(complaint(json), "");
  EXPECT_EQ(json["cause"]["console"], "console/operator.log");
}

TEST_F(ResultJson, SchemaRefusesWhatDoesNotBelong) {
  const nlohmann::json good = plain(to_json(of_a_run()));
  nlohmann::json extra = good, wrong = good, missing = good;
  extra["speed"] = 1;
  wrong["attempts"][0]["launched_at"] = "yesterday";
  missing["time_ledger_seconds"].erase("boot");
  const auto says = [](const nlohmann::json& result, const std::string& part) {
    return complaint(result).find(part) != std::string::npos;
  };
  EXPECT_TRUE(says(extra, "'speed' was unexpected")) << complaint(extra);
  EXPECT_TRUE(says(wrong, "$.attempts[0].launched_at: 'yesterday' does not match"))
      << complaint(wrong);
  EXPECT_TRUE(says(missing, "$.time_ledger_seconds: 'boot' is a required property"))
      << complaint(missing);
}

}  // namespace
}  // namespace sim::result
