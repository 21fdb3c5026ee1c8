// `spotrun submit --strategy` in whole runs, whatever capacity does.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>

#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

constexpr Duration kDeadline = 4h;  // of scenarios/deadline.yaml, from the submit on

// Zones get and lose capacity at random; what runs in them then gets its notice.
std::vector<CapacityStep> random_capacity(std::uint32_t seed, Duration limit) {
  std::mt19937 random(seed);
  const std::chrono::minutes mean(15 + 15 * (seed % 6));
  std::vector<CapacityStep> steps;
  for (const char* zone : {"us-west-2a", "us-west-2b", "us-west-2c"}) {
    bool there = random() % 2 == 0;
    for (Duration at{}; at < limit; there = !there) {
      steps.push_back({.pool = {"p3.2xlarge", zone}, .after = at, .slots = there, .reclaim = true});
      at += std::chrono::seconds(1 + random() % (2 * std::chrono::seconds(mean).count()));
    }
  }
  return steps;
}

// What the log tells of the instances that the strategy rented.
struct Rentals {
  std::optional<Time> submitted, done;
  int ended_early = 0;              // by EC2, or by the operator
  std::size_t most_running = 0;     // at an instant
  Duration longest_replacement{};  // for so long there was a new one beside one not yet ended

  explicit Rentals(const Played& played) {
    std::map<std::string, Time> live;  // pending and running, by ID, since when
    std::map<std::string, bool> running;
    for (const std::string& line : played.lines) {
      const Event event = parse_event(line);
      if (event.kind == "tags.created") {
        if (event.fields["tags"].contains("spotrun:strategy-since") && !submitted)
          submitted = event.time;
        if (event.fields["tags"].contains("spotrun:done")) done = event.time;
      }
      if (event.kind != "instance.state" || !submitted) continue;
      const std::string id = event.fields["instance_id"], to = event.fields["to"];
      if (to == "pending") {
        live[id] = event.time;
      } else if (to == "running" && live.contains(id)) {
        running[id] = true;
        most_running = std::max(most_running, running.size());
      } else if (live.contains(id)) {
        for (const auto& [other, since] : live)
          if (since > live[id])
            longest_replacement = std::max(longest_replacement, event.time - since);
        live.erase(id);
        running.erase(id);
        ended_early += !done;
      }
    }
    EXPECT_TRUE(live.empty());
  }
};

class Driven : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(FiberStrategy, Driven,
                         testing::Values("greedy+lowest-price", "uniform-progress+round-robin",
                                         "utility:0.05",
                                         "uniform-progress+hop-for-price:0.1+bid-share:0.5"),
                         [](const auto& strategy) {
                           std::string name = strategy.param;
                           std::erase_if(name, [](char c) { return c < 'a' || c > 'z'; });
                           return name;
                         });

TEST_P(Driven, KeepsTheDeadlineWithOneInstanceAtATime) {
  int ended_early = 0;
  for (std::uint32_t seed = 0; seed < 16; ++seed) {
    Scenario scenario =
        changed("deadline", "uniform-progress+lowest-price+bid-share:0.6", GetParam());
    scenario.seed = seed;
    scenario.capacity = random_capacity(seed, scenario.limit);
    const Played played = play(scenario);
    const Rentals rentals(played);
    ASSERT_TRUE(rentals.submitted && rentals.done) << seed;
    EXPECT_LE(*rentals.done - *rentals.submitted, kDeadline) << seed;
    EXPECT_LE(rentals.most_running, 1u) << seed;
    EXPECT_LT(rentals.longest_replacement, 1s) << seed;
    EXPECT_LE(played.report.result->lost_steps, 2) << seed;
    ended_early += rentals.ended_early;
  }
  EXPECT_GT(ended_early, 16);
}

}  // namespace
}  // namespace sim::run
