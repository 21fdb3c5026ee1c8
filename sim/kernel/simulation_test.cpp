#include "sim/kernel/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/kernel/random.h"

namespace sim {
namespace {

TEST(Simulation, RunsEventsInTheOrderOfTheirTimes) {
  Simulation simulation(Time{});
  std::vector<int> ran;
  for (int at : {5, 1, 4, 2, 3}) simulation.at(Time{} + at * 1s, [&ran, at] { ran.push_back(at); });
  while (simulation.step()) {
  }
  EXPECT_EQ(ran, (std::vector{1, 2, 3, 4, 5}));
  EXPECT_EQ(simulation.now(), Time{} + 5s);
  EXPECT_EQ(simulation.executed(), 5u);
}

TEST(Simulation, BreaksTiesByInsertion) {
  Simulation simulation(Time{});
  std::vector<int> ran;
  for (int i = 0; i < 1000; ++i) simulation.after(1s, [&ran, i] { ran.push_back(i); });
  simulation.run_until(Time{} + 1s);
  ASSERT_EQ(ran.size(), 1000u);
  EXPECT_TRUE(std::is_sorted(ran.begin(), ran.end()));
}

TEST(Simulation, RunsAnEventScheduledForNowByAnEventAfterThosePendingAtThatTime) {
  Simulation simulation(Time{});
  std::string ran;
  simulation.after(1s, [&] {
    ran += 'a';
    simulation.after(0s, [&] { ran += 'c'; });
  });
  simulation.after(1s, [&] { ran += 'b'; });
  simulation.run_until(Time{} + 1s);
  EXPECT_EQ(ran, "abc");
}

TEST(Simulation, RunUntilIncludesItsEndAndMovesTheClockThere) {
  Simulation simulation(Time{});
  int ran = 0;
  simulation.after(2s, [&] { ++ran; });
  simulation.after(2s + 1ns, [&] { ++ran; });
  simulation.run_until(Time{} + 1s);
  EXPECT_EQ(std::pair(ran, simulation.now()), std::pair(0, Time{} + 1s));
  simulation.run_until(Time{} + 2s);
  EXPECT_EQ(std::pair(ran, simulation.now()), std::pair(1, Time{} + 2s));
  EXPECT_EQ(simulation.next(), Time{} + 2s + 1ns);
}

TEST(Simulation, CancelsAPendingEventOnce) {
  Simulation simulation(Time{});
  bool ran = false;
  const EventId id = simulation.after(1s, [&] { ran = true; });
  EXPECT_EQ(simulation.pending(), 1u);
  EXPECT_TRUE(simulation.cancel(id));
  EXPECT_FALSE(simulation.cancel(id));
  EXPECT_EQ(simulation.pending(), 0u);
  EXPECT_EQ(simulation.next(), std::nullopt);
  EXPECT_FALSE(simulation.step());
  EXPECT_FALSE(ran);
}

TEST(Simulation, AnIdThatIsOverNeverCancelsTheEventThatTookItsSlot) {
  Simulation simulation(Time{});
  const EventId first = simulation.after(1s, [] {});
  simulation.run_until(Time{} + 1s);
  bool ran = false;
  simulation.after(1s, [&] { ran = true; });
  EXPECT_FALSE(simulation.cancel(first));
  simulation.run_until(Time{} + 2s);
  EXPECT_TRUE(ran);
  EXPECT_FALSE(simulation.cancel(EventId{12345, 0}));
}

TEST(Simulation, AnEventMayCancelItselfInVainAndOthersForGood) {
  Simulation simulation(Time{});
  EventId self{}, other{};
  bool cancelled_self = true, other_ran = false;
  self = simulation.after(1s, [&] {
    cancelled_self = simulation.cancel(self);
    EXPECT_TRUE(simulation.cancel(other));
  });
  other = simulation.after(1s, [&] { other_ran = true; });
  while (simulation.step()) {
  }
  EXPECT_FALSE(cancelled_self);
  EXPECT_FALSE(other_ran);
}

TEST(Simulation, ReleasesACallbackWhenItIsCancelled) {
  Simulation simulation(Time{});
  auto held = std::make_shared<int>(1);
  const EventId id = simulation.after(1s, [held] {});
  EXPECT_EQ(held.use_count(), 2);
  simulation.cancel(id);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(SimulationDeath, RefusesThePast) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  Simulation simulation(Time{} + 1s);
  EXPECT_DEATH(simulation.at(Time{}, [] {}), "does not hold");
}

// The same random program on a std::multimap, which keeps the insertion order of equal keys.
class Reference {
 public:
  using Queue = std::multimap<Time, int>;
  void add(Time at, int label) { where_[label] = queue_.emplace(at, label); }
  bool cancel(int label) {
    const auto found = where_.find(label);
    if (found == where_.end()) return false;
    queue_.erase(found->second);
    where_.erase(found);
    return true;
  }
  std::optional<std::pair<Time, int>> pop() {
    if (queue_.empty()) return {};
    const std::pair<Time, int> first = *queue_.begin();
    cancel(first.second);
    return first;
  }
  std::size_t size() const { return queue_.size(); }

 private:
  Queue queue_;
  std::map<int, Queue::iterator> where_;
};

TEST(SimulationProperty, DoesWhatAMultimapDoes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Stream draw(seed);
    Simulation simulation(Time{});
    Reference reference;
    std::vector<EventId> ids;
    int ran = -1;
    for (int i = 0; i < 5000; ++i) {
      const std::uint64_t what = draw.below(10);
      if (what < 5) {
        // Few distinct times, so that ties are common.
        const Time at = simulation.now() + std::chrono::seconds{draw.below(20)};
        const int label = static_cast<int>(ids.size());
        ids.push_back(simulation.at(at, [&ran, label] { ran = label; }));
        reference.add(at, label);
      } else if (what < 7 && !ids.empty()) {
        const auto label = draw.below(ids.size());
        ASSERT_EQ(simulation.cancel(ids[label]), reference.cancel(static_cast<int>(label)));
      } else {
        const auto expected = reference.pop();
        ASSERT_EQ(simulation.step(), expected.has_value());
        if (expected) {
          ASSERT_EQ(std::pair(simulation.now(), ran), *expected);
        }
      }
      ASSERT_EQ(simulation.pending(), reference.size());
    }
  }
}

}  // namespace
}  // namespace sim
