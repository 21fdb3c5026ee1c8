// Statistics of metrics over time.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fakes/cloudwatch/actions.h"
#include "fakes/cloudwatch/requests.h"

namespace fakes::cloudwatch {
namespace {

using sim::monitoring::Datapoint;
using sim::monitoring::parse_statistic;
using sim::monitoring::Question;
using sim::monitoring::Statistic;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::size_t kMostQueries = 500, kMostDatapoints = 100'800;
constexpr std::int64_t kMostStatistics = 1440;

// CloudWatch rounds the start down, the more the older it is (API reference, GetMetricStatistics).
sim::Time rounded_start(sim::Time start, sim::Duration period, sim::Time now) {
  sim::Duration step = minutes(1);
  if (now - start > hours(24 * 15)) step = minutes(5);
  if (now - start > hours(24 * 63)) step = hours(1);
  if (period < minutes(1)) step = period;
  const auto since = start.time_since_epoch();
  auto count = since / step;
  if (since < count * step) --count;
  return sim::Time(count * step);
}

// The question that a request asks. Throws InvalidParameterValue.
Question question_of(const Call& call, const sim::monitoring::Metric& metric,
                     const api::Timestamp& from, const api::Timestamp& to, std::int64_t period,
                     const api::Opt<std::string>& unit) {
  if (from >= to)
    throw invalid_value("The parameter StartTime must be less than the parameter EndTime.");
  Question question{.metric = metric,
                    .from = {},
                    .to = time_of(to),
                    .period = period_of(period),
                    .unit = unit.value_or("")};
  // Nothing is older than CloudWatch's longest retention, or later than PutMetricData permits.
  const sim::Time oldest = call.now - hours(24 * 455);
  question.to = std::min(question.to, call.now + hours(3));
  question.from = rounded_start(std::max(time_of(from), oldest), question.period, call.now);
  return question;
}

api::cloudwatch::Datapoint shown_point(const Datapoint& point,
                                       const std::vector<Statistic>& statistics) {
  api::cloudwatch::Datapoint shown{.timestamp = timestamp(point.at), .unit = point.unit};
  for (const Statistic& statistic : statistics) {
    const auto value = value_of(statistic, point.summary);
    if (!value) continue;
    if (statistic.percent) shown.extended_statistics[statistic.name] = *value;
    if (statistic.name == "Average") shown.average = value;
    if (statistic.name == "Maximum") shown.maximum = value;
    if (statistic.name == "Minimum") shown.minimum = value;
    if (statistic.name == "SampleCount") shown.sample_count = value;
    if (statistic.name == "Sum") shown.sum = value;
  }
  return shown;
}

// A query of GetMetricData with its datapoints, in the order of the response.
struct QueryResult {
  std::string id, label;
  std::vector<std::pair<sim::Time, double>> values = {};
  std::set<std::string> units = {};  // of the data. With several, the values are of the first.
};

void check_range_of_data(const op::GetMetricData::Request& request) {
  const auto refuse = [](const char* why) { throw ApiError("ValidationError", why); };
  if (*request.start_time == *request.end_time)
    refuse("The parameter StartTime must not equal parameter EndTime.");
  if (*request.start_time > *request.end_time)
    refuse("The parameter EndTime must be greater than StartTime.");
}

// In what the queries of a request differ.
struct Differences {
  bool statistics = false, periods = false;
};

Differences differences(const op::GetMetricData::Request& request) {
  std::set<std::string> statistics;
  std::set<std::int64_t> periods;
  for (const auto& query : request.metric_data_queries) {
    if (!query.metric_stat) continue;
    statistics.insert(*query.metric_stat->stat);
    periods.insert(*query.metric_stat->period);
  }
  return {.statistics = statistics.size() > 1, .periods = periods.size() > 1};
}

// The label of a query that names none: the metric, and what differs, such as "Latency Sum 60".
std::string label_of(const api::cloudwatch::MetricStat& asked, Differences differ) {
  std::string label = *asked.metric->metric_name;
  if (differ.statistics) label += " " + *asked.stat;
  if (differ.periods) label += fmt::format(" {}", *asked.period);
  return label;
}

QueryResult result_of(Call& call, const op::GetMetricData::Request& request,
                      const api::cloudwatch::MetricDataQuery& query, Differences differ) {
  if (!query.metric_stat)
    throw ApiError("ValidationError",
                   fmt::format("The query {} has neither a metric nor an expression.", *query.id));
  const auto& asked = *query.metric_stat;
  const auto& metric = *asked.metric;
  if (!metric.namespace_ || !metric.metric_name)
    throw ApiError(
        "MissingParameter",
        fmt::format("The metric of query {} needs Namespace and MetricName.", *query.id));
  const Question question =
      question_of(call, metric_of(*metric.namespace_, *metric.metric_name, metric.dimensions),
                  *request.start_time, *request.end_time, *asked.period, asked.unit);
  const Statistic statistic = parse_statistic(*asked.stat);
  QueryResult result{.id = *query.id,
                     .label = query.label ? *query.label : label_of(asked, differ)};
  const auto points = monitoring(call.backend).metrics.datapoints(question);
  for (const Datapoint& point : points) result.units.insert(point.unit);
  for (const Datapoint& point : points)
    if (const auto value = value_of(statistic, point.summary);
        value && point.unit == *result.units.begin())
      result.values.emplace_back(point.at, *value);
  if (request.scan_by.value_or("TimestampDescending") == "TimestampDescending")
    std::ranges::reverse(result.values);
  return result;
}

}  // namespace

op::GetMetricStatistics::Response get_metric_statistics(
    Call& call, const op::GetMetricStatistics::Request& request) {
  if (request.statistics.empty() == request.extended_statistics.empty())
    throw ApiError("InvalidParameterCombination",
                   "Must specify either Statistics or ExtendedStatistics");
  std::vector<Statistic> statistics;
  for (const auto* const names : {&request.statistics, &request.extended_statistics})
    for (const std::string& name : *names) statistics.push_back(parse_statistic(name));
  const Question question =
      question_of(call, metric_of(*request.namespace_, *request.metric_name, request.dimensions),
                  *request.start_time, *request.end_time, *request.period, request.unit);
  const std::int64_t count =
      (question.to - question.from + question.period - sim::Duration(1)) / question.period;
  if (count > kMostStatistics)
    throw ApiError(
        "InvalidParameterCombination",
        fmt::format("You have requested up to {} datapoints, which exceeds the limit of "
                    "1440. You may reduce the datapoints requested by increasing Period, "
                    "or decreasing the time range.",
                    count));
  op::GetMetricStatistics::Response response{.label = *request.metric_name};
  response.datapoints.give();
  for (const Datapoint& point : monitoring(call.backend).metrics.datapoints(question))
    response.datapoints.push_back(shown_point(point, statistics));
  return response;
}

op::GetMetricData::Response get_metric_data(Call& call, const op::GetMetricData::Request& request) {
  if (request.metric_data_queries.size() > kMostQueries)
    throw ApiError("ValidationError",
                   "The collection MetricDataQueries must not have a size greater than 500.");
  const std::int64_t most = request.max_datapoints.value_or(kMostDatapoints);
  if (most < 1) throw invalid_value("The parameter MaxDatapoints must be greater than 0.");
  check_range_of_data(request);
  std::set<std::string> ids;
  for (const auto& query : request.metric_data_queries)
    if (!ids.insert(*query.id).second)
      throw ApiError("ValidationError",
                     "The values for parameter id in MetricDataQueries are not unique.");
  op::GetMetricData::Response response;
  response.metric_data_results.give();
  response.messages.give();
  const std::size_t first = page_start(request.next_token);
  const std::size_t end = first + static_cast<std::size_t>(most);
  const Differences differ = differences(request);
  std::size_t at = 0;  // index of a datapoint among those of all queries
  for (const auto& query : request.metric_data_queries) {
    if (!query.return_data.value_or(true)) continue;
    const QueryResult result = result_of(call, request, query, differ);
    api::cloudwatch::MetricDataResult shown{.id = result.id, .label = result.label};
    shown.timestamps.give();
    shown.values.give();
    bool complete = true;
    for (const auto& [time, value] : result.values) {
      const std::size_t index = at++;
      if (index >= end) complete = false;
      if (index < first || index >= end) continue;
      shown.timestamps.push_back(timestamp(time));
      shown.values.push_back(value);
    }
    shown.status_code = complete ? "Complete" : "PartialData";
    if (result.units.size() > 1)
      shown.messages.push_back(
          {.code = "MultipleUnits",
           .value = fmt::format("Multiple units returned: '[{}]'", fmt::join(result.units, ", "))});
    response.metric_data_results.push_back(std::move(shown));
  }
  if (at > end) response.next_token = page_token(end);
  return response;
}

}  // namespace fakes::cloudwatch
