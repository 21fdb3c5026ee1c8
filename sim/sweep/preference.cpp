#include "sim/sweep/preference.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>
#include <tuple>

#include "base/time/duration.h"
#include "sim/kernel/check.h"

namespace sim::sweep {
namespace {

constexpr double kManyCompared = 1.5;  // in half widths, because many ways are compared

// Two values count as equal if they differ by at most the share `always`. They also count as equal
// if they differ by at most the share `by_chance` and chance can explain the difference.
struct Tolerance {
  double always, by_chance;
};
constexpr double kSameInterval = 0.01;
constexpr Tolerance kCostTolerance{0.01, 0.03}, kLateTolerance{0, 1e9}, kHoursTolerance{0.02, 0.05},
    kInterruptionsTolerance{0.1, 0.3};

std::vector<Observation> observations(const std::vector<double>& values) {
  std::vector<Observation> all;
  for (std::size_t i = 0; i < values.size(); ++i) all.push_back({i, values[i]});
  return all;
}

double from_closed_form(const TriedAlternative& way) {
  return way.times > 0 ? std::abs(std::log2(way.times)) : 0;
}

// The sort key for plainness: "greedy" before "utility:0.1" before "greedy+lowest-price".
auto order_of(const TriedAlternative& way) {
  constexpr std::string_view kPlainFirst[]{"on-demand", "greedy", "uniform-progress", "utility"};
  const auto* const known = std::ranges::find_if(
      kPlainFirst, [&](std::string_view name) { return way.strategy.starts_with(name); });
  const bool on_notice = way.saves.policy.find("on-notice") != std::string::npos;
  return std::tuple(way.zones.size(), std::ranges::count(way.strategy, '+'),
                    known - std::begin(kPlainFirst), way.strategy, !on_notice,
                    from_closed_form(way), way.times, -way.margin, way.zones);
}

bool is_plainer(const TriedAlternative& a, const TriedAlternative& b) {
  return order_of(a) < order_of(b);
}

using Indices = std::vector<std::size_t>;

}  // namespace

std::optional<Duration> Alternative::interval() const {
  const std::string_view time = "time:";
  if (!saves.policy.starts_with(time)) return {};
  const std::size_t end = saves.policy.find(',');
  return base::parse_duration(
      std::string_view(saves.policy).substr(time.size(), end - time.size()));
}

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Preferred Preference::choose(const std::vector<TriedAlternative>& ways) const {
  SIM_CHECK(!ways.empty());
  const auto least = [&](const Indices& of, auto value) {
    return *std::ranges::min_element(of, {}, [&](std::size_t i) { return value(ways[i]); });
  };
  Indices left(ways.size());
  std::iota(left.begin(), left.end(), 0);
  const double late =
      too_late(ways[least(left, [&](const TriedAlternative& w) { return too_late(w); })]);
  std::erase_if(left, [&](std::size_t i) { return too_late(ways[i]) > late; });
  Preferred found;
  found.cheapest = least(left, [](const TriedAlternative& w) { return mean_of(w.cost); });
  std::erase_if(left, [&](std::size_t i) { return !as_cheap(ways[i], ways[found.cheapest]); });
  bool in = true;
  const auto narrow_by = [&](std::vector<double> TriedAlternative::*value, const Tolerance& some,
                             Reason reason) {
    const std::size_t best =
        least(left, [&](const TriedAlternative& w) { return mean_of(w.*value); });
    std::erase_if(left, [&](std::size_t i) {
      return !same(ways[i].*value, ways[best].*value, some.always, some.by_chance);
    });
    const bool out = std::ranges::find(left, found.cheapest) == left.end();
    if (out && in) found.reason = reason, in = false;
  };
  narrow_by(&TriedAlternative::late, kLateTolerance, Reason::kSeldomLate);
  narrow_by(&TriedAlternative::hours, kHoursTolerance, Reason::kSooner);
  narrow_by(&TriedAlternative::interruptions, kInterruptionsTolerance, Reason::kSeldomTaken);
  found.best = *std::ranges::min_element(
      left, [&](std::size_t a, std::size_t b) { return is_plainer(ways[a], ways[b]); });
  if (in && found.best != found.cheapest) found.reason = Reason::kPlainer;
  found.best = with_plain_interval(ways, found.best);
  return found;
}

// Replaces a way by the same way with the plainest interval. The candidates cost at most 1 %
// (kSameInterval) more than the cheapest interval.
std::size_t Preference::with_plain_interval(const std::vector<TriedAlternative>& ways,
                                            std::size_t way) const {
  Indices left;
  for (std::size_t i = 0; i < ways.size(); ++i)
    if (ways[i].strategy == ways[way].strategy && ways[i].zones == ways[way].zones &&
        too_late(ways[i]) <= too_late(ways[way]))
      left.push_back(i);
  const auto cost = [&](std::size_t i) { return mean_of(ways[i].cost); };
  const double least = cost(*std::ranges::min_element(left, {}, cost));
  std::erase_if(left, [&](std::size_t i) { return cost(i) > (1 + kSameInterval) * least; });
  return *std::ranges::min_element(
      left, [&](std::size_t a, std::size_t b) { return is_plainer(ways[a], ways[b]); });
}

bool Preference::as_cheap(const TriedAlternative& way, const TriedAlternative& cheapest) const {
  return same(way.cost, cheapest.cost, kCostTolerance.always, kCostTolerance.by_chance);
}

double Preference::too_late(const TriedAlternative& way) const {
  constexpr double kRounding = 1e-12;
  const double excess = mean_of(way.late) - late_allowed_;
  return excess > kRounding ? excess : 0;
}

bool Preference::same(const std::vector<double>& a, const std::vector<double>& least, double always,
                      double by_chance) const {
  const double more = mean_of(a) - mean_of(least);
  if (more <= always * mean_of(least)) return true;
  if (more > by_chance * mean_of(least) && mean_of(least) > 0) return false;
  const auto half_width = difference(a, least).half_width_95;
  return half_width && more <= kManyCompared * *half_width;
}

Distribution Preference::difference(const std::vector<double>& a,
                                    const std::vector<double>& b) const {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return distribution_of(observations(differences), dependence_);
}

Distribution Preference::dearer(const TriedAlternative& other, const TriedAlternative& way) const {
  return difference(other.cost, way.cost);
}

Alternative Preference::summary(const TriedAlternative& way) const {
  return {way.strategy,
          way.zones,
          way.saves,
          distribution_of(observations(way.cost), dependence_),
          distribution_of(observations(way.hours), dependence_),
          mean_of(way.late),
          mean_of(way.interruptions)};
}

}  // namespace sim::sweep
