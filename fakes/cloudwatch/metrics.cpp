// The values that clients put, and the list of metrics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fakes/cloudwatch/actions.h"
#include "fakes/cloudwatch/requests.h"

namespace fakes::cloudwatch {
namespace {

using api::cloudwatch::MetricDatum;
using sim::monitoring::Datum;
using sim::monitoring::Metric;
using sim::monitoring::Summary;

constexpr std::size_t kMostData = 1000, kMostValues = 150, kMetricsOnAPage = 500;

// CloudWatch takes values from -2^360 to 2^360 (API reference, MetricDatum).
double checked(double value, const std::string& where) {
  if (std::isfinite(value) && std::abs(value) <= std::ldexp(1.0, 360)) return value;
  throw invalid_value(fmt::format("The value {} for parameter {} is invalid.", value, where));
}

Summary read_values(const MetricDatum& datum, const std::string& where) {
  const auto combination = [](const std::string& message) {
    return ApiError("InvalidParameterCombination", message);
  };
  const int forms = static_cast<int>(datum.value.has_value()) +
                    static_cast<int>(datum.statistic_values.has_value()) +
                    static_cast<int>(datum.values.given());
  if (forms == 0)
    throw ApiError("MissingParameter",
                   fmt::format("At least one of the parameters {0}.Value, {0}.Values or "
                               "{0}.StatisticValues must be specified.",
                               where));
  if (forms > 1)
    throw combination(fmt::format(
        "The parameters {0}.{1} and {0}.{2} are mutually exclusive and you have specified both.",
        where, datum.value ? "Value" : "Values",
        datum.value && datum.values.given() ? "Values" : "StatisticValues"));
  Summary summary;
  if (datum.value) summary.add(checked(*datum.value, where + ".Value"), 1);
  if (const auto& set = datum.statistic_values) {
    if (*set->sample_count <= 0 || *set->minimum > *set->maximum)
      throw combination(fmt::format("The parameter {}.StatisticValues is inconsistent.", where));
    summary.add_set(checked(*set->sample_count, where), checked(*set->sum, where),
                    checked(*set->minimum, where), checked(*set->maximum, where));
  }
  if (datum.values.size() > kMostValues)
    throw invalid_value(fmt::format("The parameter {}.Values has more than 150 values.", where));
  if (datum.counts.given() && datum.counts.size() != datum.values.size())
    throw invalid_value(
        fmt::format("The parameters {0}.Values and {0}.Counts must be of the same size.", where));
  for (std::size_t i = 0; i < datum.values.size(); ++i)
    summary.add(checked(datum.values[i], where + ".Values"),
                datum.counts.empty() ? 1 : checked(datum.counts[i], where + ".Counts"));
  return summary;
}

sim::Time read_time(const MetricDatum& datum, sim::Time now, const std::string& where) {
  using std::chrono::hours;
  if (!datum.timestamp) return now;
  const sim::Time at = time_of(*datum.timestamp);
  if (at < now - hours(14 * 24))
    throw invalid_value(fmt::format(
        "The parameter {}.Timestamp must specify a time within the past two weeks.", where));
  if (at > now + hours(2))
    throw invalid_value(fmt::format(
        "The parameter {}.Timestamp must specify a time no more than two hours in the future.",
        where));
  return at;
}

Datum read_datum(const MetricDatum& asked, sim::Time now, const std::string& where) {
  const std::int64_t resolution = asked.storage_resolution.value_or(60);
  if (resolution != 1 && resolution != 60)
    throw invalid_value(fmt::format(
        "The value {} for parameter {}.StorageResolution must be 1 or 60.", resolution, where));
  return {.at = read_time(asked, now, where),
          .by_the_second = resolution == 1,
          .unit = asked.unit.value_or("None"),
          .summary = read_values(asked, where)};
}

bool has_dimensions(const Metric& metric,
                    const api::List<api::cloudwatch::DimensionFilter>& filters) {
  return std::ranges::all_of(filters, [&](const auto& filter) {
    const auto found = metric.dimensions.find(*filter.name);
    return found != metric.dimensions.end() && (!filter.value || *filter.value == found->second);
  });
}

}  // namespace

op::PutMetricData::Response put_metric_data(Call& call, const op::PutMetricData::Request& request) {
  const std::string& space = *request.namespace_;
  if (space.starts_with("AWS/") || space.starts_with(':'))
    throw invalid_value(fmt::format("The value {} for parameter Namespace is invalid.", space));
  if (request.metric_data.size() > kMostData)
    throw invalid_value("The collection MetricData must not have a size greater than 1000.");
  std::vector<std::pair<Metric, Datum>> data;
  for (const MetricDatum& each : request.metric_data) {
    const std::string where = fmt::format("MetricData.member.{}", data.size() + 1);
    data.emplace_back(metric_of(space, *each.metric_name, each.dimensions),
                      read_datum(each, call.now, where));
  }
  for (const auto& [metric, datum] : data) monitoring(call.backend).metrics.put(metric, datum);
  return {};
}

op::ListMetrics::Response list_metrics(Call& call, const op::ListMetrics::Request& request) {
  auto metrics = monitoring(call.backend).metrics.list(request.recently_active.has_value());
  std::erase_if(metrics, [&](const Metric& metric) {
    return (request.namespace_ && *request.namespace_ != metric.space) ||
           (request.metric_name && *request.metric_name != metric.name) ||
           !has_dimensions(metric, request.dimensions);
  });
  op::ListMetrics::Response response;
  response.owning_accounts.give();
  response.next_token =
      page(metrics, request.next_token, kMetricsOnAPage, response.metrics, [](const Metric& each) {
        return api::cloudwatch::Metric{.dimensions = shown_dimensions(each),
                                       .metric_name = each.name,
                                       .namespace_ = each.space};
      });
  return response;
}

}  // namespace fakes::cloudwatch
