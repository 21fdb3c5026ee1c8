#include "fakes/cloudwatch/ec2_metrics.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace fakes::cloudwatch {
namespace {

using sim::cloud::Instance;
using sim::cloud::InstanceState;
using sim::monitoring::Metric;
using sim::monitoring::Summary;
using std::chrono::minutes;

constexpr std::string_view kSpace = "AWS/EC2";
constexpr const char* kInstanceId = "InstanceId";

struct Ec2Metric {
  std::string_view name, unit;
  bool is_cpu = false;  // else a status check
};
constexpr Ec2Metric kMetrics[] = {{"CPUUtilization", "Percent", true},
                                  {"StatusCheckFailed", "Count"},
                                  {"StatusCheckFailed_Instance", "Count"},
                                  {"StatusCheckFailed_System", "Count"}};

std::string group_of(const Instance& instance) {
  const auto found = instance.tags.find("aws:autoscaling:groupName");
  return found == instance.tags.end() ? std::string() : found->second;
}

// A dimension, and the value that an instance's run has of it. Empty: the run does not count.
struct Ec2Dimension {
  std::string_view name;
  std::string (*value)(const Instance& instance, const Ec2Run& run);
};
constexpr Ec2Dimension kDimensions[] = {
    {"AutoScalingGroupName", [](const Instance& i, const Ec2Run&) { return group_of(i); }},
    {"ImageId",
     [](const Instance& i, const Ec2Run& run) { return run.detailed ? i.spec.image_id : ""; }},
    {kInstanceId, [](const Instance& i, const Ec2Run&) { return i.id.value; }},
    {"InstanceType",
     [](const Instance&, const Ec2Run& run) { return run.detailed ? run.type : ""; }}};

const Ec2Dimension* dimension_of(const Metric& metric) {
  if (metric.dimensions.size() != 1) return nullptr;
  const auto* const found =
      std::ranges::find(kDimensions, metric.dimensions.begin()->first, &Ec2Dimension::name);
  return found == std::end(kDimensions) ? nullptr : found;
}

// Null for another metric.
const Ec2Metric* find_metric(const Metric& metric) {
  if (metric.space != kSpace || (!metric.dimensions.empty() && dimension_of(metric) == nullptr))
    return nullptr;
  const auto* const found = std::ranges::find(kMetrics, metric.name, &Ec2Metric::name);
  return found == std::end(kMetrics) ? nullptr : found;
}

// Whether the values of the run are part of the metric, which is one of these.
bool counts(const Instance& instance, const Ec2Run& run, const Metric& metric) {
  const Ec2Dimension* const dimension = dimension_of(metric);
  if (dimension == nullptr) return run.detailed;
  return dimension->value(instance, run) == metric.dimensions.begin()->second;
}

// The number of whole minutes in [from, to).
std::int64_t minutes_between(sim::Time from, sim::Time to) {
  using std::chrono::ceil;
  return (ceil<minutes>(to.time_since_epoch()) - ceil<minutes>(from.time_since_epoch())).count();
}

}  // namespace

Ec2Metrics::Ec2Metrics(Backend& backend) : backend_(backend) {
  for (const auto& [id, instance] : backend.cloud.instances())
    if (instance.running_at &&
        (instance.state == InstanceState::kRunning || instance.shutting_down_at)) {
      begin(instance, *instance.running_at);
      runs_[id].back().to = instance.shutting_down_at;
    }
  backend.cloud.observe(*this);
}

void Ec2Metrics::begin(const Instance& instance, sim::Time from) {
  runs_[instance.id].push_back({.from = from,
                                .type = instance.spec.instance_type,
                                .detailed = instance.spec.detailed_monitoring});
}

void Ec2Metrics::instance_state(const Instance& instance, std::optional<InstanceState> from) {
  const sim::Time now = backend_.simulation.now();
  if (instance.state == InstanceState::kRunning)
    begin(instance, now);
  else if (from == InstanceState::kRunning && !runs_[instance.id].empty())
    runs_[instance.id].back().to = now;
}

void Ec2Metrics::monitoring(const Instance& instance) {
  if (instance.state != InstanceState::kRunning) return;
  const sim::Time now = backend_.simulation.now();
  runs_[instance.id].back().to = now;
  begin(instance, now);
}

std::vector<Metric> Ec2Metrics::since(sim::Time t) const {
  std::set<Metric> found;
  for (const auto& [id, runs] : runs_) {
    const Instance& instance = backend_.cloud.instance(id);
    if (!instance.spec.managed_by.empty()) continue;
    for (const Ec2Run& run : runs) {
      if (run.to && *run.to < t) continue;
      for (const Ec2Metric& metric : kMetrics) {
        Metric listed{.space = std::string(kSpace), .name = std::string(metric.name)};
        if (run.detailed) found.insert(listed);
        for (const Ec2Dimension& dimension : kDimensions) {
          listed.dimensions = {{std::string(dimension.name), dimension.value(instance, run)}};
          if (!listed.dimensions.begin()->second.empty()) found.insert(listed);
        }
      }
    }
  }
  return {found.begin(), found.end()};
}

// The samples of CPU use whose datapoints begin in [from, to). Each sample has a minute in which
// the instance ran. Five samples make a datapoint that begins with the first of them (CloudWatch
// User Guide, "Amazon EC2 Metrics and Dimensions", on Xen instances).
void Ec2Metrics::add_cpu(Summary& summary, const Instance& instance, const Ec2Run& run,
                         sim::Time from, sim::Time to) const {
  const sim::Time now = backend_.simulation.now(), until = run.to.value_or(now);
  const sim::Duration length = minutes(run.detailed ? 1 : 5);
  sim::Time point = sim::Time(std::chrono::ceil<minutes>(run.from.time_since_epoch()));
  if (from > point) point += (from - point + length - sim::Duration(1)) / length * length;
  const auto* const type =
      sim::market::find_instance_type(backend_.cloud.market().types(), run.type);
  for (; point < to && (run.to || point + length <= now); point += length) {
    for (sim::Time minute = point; minute < point + length; minute += minutes(1)) {
      const sim::Time end = minute + minutes(1);
      if (end > until) return;
      const auto work = backend_.find_work ? backend_.find_work(instance.id, minute, end)
                                           : sim::monitoring::MachineWork{};
      summary.add(cpu_percent(backend_.cpu, type, work, minutes(1)), 1);
    }
  }
}

Summary Ec2Metrics::between(const Metric& metric, sim::Time from, sim::Time to) const {
  Summary summary;
  const Ec2Metric* const known = find_metric(metric);
  if (known == nullptr) return summary;
  const sim::Time now = backend_.simulation.now();
  const auto add = [&](const sim::cloud::InstanceId& id, const std::vector<Ec2Run>& runs) {
    const Instance& instance = backend_.cloud.instance(id);
    if (!instance.spec.managed_by.empty()) return;
    for (const Ec2Run& run : runs) {
      const sim::Time begins = std::max(from, run.from), ends = std::min(to, run.to.value_or(now));
      if (begins >= ends || !counts(instance, run, metric)) continue;
      if (known->is_cpu)
        add_cpu(summary, instance, run, from, to);
      else
        summary.add(0, static_cast<double>(minutes_between(begins, ends)));
    }
  };
  const auto named = metric.dimensions.find(kInstanceId);
  if (named == metric.dimensions.end()) {
    for (const auto& [id, runs] : runs_) add(id, runs);
  } else if (const auto found = runs_.find({named->second}); found != runs_.end()) {
    add(found->first, found->second);
  }
  return summary;
}

std::string Ec2Metrics::unit(const Metric& metric) const {
  const Ec2Metric* const known = find_metric(metric);
  return known == nullptr ? "" : std::string(known->unit);
}

}  // namespace fakes::cloudwatch
