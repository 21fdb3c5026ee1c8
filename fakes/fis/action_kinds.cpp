// The actions of experiments (AWS FIS User Guide, "AWS FIS Actions reference").
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "fakes/fis/experiments.h"

namespace fakes::fis {
namespace {

using Parameters = std::map<std::string, std::string>;
using Instances = std::vector<sim::cloud::InstanceId>;
using sim::cloud::Cloud;

ApiError invalid(const std::string& why) { return {"ValidationException", why}; }

// Parses a duration in ISO 8601: "PT2M", "PT1H30M", "PT90S".
std::optional<sim::Duration> parse_iso_duration(std::string_view text) {
  if (!text.starts_with("PT") || text.size() < 4) return {};
  text.remove_prefix(2);
  sim::Duration sum{};
  std::int64_t number = 0;
  bool digits = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9' && number < 100'000) {
      number = number * 10 + (c - '0');
      digits = true;
      continue;
    }
    if (!digits || (c != 'H' && c != 'M' && c != 'S')) return {};
    sum += number * (c == 'H'   ? sim::Duration(std::chrono::hours{1})
                     : c == 'M' ? sim::Duration(std::chrono::minutes{1})
                                : sim::Duration(std::chrono::seconds{1}));
    number = 0;
    digits = false;
  }
  if (digits) return {};
  return sum;
}

sim::Duration duration_in(const Parameters& parameters, const char* name, sim::Duration least,
                          sim::Duration most) {
  const auto found = parameters.find(name);
  const auto value = found == parameters.end() ? std::nullopt : parse_iso_duration(found->second);
  if (!value || *value < least || *value > most)
    throw invalid(fmt::format("Parameter {}: expected a duration from {} to {}, as PT2M", name,
                              sim::format_duration(least), sim::format_duration(most)));
  return *value;
}

void check_only(const Parameters& parameters, std::string_view allowed) {
  for (const auto& [name, value] : parameters)
    if (name != allowed) throw invalid("The action has no parameter " + name + ".");
}

// ---- interruptions of spot instances

sim::Duration before_interruption(const Parameters& parameters) {
  return duration_in(parameters, "durationBeforeInterruption", std::chrono::minutes{2},
                     std::chrono::minutes{15});
}
void check_interruption(const Parameters& parameters) {
  check_only(parameters, "durationBeforeInterruption");
  before_interruption(parameters);
}
// Interrupts the instances. The recommendation comes at once, the notice two minutes before the
// interruption.
sim::Duration interrupt(Cloud& cloud, sim::Simulation& simulation, const Instances& instances,
                        const Parameters& parameters) {
  const sim::Duration takes = before_interruption(parameters);
  const sim::Duration notice = std::min(takes, cloud.config().durations.interruption_notice);
  const auto runs = [&cloud](const sim::cloud::InstanceId& id) {
    const auto& instance = cloud.instance(id);
    return instance.state == sim::cloud::InstanceState::kRunning &&
           !instance.interruption_notice_at;
  };
  for (const auto& id : instances) {
    if (runs(id) && !cloud.instance(id).rebalance_recommended_at) cloud.recommend_rebalance(id);
    simulation.after(takes - notice, [&cloud, runs, id, notice] {
      if (runs(id)) cloud.interrupt_after(id, notice, "by-experiment");
    });
  }
  return takes;
}

// ---- others

void check_none(const Parameters& parameters) { check_only(parameters, ""); }
sim::Duration terminate(Cloud& cloud, sim::Simulation&, const Instances& instances,
                        const Parameters&) {
  cloud.terminate_instances(instances);
  return {};
}
sim::Duration reboot(Cloud& cloud, sim::Simulation&, const Instances& instances,
                     const Parameters&) {
  cloud.reboot_instances(instances);
  return {};
}

// ---- stops

constexpr const char* kStartAfter = "startInstancesAfterDuration";

std::optional<sim::Duration> start_after(const Parameters& parameters) {
  if (!parameters.contains(kStartAfter)) return {};
  return duration_in(parameters, kStartAfter, std::chrono::minutes{1}, std::chrono::hours{12});
}
void check_stop(const Parameters& parameters) {
  check_only(parameters, kStartAfter);
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
sim::Duration stop(Cloud& cloud, sim::Simulation& simulation, const Instances& instances,
                   const Parameters& parameters) {
  cloud.stop_instances(instances);
  const auto takes = start_after(parameters);
  if (!takes) return {};
  simulation.after(*takes, [&cloud, instances] { start_stopped(cloud, instances); });
  return *takes;
}

void check_wait(const Parameters& parameters) {
  check_only(parameters, "duration");
  duration_in(parameters, "duration", std::chrono::minutes{1}, std::chrono::hours{12});
}
sim::Duration wait(Cloud&, sim::Simulation&, const Instances&, const Parameters& parameters) {
  return duration_in(parameters, "duration", std::chrono::minutes{1}, std::chrono::hours{12});
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
  const auto found = std::ranges::find(kActions, id, &ExperimentActionKind::id);
  if (found != std::end(kActions)) return *found;
  std::string known;
  for (const ExperimentActionKind& kind : kActions)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.id);
  throw invalid(fmt::format("The action {} is not part of this simulated AWS, expected one of: {}",
                            id, known));
}

}  // namespace fakes::fis
