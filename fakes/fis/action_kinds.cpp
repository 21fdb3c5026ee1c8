// The actions of experiments (AWS FIS User Guide, "AWS FIS Actions reference").
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fakes/fis/parameters.h"

namespace fakes::fis {
namespace {

using Parameters = ActionParameters;

// Strikes each of the instances with this fault of the catalogue.
void strike_each(const StartedAction& action, const InjectedFault& fault) {
  for (const std::string& id : action.resources) {
    InjectedFault one = fault;
    one.machine = id;
    action.faults.push_back(action.all.faults().inject(std::move(one)));
  }
}

// ---- interruptions of spot instances

sim::Duration before_interruption(const Parameters& parameters) {
  return duration_in(parameters, "durationBeforeInterruption", std::chrono::minutes{2},
                     std::chrono::minutes{15});
}
void check_interruption(const Parameters& parameters) { before_interruption(parameters); }
// The recommendation comes at once, the notice two minutes before the interruption. The action is
// completed when the notice is sent. An example in the README of AWS's ec2-spot-interrupter shows
// this: with PT135S, the experiment is completed at most 20 s after its start.
sim::Duration interrupt(const StartedAction& action) {
  const sim::cloud::Durations& durations = action.all.backend.cloud.config().durations;
  const sim::Duration takes = before_interruption(action.parameters);
  const sim::Duration notice = std::min(takes, durations.interruption_notice);
  strike_each(action, {.kind = "rebalance"});
  strike_each(action, {.kind = "interrupt",
                       .arguments = {{"notice", notice}, {"reason", "by-experiment"}},
                       .after = takes - notice});
  action.faults.clear();
  return takes - notice;
}

// ---- others

sim::Duration terminate(const StartedAction& action) {
  strike_each(action, {.kind = "terminate"});
  return {};
}
sim::Duration reboot(const StartedAction& action) {
  strike_each(action, {.kind = "reboot"});
  return {};
}

// ---- stops

constexpr const char* kStartAfter = "startInstancesAfterDuration";

std::optional<sim::Duration> start_after(const Parameters& parameters) {
  if (!parameters.contains(kStartAfter)) return {};
  return duration_in(parameters, kStartAfter, std::chrono::minutes{1}, std::chrono::hours{12});
}
void check_stop(const Parameters& parameters) { start_after(parameters); }
// Without a duration the instances stay stopped.
sim::Duration stop(const StartedAction& action) {
  InjectedFault fault{.kind = "stop"};
  const auto takes = start_after(action.parameters);
  if (takes) fault.arguments["for"] = *takes;
  strike_each(action, fault);
  return takes.value_or(sim::Duration{});
}

void check_wait(const Parameters& parameters) {
  duration_in(parameters, "duration", std::chrono::minutes{1}, std::chrono::hours{12});
}
sim::Duration wait(const StartedAction& action) {
  return duration_in(action.parameters, "duration", std::chrono::minutes{1},
                     std::chrono::hours{12});
}

constexpr NeededPermission kReboot[] = {{"ec2:RebootInstances"}};
constexpr NeededPermission kInterrupt[] = {{"ec2:SendSpotInstanceInterruptions"}};
constexpr NeededPermission kStop[] = {{"ec2:StopInstances"},
                                      {"ec2:StartInstances", "", kStartAfter}};
constexpr NeededPermission kTerminate[] = {{"ec2:TerminateInstances"}};

constexpr ActionParameterRow kBeforeInterruption[] = {
    {"durationBeforeInterruption", "The time from the rebalance recommendation to the interruption",
     false}};
constexpr ActionParameterRow kStartAgain[] = {
    {kStartAfter, "The time after which the instances start again", false}};
constexpr ActionParameterRow kDuration[] = {{"duration", "The time that the action takes"}};

constexpr ExperimentActionKind kActions[] = {
    {"aws:ec2:reboot-instances",
     "Reboots instances",
     "Instances",
     "aws:ec2:instance",
     {},
     nullptr,
     reboot,
     kReboot},
    {"aws:ec2:send-spot-instance-interruptions", "Interrupts spot instances after a notice",
     "SpotInstances", "aws:ec2:spot-instance", kBeforeInterruption, check_interruption, interrupt,
     kInterrupt},
    {"aws:ec2:stop-instances", "Stops instances", "Instances", "aws:ec2:instance", kStartAgain,
     check_stop, stop, kStop},
    {"aws:ec2:terminate-instances",
     "Terminates instances",
     "Instances",
     "aws:ec2:instance",
     {},
     nullptr,
     terminate,
     kTerminate},
    {"aws:fis:wait", "Waits", "", "", kDuration, check_wait, wait}};

}  // namespace

const std::vector<const ExperimentActionKind*>& action_kinds() {
  static const auto all = [] {
    std::vector<const ExperimentActionKind*> kinds;
    const std::span<const ExperimentActionKind> tables[] = {kActions, fault_actions()};
    for (const auto table : tables)
      for (const ExperimentActionKind& kind : table) kinds.push_back(&kind);
    std::ranges::sort(kinds, {}, &ExperimentActionKind::id);
    return kinds;
  }();
  return all;
}

const ExperimentActionKind& action_kind(const std::string& id) {
  std::string known;
  for (const ExperimentActionKind* const kind : action_kinds()) {
    if (kind->id == id) return *kind;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", kind->id);
  }
  throw invalid_parameter(fmt::format(
      "The action {} is not part of this simulated AWS, expected one of: {}", id, known));
}

}  // namespace fakes::fis
