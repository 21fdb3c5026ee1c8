#include "fakes/cloudwatch/ec2_metrics.h"

#include <algorithm>
#include <string_view>

namespace fakes::cloudwatch {
namespace {

using sim::cloud::InstanceState;
using sim::monitoring::Metric;
using sim::monitoring::Summary;

constexpr std::string_view kSpace = "AWS/EC2", kInstance = "InstanceId";
constexpr std::string_view kNames[] = {"StatusCheckFailed", "StatusCheckFailed_Instance",
                                       "StatusCheckFailed_System"};

// The number of whole minutes in [from, to).
std::int64_t minutes_between(sim::Time from, sim::Time to) {
  using std::chrono::ceil;
  using std::chrono::minutes;
  return (ceil<minutes>(to.time_since_epoch()) - ceil<minutes>(from.time_since_epoch())).count();
}

// Empty if the metric is not one of these.
std::string instance_of(const Metric& metric) {
  if (metric.space != kSpace || metric.dimensions.size() != 1) return {};
  if (std::ranges::find(kNames, metric.name) == std::end(kNames)) return {};
  const auto& [name, value] = *metric.dimensions.begin();
  return name == kInstance ? value : std::string();
}

}  // namespace

Ec2Metrics::Ec2Metrics(sim::cloud::Cloud& cloud) : cloud_(cloud) {
  for (const auto& [id, instance] : cloud.instances())
    if (instance.state == InstanceState::kRunning && instance.running_at)
      runs_[id].push_back({.from = *instance.running_at});
  cloud.observe(*this);
}

void Ec2Metrics::instance_state(const sim::cloud::Instance& instance,
                                std::optional<InstanceState> from) {
  const sim::Time now = cloud_.simulation().now();
  if (instance.state == InstanceState::kRunning)
    runs_[instance.id].push_back({.from = now});
  else if (from == InstanceState::kRunning && !runs_[instance.id].empty())
    runs_[instance.id].back().to = now;
}

std::vector<Metric> Ec2Metrics::since(sim::Time t) const {
  std::vector<Metric> found;
  for (const auto& [id, runs] : runs_) {
    const bool is_old = runs.empty() || (runs.back().to && *runs.back().to < t);
    if (is_old || !cloud_.shows(cloud_.instance(id))) continue;
    for (const std::string_view name : kNames)
      found.push_back({.space = std::string(kSpace),
                       .name = std::string(name),
                       .dimensions = {{std::string(kInstance), id.value}}});
  }
  return found;
}

Summary Ec2Metrics::between(const Metric& metric, sim::Time from, sim::Time to) const {
  Summary summary;
  const auto runs = runs_.find(sim::cloud::InstanceId{instance_of(metric)});
  if (runs == runs_.end()) return summary;
  const sim::Time end = std::min(to, cloud_.simulation().now());
  for (const Run& run : runs->second) {
    const sim::Time begins = std::max(from, run.from), ends = std::min(end, run.to.value_or(end));
    if (begins < ends) summary.add(0, static_cast<double>(minutes_between(begins, ends)));
  }
  return summary;
}

std::string Ec2Metrics::unit(const Metric& metric) const {
  return instance_of(metric).empty() ? "" : "Count";
}

}  // namespace fakes::cloudwatch
