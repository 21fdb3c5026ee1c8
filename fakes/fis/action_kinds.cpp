// The actions of experiments (AWS FIS User Guide, "AWS FIS Actions reference").
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fakes/fis/parameters.h"

namespace fakes::fis {
namespace {

using Parameters = ActionParameters;
using Instances = std::vector<sim::cloud::InstanceId>;
using sim::cloud::Cloud;

Instances instances_of(const StartedAction& action) {
  Instances instances;
  for (const std::string& id : action.resources) instances.emplace_back(id);
  return instances;
}

// ---- interruptions of spot instances

sim::Duration before_interruption(const Parameters& parameters) {
  return duration_in(parameters, "durationBeforeInterruption", std::chrono::minutes{2},
                     std::chrono::minutes{15});
}
void check_interruption(const Parameters& parameters) {
  check_names(parameters, {"durationBeforeInterruption"});
  before_interruption(parameters);
}
// Interrupts the instances. The recommendation comes at once, the notice two minutes before the
// interruption.
sim::Duration interrupt(const StartedAction& action) {
  Cloud& cloud = action.all.backend.cloud;
  const sim::Duration takes = before_interruption(action.parameters);
  const sim::Duration notice = std::min(takes, cloud.config().durations.interruption_notice);
  const auto runs = [&cloud](const sim::cloud::InstanceId& id) {
    const auto& instance = cloud.instance(id);
    return instance.state == sim::cloud::InstanceState::kRunning &&
           !instance.interruption_notice_at;
  };
  for (const auto& id : instances_of(action)) {
    if (runs(id) && !cloud.instance(id).rebalance_recommended_at) cloud.recommend_rebalance(id);
    action.all.backend.simulation.after(takes - notice, [&cloud, runs, id, notice] {
      if (runs(id)) cloud.interrupt_after(id, notice, "by-experiment");
    });
  }
  return takes;
}

// ---- others

void check_none(const Parameters& parameters) { check_names(parameters, {}); }
sim::Duration terminate(const StartedAction& action) {
  action.all.backend.cloud.terminate_instances(instances_of(action));
  return {};
}
sim::Duration reboot(const StartedAction& action) {
  action.all.backend.cloud.reboot_instances(instances_of(action));
  return {};
}

// ---- stops

constexpr const char* kStartAfter = "startInstancesAfterDuration";

std::optional<sim::Duration> start_after(const Parameters& parameters) {
  if (!parameters.contains(kStartAfter)) return {};
  return duration_in(parameters, kStartAfter, std::chrono::minutes{1}, std::chrono::hours{12});
}
void check_stop(const Parameters& parameters) {
  check_names(parameters, {kStartAfter});
  start_after(parameters);
}
void start_stopped(Cloud& cloud, const Instances& instances) {
  for (const auto& id : instances) {
    if (cloud.instance(id).state != sim::cloud::InstanceState::kStopped) continue;
    try {
      cloud.start_instances({id});
    } catch (const ApiError&) {
      continue;  // there is no spot capacity, so it stays stopped
    }
  }
}
// Without a duration the instances stay stopped.
sim::Duration stop(const StartedAction& action) {
  Cloud& cloud = action.all.backend.cloud;
  const Instances instances = instances_of(action);
  cloud.stop_instances(instances);
  const auto takes = start_after(action.parameters);
  if (!takes) return {};
  action.all.backend.simulation.after(*takes,
                                      [&cloud, instances] { start_stopped(cloud, instances); });
  return *takes;
}

void check_wait(const Parameters& parameters) {
  check_names(parameters, {"duration"});
  duration_in(parameters, "duration", std::chrono::minutes{1}, std::chrono::hours{12});
}
sim::Duration wait(const StartedAction& action) {
  return duration_in(action.parameters, "duration", std::chrono::minutes{1},
                     std::chrono::hours{12});
}

constexpr ExperimentActionKind kActions[] = {
    {"aws:ec2:reboot-instances", "Instances", "aws:ec2:instance", check_none, reboot},
    {"aws:ec2:send-spot-instance-interruptions", "SpotInstances", "aws:ec2:spot-instance",
     check_interruption, interrupt},
    {"aws:ec2:stop-instances", "Instances", "aws:ec2:instance", check_stop, stop},
    {"aws:ec2:terminate-instances", "Instances", "aws:ec2:instance", check_none, terminate},
    {"aws:fis:wait", "", "", check_wait, wait}};

}  // namespace

const ExperimentActionKind& action_kind(const std::string& id) {
  std::string known;
  const std::span<const ExperimentActionKind> tables[] = {kActions, fault_actions()};
  for (const auto table : tables)
    for (const ExperimentActionKind& kind : table) {
      if (kind.id == id) return kind;
      known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.id);
    }
  throw invalid_parameter(fmt::format(
      "The action {} is not part of this simulated AWS, expected one of: {}", id, known));
}

}  // namespace fakes::fis
