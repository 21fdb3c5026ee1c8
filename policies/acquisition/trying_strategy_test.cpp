#include "policies/acquisition/trying_strategy.h"

#include <gtest/gtest.h>

#include <random>

namespace policies {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPools = 3;
const AcquisitionJob kTryingJob{.work = 8h, .deadline = 14h, .changeover = 12min, .tick = 10min};

// A world of three pools that shows itself, tick by tick, to one strategy.
class World {
 public:
  explicit World(std::uint32_t seed) : random_(seed), quotes_(kPools), moves_(kPools * kPools) {
    state_.pools = quotes_;
    state_.moves = moves_;
  }

  // All pools have instances as far as is known; `there_` is the truth.
  const MarketState& next() {
    const auto share = [&] { return static_cast<double>(random_() % 1000) / 1000; };
    for (std::size_t p = 0; p < kPools; ++p) {
      quotes_[p] = {.instances = 1, .spot = 0.5 + share(), .on_demand = 3};
      there_[p] = share() < 0.4;
    }
    state_.interrupted.reset();
    if (state_.job.now == Rental::kSpot && share() < 0.2) {
      state_.interrupted = state_.pool;
      state_.job.now = Rental::kIdle;
    }
    if (state_.job.now != Rental::kIdle) state_.job.done += 9min;
    return state_;
  }
  bool launch(const Placement& placement) {
    if (placement.rental == Rental::kOnDemand || there_[placement.pool]) return true;
    quotes_[placement.pool].instances = 0;  // what is known now
    ++refusals;
    return false;
  }
  // With what the tick has shown.
  const MarketState& shown() const { return state_; }
  void hold(const Placement& placement) {
    state_.job.now = placement.rental;
    state_.pool = placement.pool;
    state_.bid = placement.bid;
    if (placement.rental != Rental::kIdle) state_.data = placement.pool;
    ++state_.job.tick;
  }

  int refusals = 0;

 private:
  std::mt19937 random_;
  std::vector<PoolQuote> quotes_;
  std::vector<PoolMove> moves_;
  bool there_[kPools] = {};
  MarketState state_;
};

class Trying : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(
    Strategies, Trying,
    testing::Values("greedy", "spot-only+diversified", "spot-only+round-robin", "utility:0.05",
                    "fallback-failures:2+lowest-price", "fallback-waiting:1h+leave-interrupted",
                    "greedy+most-available+bid-quantile:0.6", "time-sliced:4+hop-for-price:0.2",
                    "uniform-progress+capacity-optimized+bid-share:0.4"),
    [](const auto& strategy) {
      std::string name = strategy.param;
      std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
      return name;
    });

TEST_P(Trying, IsTheStrategyThatKnewFromTheFirstWhatWouldBeRefused) {
  int refusals = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    World world(seed);
    TryingStrategy trying(GetParam(), kTryingJob, kPools, 0ns);
    const auto told = make_strategy(GetParam()).strategy;
    told->begin(kTryingJob, kPools, 0ns);
    for (int tick = 0; tick < 80; ++tick) {
      const Placement held =
          trying.decide(world.next(), [&](const Placement& p) { return world.launch(p); });
      const Placement known = told->decide(world.shown());
      ASSERT_EQ(held.rental, known.rental) << "seed " << seed << ", tick " << tick;
      if (held.rental != Rental::kIdle) {
        ASSERT_EQ(held.pool, known.pool) << tick;
      }
      world.hold(held);
    }
    refusals += world.refusals;
  }
  EXPECT_GT(refusals, 20);
}

TEST(TryingOnDemand, ThatIsRefusedLeavesWhatIsHeld) {
  const std::vector<PoolQuote> quotes{{.instances = 1, .spot = 1, .on_demand = 3}};
  const std::vector<PoolMove> moves(1);
  TryingStrategy trying("greedy", kTryingJob, 1, 0ns);
  // Urgent, and the changeover of the spot instance held is not over.
  const MarketState state{.job = {.tick = 60, .changeover_left = 5min, .now = Rental::kSpot},
                          .pools = quotes,
                          .moves = moves,
                          .bid = 1.5};
  int asked = 0;
  const Placement held = trying.decide(state, [&](const Placement& p) {
    EXPECT_EQ(p.rental, Rental::kOnDemand);
    ++asked;
    return false;
  });
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(held, (Placement{Rental::kSpot, 0, 1.5}));
}

TEST(TryingStrategy, AFailedAttemptLeavesTheTickOut) {
  const std::vector<PoolQuote> quotes{{.instances = 1, .spot = 1, .on_demand = 3}};
  const std::vector<PoolMove> moves(1);
  TryingStrategy trying("fallback-failures:1", kTryingJob, 1, 0ns);
  const auto fails = [](const Placement&) -> bool { throw std::runtime_error("no answer"); };
  const auto launches = [](const Placement&) { return true; };
  MarketState state{.pools = quotes, .moves = moves};
  EXPECT_THROW(trying.decide(state, fails), std::runtime_error);
  state.job.tick = 1;
  // Else what was asked for and is not there now would count as lost.
  EXPECT_EQ(trying.decide(state, launches).rental, Rental::kSpot);
  state.job.tick = 2;
  EXPECT_EQ(trying.decide(state, launches).rental, Rental::kOnDemand);
}

TEST(TryingOracles, AreRefused) {
  EXPECT_THROW(TryingStrategy("uniform-progress-oracle", kTryingJob, 1, 0ns),
               std::invalid_argument);
}

}  // namespace
}  // namespace policies
