#include "sim/monitoring/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "sim/cloud/error.h"

namespace sim::monitoring {
namespace {

using cloud::ApiError;

constexpr std::string_view kPlain[] = {"Average", "SampleCount", "Sum", "Minimum", "Maximum"};
// The beginnings of the other statistics: trimmed mean, winsorized mean, trimmed count and sum,
// percentile rank, interquartile mean.
constexpr std::string_view kUnserved[] = {"tm",  "wm",  "tc",  "ts",  "TM(",
                                          "WM(", "TC(", "TS(", "PR(", "IQM"};

std::optional<double> percent_in(const std::string& name) {
  if (!name.starts_with('p')) return {};
  double percent = 0;
  const char* const end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + 1, end, percent);
  if (error != std::errc() || at != end || !(percent >= 0 && percent <= 100)) return {};
  return percent;
}

std::optional<double> percentile(double percent, const Summary& summary) {
  if (!summary.has_all_samples || summary.samples.empty() || summary.minimum < 0) return {};
  const double rank = std::max(std::ceil(percent / 100 * summary.count), 1.0);
  double below = 0;
  for (const auto& [value, count] : summary.samples) {
    below += count;
    if (below >= rank) return value;
  }
  return summary.maximum;
}

}  // namespace

void Summary::widen(double low, double high) {
  minimum = empty() ? low : std::min(minimum, low);
  maximum = empty() ? high : std::max(maximum, high);
}

void Summary::add(double value, double times) {
  if (times <= 0) return;
  widen(value, value);
  count += times;
  sum += value * times;
  samples[value] += times;
}

void Summary::add_set(double set_count, double set_sum, double low, double high) {
  if (set_count <= 0) return;
  widen(low, high);
  count += set_count;
  sum += set_sum;
  if (set_count == 1 || low == high)
    samples[high] += set_count;
  else
    has_all_samples = false;
}

void Summary::add(const Summary& other) {
  if (other.empty()) return;
  widen(other.minimum, other.maximum);
  count += other.count;
  sum += other.sum;
  for (const auto& [value, times] : other.samples) samples[value] += times;
  has_all_samples = has_all_samples && other.has_all_samples;
}

Statistic parse_statistic(const std::string& name) {
  if (std::ranges::find(kPlain, name) != std::end(kPlain)) return {.name = name};
  if (const auto percent = percent_in(name)) return {.name = name, .percent = percent};
  for (const std::string_view prefix : kUnserved)
    if (name.starts_with(prefix))
      throw ApiError("UnsupportedOperation",
                     fmt::format("The statistic {} is not part of this simulated AWS. It has "
                                 "SampleCount, Average, Sum, Minimum, Maximum and percentiles.",
                                 name));
  throw ApiError("InvalidParameterValue",
                 fmt::format("The value {} for parameter Statistic is not supported.", name));
}

std::optional<double> value_of(const Statistic& statistic, const Summary& summary) {
  if (summary.empty()) return {};
  if (statistic.percent) return percentile(*statistic.percent, summary);
  if (statistic.name == "SampleCount") return summary.count;
  if (statistic.name == "Sum") return summary.sum;
  if (statistic.name == "Minimum") return summary.minimum;
  if (statistic.name == "Maximum") return summary.maximum;
  return summary.sum / summary.count;
}

}  // namespace sim::monitoring
