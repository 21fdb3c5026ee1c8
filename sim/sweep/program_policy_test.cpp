// A program as an acquisition policy in a sweep.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/files/folder_for_test.h"
#include "policies/checkpoint/policy.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/file/sweep_file.h"
#include "sim/sweep/run_all_for_test.h"
#include "sim/sweep/tick_sweep.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

const std::string kCopy = "command:" SPOTSIM_SOURCE_DIR "/scenarios/policies/uniform-progress.py";

ticks::TickJob program_job(Duration work, Duration deadline, Duration changeover) {
  return {.work = work,
          .deadline = deadline,
          .changeover = changeover,
          .tick = 10min,
          .on_demand = {3'060'000'000},
          .spot = {973'100'000}};
}

TEST(ProgramPolicy, UniformProgressInPythonIsTheBuiltInOneRunByRun) {
  if (std::system("python3 -c 0") != 0) GTEST_SKIP() << "no python3";
  ticks::TickJob losing = program_job(10h, 16h, 12min);
  losing.checkpoint_interval = 1h, losing.checkpoint_cost = 3min;
  std::vector<ticks::Window> windows;
  for (const Duration up : {Duration(20min), Duration(2h), Duration(9h)})
    for (ticks::Window& w :
         ticks::draw({.up = up, .down = 3h, .tick = 10min, .length = 30h, .count = 25, .seed = 4}))
      windows.push_back(std::move(w));
  const TickSweep sweep({{"uniform-progress", kCopy},
                         {program_job(10h, 13h, 12min), program_job(7h + 77s, 15h + 5min, 31min),
                          program_job(5h, 24h, 0min), losing},
                         windows});
  const Rows rows = run_all(sweep);
  ASSERT_EQ(rows.size(), 2 * 4 * windows.size());
  std::int64_t launches_differ = 0;
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    const auto built_in = rows.measures(i), program = rows.measures(i + 1);
    EXPECT_TRUE(std::equal(built_in.begin(), built_in.end(), program.begin())) << "run " << i;
    launches_differ += built_in[kCost] != rows.measures(0)[kCost];
  }
  EXPECT_GT(launches_differ, 100);  // the windows differ
}

class ProgramInASweep : public testing::Test {
 protected:
  void write_program(const std::string& script) const {
    std::ofstream(folder_ / "p.sh") << "#!/bin/sh\n" << script << "\n";
    chmod((folder_ / "p.sh").c_str(), 0700);
  }
  TickSweep sweep() const {
    return TickSweep(
        {{"command:" + (folder_ / "p.sh").string()},
         {program_job(2h, 4h, 10min)},
         ticks::draw({.up = 3h, .down = 1h, .tick = 10min, .length = 5h, .count = 3})});
  }
  // The error of a sweep file with this policy.
  std::string sweep_complaint(const std::string& policy) const {
    try {
      sweep::parse_sweep("name: s\npolicies: [" + policy +
                             "]\njob: {work: 2h, deadline: 4h, changeover: 10m, tick: 10m}\n"
                             "prices: {on_demand: 3, spot: 1}\n"
                             "traces: [{draw: {up: 3h, down: 1h, length: 5h}}]\n",
                         folder_ / "s.yaml");
    } catch (const scenario::ScenarioError& error) {
      const std::string what = error.what();
      return what.substr(what.find("s.yaml") + 7);
    }
    return "no error";
  }

  base::FolderForTest folder_;
};

constexpr const char* kAnswers = R"(
while read -r line; do
  case $line in
    *'"event":"tick"'*) echo '{"rental": "RENTAL"}' ;;
  esac
done)";

std::string answering(const std::string& rental) {
  std::string script = kAnswers;
  return script.replace(script.find("RENTAL"), 6, rental);
}

TEST_F(ProgramInASweep, ChangesTheFingerprintWhenItChanges) {
  write_program(answering("on-demand"));
  const std::string one = sweep().fingerprint().hash, again = sweep().fingerprint().hash;
  EXPECT_EQ(one, again);
  EXPECT_EQ(sweep().fingerprint().rows.size(), 1u);
  write_program(answering("spot"));
  EXPECT_NE(sweep().fingerprint().hash, one);
}

TEST_F(ProgramInASweep, IsWrittenAsAMappingBesideTheSweep) {
  write_program(answering("on-demand"));
  EXPECT_EQ(sweep_complaint("{command: ./p.sh}"), "no error");
  EXPECT_EQ(sweep_complaint("{command: [./p.sh, --fast]}, greedy"), "no error");
  EXPECT_EQ(sweep_complaint("{command: ./q.sh}").find("2:12: policies[0]: "), 0u);
  EXPECT_NE(sweep_complaint("{command: ./q.sh}").find("q.sh"), std::string::npos);
  EXPECT_NE(sweep_complaint("{command: []}").find("expected a program"), std::string::npos);
  EXPECT_NE(sweep_complaint("{program: p.sh}").find("command"), std::string::npos);
}

TEST_F(ProgramInASweep, IsAskedOnceBeforeTheFirstRun) {
  write_program("exit 3");
  const std::string dead = sweep_complaint("{command: ./p.sh}");
  EXPECT_EQ(dead.find("2:12: policies[0]: policy program "), 0u) << dead;
  write_program(answering("nothing"));
  EXPECT_NE(sweep_complaint("{command: ./p.sh}").find("answered '{\"rental\": \"nothing\"}'"),
            std::string::npos);
}

TEST_F(ProgramInASweep, ThatEndsInTheMiddleEndsTheSweep) {
  write_program("read -r begin; read -r tick; echo '{\"rental\": \"idle\"}'");
  EXPECT_THROW(run_all(sweep()), policies::PolicyFailed);
}

}  // namespace
}  // namespace sim::sweep
