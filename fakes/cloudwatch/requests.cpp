#include "fakes/cloudwatch/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "fakes/index_token.h"

namespace fakes::cloudwatch {
namespace {

constexpr std::string_view kTokenKind = "cloudwatch:";
constexpr std::size_t kLargestIndex = 1'000'000'000;

}  // namespace

ApiError invalid_value(const std::string& message) { return {"InvalidParameterValue", message}; }

sim::Time time_of(const api::Timestamp& timestamp) {
  return sim::Time(std::chrono::duration_cast<sim::Duration>(timestamp.time_since_epoch()));
}

std::int64_t seconds_of(sim::Duration d) {
  return std::chrono::duration_cast<std::chrono::seconds>(d).count();
}

sim::monitoring::Metric metric_of(const std::string& space, const std::string& name,
                                  const api::List<api::cloudwatch::Dimension>& dimensions) {
  sim::monitoring::Metric metric{.space = space, .name = name};
  for (const auto& each : dimensions) metric.dimensions[each.name.value()] = each.value.value();
  return metric;
}

api::List<api::cloudwatch::Dimension> shown_dimensions(const sim::monitoring::Metric& metric) {
  api::List<api::cloudwatch::Dimension> shown;
  shown.give();
  for (const auto& [name, value] : metric.dimensions)
    shown.push_back({.name = name, .value = value});
  return shown;
}

sim::Duration period_of(std::int64_t seconds) {
  constexpr std::int64_t kShort[] = {1, 5, 10, 20, 30};
  constexpr std::int64_t kMost = 86400 * 365;
  const bool is_short = std::ranges::find(kShort, seconds) != std::end(kShort);
  if (!is_short && (seconds % 60 != 0 || seconds <= 0 || seconds > kMost))
    throw invalid_value(fmt::format(
        "The parameter Period must be 1, 5, 10, 20, 30 or a multiple of 60, not {}.", seconds));
  return std::chrono::seconds(seconds);
}

std::string page_token(std::size_t index) { return index_token(kTokenKind, index); }

std::size_t page_start(const api::Opt<std::string>& token) {
  if (!token) return 0;
  const auto index = index_in_token(kTokenKind, *token);
  if (!index || *index > kLargestIndex)
    throw ApiError("InvalidNextToken", "The next token that was specified is not valid.");
  return *index;
}

}  // namespace fakes::cloudwatch
