// The identity of a search, and how a search with another identity treats earlier runs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/files/folder_for_test.h"
#include "sim/explore/tried_before.h"

namespace sim::explore {
namespace {

namespace fs = std::filesystem;

const fs::path kGiven = fs::path(SPOTSIM_SOURCE_DIR) / "scenarios/az-hop.yaml";

class Resumed : public ::testing::Test {
 protected:
  Identity of(const fs::path& scenario) {
    const std::atomic<bool> stop{false};
    return identity(Runner(scenario::read_scenario(scenario), scenario::GuestKind::kFiber, 7, "",
                           folder_ / "run", &stop),
                    {});
  }

  base::FolderForTest folder_;
};

TEST_F(Resumed, ASearchIsAnotherOneWhenAFileItReadsIs) {
  const fs::path file = folder_ / "scenario.yaml";
  std::ofstream(file) << "based_on: " << kGiven.string() << "\nname: mine\n";
  const Identity before = of(file);
  EXPECT_EQ(of(file), before);
  std::ofstream(file, std::ios::app) << "# another\n";
  EXPECT_EQ(differing(before, of(file)), std::vector<std::string>{"scenario.yaml"});
}

// `spotsim init` names the folder of the scenario, in which a search writes.
TEST_F(Resumed, ASearchIsTheSameAfterItHasWrittenIntoTheScenariosFolder) {
  const fs::path file = folder_ / "mine.yaml";
  std::ofstream(file) << "based_on: " << kGiven.string()
                      << "\nname: mine\noperator.files: " << folder_.path().string() << "\n";
  std::ofstream(folder_ / "train.sh") << "train\n";
  const Identity before = of(file);
  fs::create_directories(folder_ / "out/explore-mine-seed7/fault-free");
  std::ofstream(folder_ / "out/explore-mine-seed7/runs.jsonl") << "{}\n";
  std::ofstream(folder_ / "out/explore-mine-seed7/fault-free/events.jsonl") << "{}\n";
  EXPECT_EQ(of(file), before);
  std::ofstream(folder_ / "train.sh", std::ios::app) << "more\n";
  EXPECT_NE(of(file), before);
}

TEST_F(Resumed, ASearchIsTheSameByWhateverPathItsScenarioIsGiven) {
  const Identity absolute = of(kGiven);
  EXPECT_TRUE(absolute.contains("az-hop.yaml"));
  EXPECT_EQ(of(fs::relative(kGiven)), absolute);
  EXPECT_EQ(of(kGiven.parent_path() / "../scenarios/az-hop.yaml"), absolute);
}

TEST_F(Resumed, AnotherSearchKeepsTheRunsOfThoseBeforeIt) {
  const fs::path file = folder_ / "runs.jsonl";
  const auto runs_in = [](const fs::path& kept) {
    std::ifstream in(kept);
    std::string line, runs;
    std::getline(in, line);
    while (std::getline(in, line)) runs += tried_of(line).plan.at(0) + ' ';
    return runs;
  };
  const auto search = [&](const Identity& of, const std::string& run) {
    TriedBefore before(file, of);
    before.keep({.plan = {run}});
    return before.begun_anew();
  };
  EXPECT_EQ(search({{"seed", "1"}, {"trace.csv", "a"}}, "one"), "");
  EXPECT_EQ(search({{"seed", "1"}, {"trace.csv", "a"}}, "two"), "");
  EXPECT_EQ(runs_in(file), "one two ");
  EXPECT_EQ(search({{"seed", "2"}, {"trace.csv", "a"}}, "three"),
            fmt::format("{} belongs to a search with another seed, so it was renamed to {}.before: "
                        "this search starts from the beginning",
                        file.string(), file.string()));
  EXPECT_EQ(runs_in(file), "three ");
  EXPECT_EQ(runs_in(folder_ / "runs.jsonl.before"), "one two ");
  EXPECT_NE(search({{"seed", "1"}, {"trace.csv", "b"}}, "four").find("another seed, trace.csv"),
            std::string::npos);
  EXPECT_EQ(runs_in(folder_ / "runs.jsonl.before"), "one two ");
  EXPECT_EQ(runs_in(folder_ / "runs.jsonl.before-2"), "three ");
}

// Rewriting the file may be interrupted by anything. Here the file may not grow that far.
TEST_F(Resumed, ASearchThatIsKilledAsItTakesUpHasTheRunsOfTheOneBefore) {
  const fs::path file = folder_ / "runs.jsonl";
  const Identity search{{"seed", "7"}};
  {
    TriedBefore before(file, search);
    for (int i = 0; i < 100; ++i) before.keep({.plan = {fmt::format("fault {}", i)}});
  }
  const auto half = static_cast<rlim_t>(fs::file_size(file) / 2);
  const auto take_up = [&] {
    const rlimit most{half, half};
    setrlimit(RLIMIT_FSIZE, &most);
    const TriedBefore killed(file, search);
  };
  EXPECT_EXIT(take_up(), ::testing::KilledBySignal(SIGXFSZ), "");
  const TriedBefore after(file, search);
  EXPECT_EQ(after.begun_anew(), "");
  for (int i = 0; i < 100; ++i) EXPECT_NE(after.find({fmt::format("fault {}", i)}), nullptr) << i;
}

TEST_F(Resumed, AFileThatNamesNoSearchIsKept) {
  const fs::path file = folder_ / "runs.jsonl";
  std::ofstream(file) << "{\"search\":\"0123\"}\n";
  const TriedBefore before(file, {{"seed", "7"}});
  EXPECT_NE(before.begun_anew().find("does not name its search"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder_ / "runs.jsonl.before"));
}

}  // namespace
}  // namespace sim::explore
