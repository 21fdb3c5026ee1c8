#include "sim/cli/run/remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "sim/result/missing_action.h"

namespace sim::cli {
namespace {

// cloud-init's message about user data in an unknown format.
constexpr std::string_view kUnhandled = "Unhandled non-multipart";

// Adds a text that the list does not have yet.
void add(std::vector<std::string>& list, const std::string& text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

}  // namespace

void Remarks::listen(events::Listeners& log, Warn at_once) {
  warn_ = std::move(at_once);
  log.on(*this, &Remarks::command_error);
  log.on<events::InstanceState>([this](const events::InstanceState&) { launched_ = true; });
  log.on<events::GuestExit>([this](const events::GuestExit& event) {
    if (event.machine == "operator") operator_failed_ = event.status != 0;
  });
  log.on<events::GuestUserData>([this](const events::GuestUserData& event) {
    user_data_.emplace(event.machine, event.warning);  // the first
  });
  log.on<events::GuestBadEvent>([this](const events::GuestBadEvent& event) {
    if (++bad_lines_ == 1)
      first_bad_ = fmt::format("{}: {}: {}", event.instance_id, event.line, event.why);
  });
  log.on<events::IamDenied>([this](const events::IamDenied& event) {
    add(denied_, fmt::format("{} ({})", event.action, event.caller));
  });
  log.on<events::AlarmWithoutData>([this](const events::AlarmWithoutData& event) {
    add(without_data_, fmt::format("{} ({})", event.alarm, event.metric));
  });
  log.on<events::AlarmAction>([this](const events::AlarmAction& event) {
    if (!trained_ && cpu_alarms_.contains(event.alarm)) add(blind_, std::string(event.alarm));
  });
  log.on<events::TrainerStart>([this](const events::TrainerStart&) { trained_ = true; });
  log.on<events::TrainerStep>([this](const events::TrainerStep&) { trained_ = true; });
  log.on(*this, &Remarks::call);
}

void Remarks::call(const events::ApiCall& event) {
  if (event.service == "monitoring" && event.action == "PutMetricAlarm") {
    const Json& request = event.request.get();
    if (request.value("MetricName", "") == "CPUUtilization")
      cpu_alarms_.insert(request.value("AlarmName", ""));
  }
  if (event.result == "ok" || event.caller != "operator") return;
  add(refused_,
      fmt::format("{} ({})", result::action_of(event.service, event.action), event.result));
}

void Remarks::command_error(const events::GuestCommandError& event) {
  if (!warn_ || !command_errors_.emplace(event.message).second) return;
  warn_(fmt::format("{}: {}: {}", event.machine,
                    event.status == 127 ? "a command is missing" : "git clone failed",
                    event.message));
}

std::vector<std::string> Remarks::all() const {
  std::vector<std::string> all;
  if (!denied_.empty())
    all.push_back(fmt::format("IAM refused calls; the missing permissions are {} (docs/iam.md)",
                              fmt::join(denied_, ", ")));
  if (!without_data_.empty())
    all.push_back(
        fmt::format("the metrics of these alarms have no data here: {}; of EC2's metrics only "
                    "CPUUtilization and status checks have data; let a script measure and call "
                    "PutMetricData (docs/events-and-queues.md)",
                    fmt::join(without_data_, ", ")));
  if (!blind_.empty())
    all.push_back(
        fmt::format("these alarms on CPUUtilization acted though no program had reported training: "
                    "{}; an instance without progress lines counts as idle (docs/foreign-jobs.md)",
                    fmt::join(blind_, ", ")));
  if (!launched_)
    all.push_back(fmt::format(
        "no instance was ever launched{}{}{}",
        refused_.empty() ? "" : "; AWS refused the operator's calls ", fmt::join(refused_, ", "),
        operator_failed_ ? ""
                         : "; a script without `set -e` continues after a command has failed"));
  for (const auto& [machine, warning] : user_data_)
    all.push_back(
        warning.starts_with(kUnhandled)
            ? machine +
                  ": its user data was not run, because it does not begin with `#!` (such as "
                  "#!/bin/bash)"
            : fmt::format("{}: cloud-init reports about its user data: {}", machine, warning));
  if (bad_lines_ > 0)
    all.push_back(
        fmt::format("{} of the lines in $JOB_EVENTS {} ignored, the first of {}; docs/event-log.md "
                    "describes the format",
                    bad_lines_, bad_lines_ == 1 ? "was" : "were", first_bad_));
  return all;
}

}  // namespace sim::cli
