// The rules of "Can't Be Late" as a plain loop against the policies, on drawn settings and windows.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/kernel/random.h"
#include "sim/ticks/tick_run.h"
#include "sim/ticks/windows_for_test.h"
#include "tests/agreement/cant_be_late_loop.h"

namespace sim::agreement {
namespace {

constexpr Duration kUnit = 100us;

ticks::TickJob job_of(const PlainSetting& s) {
  return {.work = s.work * kUnit,
          .deadline = s.deadline * kUnit,
          .changeover = s.changeover * kUnit,
          .tick = s.tick * kUnit,
          .on_demand = {s.on_demand},
          .spot = {s.spot}};
}

class Draw {
 public:
  explicit Draw(std::uint64_t key) : stream_(key) {}

  // Half of the settings have round values, so that compared values are often equal.
  PlainSetting setting() {
    const bool round = stream_.below(2) == 0;
    const std::int64_t step = round ? 600'000 : 1;  // a minute, or a unit
    const auto below = [&](std::uint64_t minutes) {
      return static_cast<std::int64_t>(stream_.below(round ? minutes : minutes * 600'000)) * step;
    };
    PlainSetting s{};
    s.millisecond = 10;
    s.tick = step + below(20);
    s.work = step + below(stream_.below(2) ? 600 : 60);
    s.deadline = s.work + below(stream_.below(2) ? 300 : 30);
    s.changeover = stream_.below(4) == 0 ? 0 : below(stream_.below(2) ? 15 : 60);
    // A changeover that leaves less than a millisecond after whole ticks.
    if (stream_.below(8) == 0)
      s.changeover = 2 * s.tick + static_cast<std::int64_t>(stream_.below(12));
    s.slices = 1 + static_cast<std::int64_t>(stream_.below(stream_.below(4) ? 12 : 400));
    s.spot = 100'000'000 * (1 + static_cast<std::int64_t>(stream_.below(40)));  // k ≤ 1, too
    s.on_demand = 3'000'000'000;
    s.tick = std::max(s.tick, s.deadline / 2000);  // keeps the loop short
    return s;
  }

  std::vector<std::uint8_t> window() { return ticks::drawn_capacity(stream_, 400); }

 private:
  Stream stream_;
};

class Rules : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(CantBeLate, Rules,
                         testing::Values("on-demand", "greedy", "time-sliced", "uniform-progress",
                                         "uniform-progress-no-keep",
                                         "uniform-progress-no-hysteresis",
                                         "uniform-progress-oracle",
                                         "uniform-progress-oracle-single"),
                         [](const auto& rule) {
                           std::string name = rule.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(Rules, AreThePlainLoopsOnDrawnSettings) {
  Draw draw(21);
  for (int i = 0; i < 3000; ++i) {
    const PlainSetting s = draw.setting();
    const ticks::SpotWindow window{.available = draw.window()};
    std::string text = GetParam();
    if (text == "time-sliced") text += ":" + std::to_string(s.slices);
    const auto named = policies::make_acquisition_policy(text);
    const ticks::TickOutcome out = ticks::run_ticks(job_of(s), window, *named.policy, named.oracle);
    const ticks::TickOutcome expected = cant_be_late_loop(s, window.available, GetParam());
    const auto figures = [](const ticks::TickOutcome& o) {
      return std::vector{o.ticks, o.on_demand_ticks, o.spot_ticks, o.launches, o.interruptions};
    };
    ASSERT_TRUE(out.finished);
    ASSERT_EQ(figures(out), figures(expected))
        << "setting " << i << ": C " << s.work << ", D " << s.deadline << ", d " << s.changeover
        << ", g " << s.tick << " units, n " << s.slices << ", p " << s.spot;
  }
}

}  // namespace
}  // namespace sim::agreement
