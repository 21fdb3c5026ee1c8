// The rules of "Can't Be Late" once more, as a plain loop over ticks in exact integers, against the
// policies on drawn settings and windows.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/kernel/random.h"
#include "sim/ticks/windows_for_test.h"

namespace sim::sweep {
namespace {

using Int = __int128;

constexpr Duration kUnit = 100us;

// In units; n slices, prices in nano-dollars.
struct Setting {
  std::int64_t work, deadline, changeover, tick, slices, on_demand, spot;
};

TickJob job_of(const Setting& s) {
  return {.work = s.work * kUnit,
          .deadline = s.deadline * kUnit,
          .changeover = s.changeover * kUnit,
          .tick = s.tick * kUnit,
          .on_demand = {s.on_demand},
          .spot = {s.spot}};
}

enum Held { kNothing, kOnSpot, kOnOnDemand };

struct Loop {
  // Times stand times D·n: so the works of slices, C·length ÷ D, and D ÷ n are whole.
  Loop(const Setting& setting, const std::vector<std::uint8_t>& window, std::string rule_name)
      : s(setting), there(window), rule(std::move(rule_name)), scale(Int{s.deadline} * s.slices) {
    C = s.work * scale, D = s.deadline * scale, d = s.changeover * scale, g = s.tick * scale;
    ms = 10 * scale;
    Int sum = 0;
    for (std::int64_t i = 0; i < s.slices; ++i) {
      lengths.push_back(floor_to_tick((i + 1) * D / s.slices - sum));
      sum += lengths.back();
    }
    begin_of_slice = 0, end_of_slice = lengths[0];
  }

  static Int floor_div(Int a, Int b) { return a / b - (a % b < 0 ? 1 : 0); }
  Int floor_to_tick(Int x) const { return floor_div(x, g) * g; }
  Int ceil_to_tick(Int x) const { return -floor_div(-x, g) * g; }
  Int sum_of_entries(std::size_t from) const {
    Int sum = 0;
    for (std::size_t e = from; e < entries.size(); ++e) sum += entries[e];
    return sum;
  }

  TickOutcome run() {
    for (;; ++t) {
      const Int before = done;
      if (prev != kNothing) {
        const Int w = std::max(g - roh, Int{0});
        roh -= g - w;
        if (roh < ms) roh = 0;
        done += std::min(w, C - done);
      }
      entries.push_back(done - before);
      if (C - done <= ms) break;
      const auto index = static_cast<std::size_t>(t);
      a = index < there.size() && there[index];
      cur = prev == kOnSpot && !a ? kNothing : prev;
      out.interruptions += cur != prev;
      rt = floor_to_tick(D - t * g);
      need1 = ceil_to_tick(C - done + d), need2 = ceil_to_tick(C - done + 2 * d);
      Held req = request();
      if (need1 >= rt) req = prev == kOnSpot && roh < ms ? kOnSpot : kOnOnDemand;
      if (req == kOnSpot && !a) req = kNothing;
      if (req != cur && req != kNothing) roh = d, ++out.launches;
      out.spot_ticks += req == kOnSpot;
      out.on_demand_ticks += req == kOnOnDemand;
      prev = req;
    }
    out.ticks = t;
    return out;
  }

  Held request() {
    if (rule == "on-demand") return kOnOnDemand;
    if (rule.starts_with("time-sliced")) return time_sliced();
    Held req = rule == "greedy"                              ? (a ? kOnSpot : kNothing)
               : rule.starts_with("uniform-progress-oracle") ? oracle()
                                                             : uniform_progress();
    if (need2 >= rt && cur != kOnSpot) req = kOnOnDemand;
    if (need1 >= rt) req = cur == kOnSpot && roh < ms ? kOnSpot : kOnOnDemand;
    return req;
  }

  bool behind() const { return done * s.deadline < t * g * s.work; }

  Held uniform_progress() const {
    const bool hysteresis = (t * g + 2 * d) * s.work >= done * s.deadline;
    const Held req = a ? kOnSpot : behind() ? kOnOnDemand : kNothing;
    const bool stays = rule == "uniform-progress-no-keep"         ? hysteresis
                       : rule == "uniform-progress-no-hysteresis" ? !a
                                                                  : !a || hysteresis;
    return cur == kOnOnDemand && stays ? kOnOnDemand : req;
  }

  Held oracle() const {
    Int o = 0;
    for (auto i = static_cast<std::size_t>(t); i < there.size() && there[i]; ++i) o += g;
    // o > m·k·d/(k − 1) with k = p_od/p; never for k ≤ 1.
    const auto more_than = [&](int m) {
      return s.on_demand > s.spot && o * (s.on_demand - s.spot) > m * d * s.on_demand;
    };
    if (cur == kOnOnDemand) {
      const int m = rule == "uniform-progress-oracle-single" ? 1 : 2;
      return a && more_than(m) ? kOnSpot : kOnOnDemand;
    }
    if (a && (cur == kOnSpot || more_than(1))) return kOnSpot;
    return behind() ? kOnOnDemand : kNothing;
  }

  Held time_sliced() {
    while (slice + 1 < s.slices && end_of_slice <= (std::ssize(entries) - 1) * g) {
      const Int length = lengths[static_cast<std::size_t>(slice)];
      const auto ticks = static_cast<std::size_t>(length / g);
      gain += sum_of_entries(entries.size() - ticks) - s.work * length / s.deadline;
      begin_of_slice = end_of_slice;
      end_of_slice += lengths[static_cast<std::size_t>(++slice)];
    }
    const Int length = lengths[static_cast<std::size_t>(slice)];
    const Int rem = s.work * length / s.deadline -
                    sum_of_entries(static_cast<std::size_t>(begin_of_slice / g) + 1);
    const Int available = floor_to_tick(end_of_slice - t * g + gain);
    Held req = a ? kOnSpot : kNothing;
    if (rem - gain <= ms && need2 < rt) return req;
    if (cur != kOnSpot && (ceil_to_tick(rem + 2 * d) >= available || need2 >= rt))
      req = kOnOnDemand;
    if (ceil_to_tick(rem + d) >= available || need1 >= rt)
      req = cur == kOnSpot && roh < ms ? kOnSpot : kOnOnDemand;
    return req;
  }

  const Setting& s;
  const std::vector<std::uint8_t>& there;
  std::string rule;
  Int scale, C, D, d, g, ms;
  Int roh = 0, done = 0, rt = 0, need1 = 0, need2 = 0, t = 0;
  Held prev = kNothing, cur = kNothing;
  bool a = false;
  std::vector<Int> entries, lengths;
  std::int64_t slice = 0;
  Int begin_of_slice, end_of_slice, gain = 0;
  TickOutcome out;
};

class Draw {
 public:
  explicit Draw(std::uint64_t key) : stream_(key) {}

  // Half of them with round values, where what is compared is often equal.
  Setting setting() {
    const bool round = stream_.below(2) == 0;
    const std::int64_t step = round ? 600'000 : 1;  // a minute, or a unit
    const auto below = [&](std::uint64_t minutes) {
      return static_cast<std::int64_t>(stream_.below(round ? minutes : minutes * 600'000)) * step;
    };
    Setting s{};
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

  std::vector<std::uint8_t> window() { return drawn_capacity(stream_, 400); }

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
    const Setting s = draw.setting();
    const SpotWindow window{.available = draw.window()};
    std::string text = GetParam();
    if (text == "time-sliced") text += ":" + std::to_string(s.slices);
    const auto named = policies::make_acquisition_policy(text);
    const TickOutcome out = run_ticks(job_of(s), window, *named.policy, named.oracle);
    const TickOutcome expected = Loop(s, window.available, GetParam()).run();
    const auto figures = [](const TickOutcome& o) {
      return std::vector{o.ticks, o.on_demand_ticks, o.spot_ticks, o.launches, o.interruptions};
    };
    ASSERT_TRUE(out.finished);
    ASSERT_EQ(figures(out), figures(expected))
        << "setting " << i << ": C " << s.work << ", D " << s.deadline << ", d " << s.changeover
        << ", g " << s.tick << " units, n " << s.slices << ", p " << s.spot;
  }
}

}  // namespace
}  // namespace sim::sweep
