#include "tests/agreement/cant_be_late_loop.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

namespace sim::agreement {
namespace {

using Int = __int128;

enum PlainHeld { kNothing, kOnSpot, kOnOnDemand };

struct CantBeLateLoop {
  // Times are multiplied by D·n, so that a slice's work, C·length ÷ D, and D ÷ n are whole numbers.
  CantBeLateLoop(const PlainSetting& setting, const std::vector<std::uint8_t>& window,
                 std::string rule_name)
      : s(setting), there(window), rule(std::move(rule_name)), scale(Int{s.deadline} * s.slices) {
    C = s.work * scale, D = s.deadline * scale, d = s.changeover * scale, g = s.tick * scale;
    ms = s.millisecond * scale;
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

  ticks::TickOutcome run() {
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
      PlainHeld req = request();
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

  PlainHeld request() {
    if (rule == "on-demand") return kOnOnDemand;
    if (rule.starts_with("time-sliced")) return time_sliced();
    PlainHeld req = rule == "greedy"                              ? (a ? kOnSpot : kNothing)
                    : rule.starts_with("uniform-progress-oracle") ? oracle()
                                                                  : uniform_progress();
    if (need2 >= rt && cur != kOnSpot) req = kOnOnDemand;
    if (need1 >= rt) req = cur == kOnSpot && roh < ms ? kOnSpot : kOnOnDemand;
    return req;
  }

  bool behind() const { return done * s.deadline < t * g * s.work; }

  PlainHeld uniform_progress() const {
    const bool hysteresis = (t * g + 2 * d) * s.work >= done * s.deadline;
    const PlainHeld req = a ? kOnSpot : behind() ? kOnOnDemand : kNothing;
    const bool stays = rule == "uniform-progress-no-keep"         ? hysteresis
                       : rule == "uniform-progress-no-hysteresis" ? !a
                                                                  : !a || hysteresis;
    return cur == kOnOnDemand && stays ? kOnOnDemand : req;
  }

  PlainHeld oracle() const {
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

  PlainHeld time_sliced() {
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
    PlainHeld req = a ? kOnSpot : kNothing;
    if (rem - gain <= ms && need2 < rt) return req;
    if (cur != kOnSpot && (ceil_to_tick(rem + 2 * d) >= available || need2 >= rt))
      req = kOnOnDemand;
    if (ceil_to_tick(rem + d) >= available || need1 >= rt)
      req = cur == kOnSpot && roh < ms ? kOnSpot : kOnOnDemand;
    return req;
  }

  const PlainSetting& s;
  const std::vector<std::uint8_t>& there;
  std::string rule;
  Int scale, C, D, d, g, ms;
  Int roh = 0, done = 0, rt = 0, need1 = 0, need2 = 0, t = 0;
  PlainHeld prev = kNothing, cur = kNothing;
  bool a = false;
  std::vector<Int> entries, lengths;
  std::int64_t slice = 0;
  Int begin_of_slice, end_of_slice, gain = 0;
  ticks::TickOutcome out;
};

constexpr std::array<std::string_view, 8> kRules{"on-demand",
                                                 "greedy",
                                                 "time-sliced",
                                                 "uniform-progress",
                                                 "uniform-progress-no-keep",
                                                 "uniform-progress-no-hysteresis",
                                                 "uniform-progress-oracle",
                                                 "uniform-progress-oracle-single"};

// The 8 of "time-sliced:8"; 1 without an argument, 0 if the argument is not a number above 0.
std::int64_t slices_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return 1;
  std::int64_t n = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, n);
  return stop == end && error == std::errc{} ? n : 0;
}

PlainSetting plain(const ticks::TickJob& job, std::int64_t slices) {
  std::int64_t unit = Duration(1ms).count();
  for (const Duration time : {job.work, job.deadline, job.changeover, job.tick})
    unit = std::gcd(unit, time.count());
  return {.work = job.work.count() / unit,
          .deadline = job.deadline.count() / unit,
          .changeover = job.changeover.count() / unit,
          .tick = job.tick.count() / unit,
          .slices = slices,
          .on_demand = job.on_demand.nano,
          .spot = job.spot.nano,
          .millisecond = Duration(1ms).count() / unit};
}

}  // namespace

ticks::TickOutcome cant_be_late_loop(const PlainSetting& setting,
                                     const std::vector<std::uint8_t>& there,
                                     std::string_view rule) {
  return CantBeLateLoop(setting, there, std::string(rule)).run();
}

std::optional<market::Usd> cant_be_late_cost(const ticks::TickJob& job,
                                             const ticks::SpotWindow& window,
                                             std::string_view policy) {
  const std::string_view rule = policy.substr(0, policy.find(':'));
  const std::int64_t slices = slices_of(policy);
  const bool plain_job = job.conventions == ticks::Conventions::kOwn && !job.billing &&
                         job.checkpoint_policy.empty() &&
                         job.checkpoint_interval == Duration::zero() && window.prices.empty();
  if (std::find(kRules.begin(), kRules.end(), rule) == kRules.end() || slices < 1 || !plain_job)
    return std::nullopt;
  const ticks::TickOutcome out = cant_be_late_loop(plain(job, slices), window.available, rule);
  return market::charge({job.on_demand.nano * out.on_demand_ticks + job.spot.nano * out.spot_ticks},
                        job.tick);
}

}  // namespace sim::agreement
