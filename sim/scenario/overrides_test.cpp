#include "sim/scenario/overrides.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/scenario/scenario_text.h"

namespace sim::scenario {
namespace {

const auto kAzHop = std::filesystem::path(SPOTSIM_SOURCE_DIR) / "scenarios" / "az-hop.yaml";

Scenario az_hop(const std::vector<std::string>& set) {
  return read_scenario(kAzHop, parse_overrides(set));
}

std::string refused(const std::vector<std::string>& set) {
  try {
    az_hop(set);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

TEST(Overrides, ReplaceTheFilesValues) {
  const Scenario s = az_hop({"limit=9h", "trainer.policy=steps:7", "interruptions[0].at=20m",
                             "market.capacity[1].slots=3"});
  EXPECT_EQ(s.limit, 9h);
  EXPECT_EQ(s.trainer->policy, "steps:7");
  EXPECT_EQ(s.trainer->steps, 1664);
  EXPECT_EQ(s.interruptions[0].when, faults::When(faults::AtTime{20min}));
  EXPECT_EQ(s.interruptions[0].arguments.get<std::int64_t>("capacity_after"), 0);
  EXPECT_EQ(s.capacity[1].slots, 3);
  EXPECT_EQ(s.capacity[0].slots, 0);
}

TEST(Overrides, CanStateAProgramAsAPolicy) {
  const std::string answers = R"(read -r state; echo "{\"save\": \"no\"}")";
  EXPECT_EQ(az_hop({"trainer.policy={command: [sh, -c, '" + answers + "']}"}).trainer->policy,
            "command:'sh' '-c' '" + answers + "'");
  EXPECT_NE(refused({"trainer.policy={command: cat}"}).find("policy program cat answered"),
            std::string::npos);
}

TEST(Overrides, AddKeysThatTheFileLacks) {
  const Scenario s = az_hop({"durations.interruption_notice=30s", "interruptions[0].notice=30s"});
  EXPECT_EQ(s.cloud.durations.interruption_notice, 30s);
}

TEST(Overrides, MayBeWholeBlocks) {
  const Scenario s = az_hop({"interruptions=[{lifetime: 2h}, {instance: 1, after: 5m}]",
                             "interruptions[0].lifetime=1h", "expect={}"});
  ASSERT_EQ(s.interruptions.size(), 2u);
  EXPECT_EQ(s.interruptions[0].when, faults::When(faults::Lifetime{.mean = 1h}));
  EXPECT_EQ(std::get<faults::OnEvent>(s.interruptions[1].when).after, 5min);
  EXPECT_TRUE(s.expect.empty());
}

TEST(Overrides, AreNamedInMessagesAboutThem) {
  EXPECT_EQ(
      refused({"deadline=9"}),
      "--set deadline=9: deadline: found \"9\", expected a duration such as 6h (a unit is missing: "
      "9s, 9m or 9h?)");
  EXPECT_EQ(refused({"trainer.polcy=none"}),
            "--set trainer.polcy=none: trainer: found unknown key \"polcy\", expected \"policy\"");
  EXPECT_EQ(refused({"polcy=none"}).rfind("--set polcy=none: key: found unknown key \"polcy\"", 0),
            0u);
  EXPECT_EQ(
      refused({"interruptions[1].at=1h"}),
      "--set interruptions[1].at=1h: interruptions[1].at: found no [1], expected one of the 1 "
      "that there are, [0] to [0], or the whole list as the value");
  EXPECT_EQ(refused({"limit[0]=1h"}),
            "--set limit[0]=1h: limit[0]: found no list that could have [0]");
  EXPECT_EQ(refused({"limit.at=1h"}),
            "--set limit.at=1h: limit.at: found no mapping that could have `at`");
  EXPECT_EQ(refused({"limit=[1"}),
            "--set limit=[1: limit: found a [ that is not closed, expected a ], or a comma between "
            "its parts");
  EXPECT_EQ(refused({"limit='1h"}),
            "--set limit='1h: limit: found a ' that is not closed, expected another ' before the "
            "next key");
  EXPECT_EQ(refused({"deadline="}),
            "--set deadline=: deadline: found nothing, expected a duration such as 6h");
  // If an override makes another key wrong, the message names that key's line in the file.
  EXPECT_EQ(refused({"limit=1h"}),
            kAzHop.string() +
                ":22:10: interruptions[0].at: found \"1h18m\", expected a time "
                "before the run's limit");
}

// The errors of a reading; without errors, the keys that the overrides below change.
std::string reading(const std::function<Scenario()>& read) {
  try {
    const Scenario s = read();
    return fmt::format("{} {} {} {}", s.name, s.trainer ? s.trainer->policy : "none",
                       s.capacity.size(), s.interruptions.size());
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

TEST(ScenarioText, IsReadWithOverridesAsIfItWereParsedForEach) {
  // A file with a block without a value.
  const std::string text = read_input(kAzHop) + "\ninvariants:\n";
  ScenarioText parsed(text, kAzHop);
  for (const std::vector<std::string>& set : std::vector<std::vector<std::string>>{
           {},
           {"trainer.policy=steps:7", "name=other"},
           {"interruptions=[{lifetime: 2h}, {instance: 1, after: 5m}]", "trainer=~"},
           {"trainer.polcy=steps:7", "market.capacity[99].slots=1", "name[0]=x"},
           {"durations.interruption_notice=30s", "durations.nonsense=1s"},
           {"invariants.nonsense=1"},
           {"operator=1", "limit=soon"},
           {}}) {
    const Overrides overrides = parse_overrides(set);
    EXPECT_EQ(reading([&] { return parsed.read(overrides); }),
              reading([&] { return parse_scenario(text, kAzHop, overrides); }))
        << as_arguments(overrides);
  }
}

TEST(Overrides, AreKeyAndValue) {
  for (const char* text : {"limit", "=9h", ".limit=9h", "limit.=9h", "a[=1", "a[x]=1", "a[1]b=1",
                           "[0]=1", "a[-1]=1", "a[99999999999999999999]=1", ""}) {
    EXPECT_EQ(
        refused({text}).rfind(std::string("--set: found \"") + text + "\", expected KEY=VALUE", 0),
        0u)
        << text;
  }
}

TEST(Overrides, AreWordsOfAShellCommand) {
  EXPECT_EQ(as_arguments(parse_overrides({"trainer.policy=young:6h,on-notice", "a[0]=it's"})),
            " --set trainer.policy=young:6h,on-notice --set 'a[0]=it'\\''s'");
}

}  // namespace
}  // namespace sim::scenario
