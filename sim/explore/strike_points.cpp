#include "sim/explore/strike_points.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::explore {
namespace {

// The fields that distinguish lines of one kind.
std::map<std::string, std::string> telling(const events::AnyEvent& line) {
  std::map<std::string, std::string> fields;
  for (const char* field : {"to", "name"})
    if (const std::string value = line.text(field); !value.empty()) fields[field] = value;
  return fields;
}

// Lines without a step of a resource or program: the bill, a guest's output, the run itself.
bool tells_nothing(events::Kind kind) {
  using enum events::Kind;
  static const std::set<events::Kind> kSilent{kPrice,
                                              kCapacity,
                                              kCharge,
                                              kFleetHistory,
                                              kSpotRequestStatus,
                                              kTagsCreated,
                                              kTagsDeleted,
                                              kFaultStrike,
                                              kFaultDamage,
                                              kFaultMade,
                                              kFaultSilence,
                                              kGuestExit,
                                              kRunStart,
                                              kRunEnd,
                                              kGuestDownload,
                                              kImdsRequest,
                                              kApiCall,
                                              kScenarioInterruption,
                                              kGuestBadEvent,
                                              kGuestRefused,
                                              kGuestCommandError,
                                              kGuestOutputFull,
                                              kGuestSpun,
                                              kControl,
                                              kNetworkConnected,
                                              kNetworkRefused,
                                              kNetworkUnanswered,
                                              kNetworkClosed};
  return kSilent.contains(kind);
}

}  // namespace

void StrikePoints::add(StrikePoint::Kind kind, faults::When when, std::string about,
                       const std::string& machine, Time at) {
  const bool same = instant_taken_ && instant_ == at;
  instant_ = at;
  instant_taken_ = kind != StrikePoint::Kind::kCall && kind != StrikePoint::Kind::kMetadata;
  all_.push_back({.kind = kind,
                  .when = std::move(when),
                  .about = std::move(about),
                  .machine = machine,
                  .at = at,
                  .state = world_.hash(),
                  .instance_runs = world_.instance_runs(),
                  .spot_runs = world_.spot_runs(),
                  .can_stop = world_.can_stop(machine),
                  .training = world_.training(machine),
                  .same_instant = same});
}

void StrikePoints::listen(events::Listeners& log, const result::History& history) {
  // A call's point has the state of the world before the call. Other lines have the state after
  // them.
  log.on(*this, &StrikePoints::call);
  world_.listen(log, history);
  log.on(*this, &StrikePoints::metadata);
  log.on_all([this](const events::AnyEvent& line, std::string_view) {
    if (!tells_nothing(line.kind())) hear(line);
    follow_recovery(line);
  });
}

void StrikePoints::call(const events::ApiCall& event) {
  polled_.clear();
  const std::string action(event.action), caller = world_.machine(event.caller);
  faults::OnCall on{.side = faults::OnCall::Side::kBefore,
                    .action = action,
                    .caller = caller,
                    .nth = ++seen_[fmt::format("call {} {}", caller, action)]};
  add(StrikePoint::Kind::kCall, on, action, caller, event.time);
  if (event.result != "ok") return;
  on.side = faults::OnCall::Side::kAfter;
  on.nth = ++seen_[fmt::format("answered {} {}", caller, action)];
  add(StrikePoint::Kind::kAnsweredCall, on, action, caller, event.time);
}

void StrikePoints::metadata(const events::ImdsRequest& event) {
  const std::string path(event.path), instance = world_.machine(event.instance_id);
  const std::string which = fmt::format("imds {} {}", instance, path);
  const int nth = ++seen_[which];
  // A program that polls without success is struck only at the first poll.
  const bool nothing = event.status == 404;
  if (nothing && !polled_.insert(which).second) return;
  add(StrikePoint::Kind::kMetadata,
      faults::OnMetadata{.path = path, .instance = instance, .nth = nth}, path, instance,
      event.time);
}

void StrikePoints::hear(const events::AnyEvent& line) {
  const bool step = line.kind() == events::Kind::kTrainerStep;
  const auto fields = telling(line);
  std::string words(line.name());
  for (const auto& [name, value] : fields) words += " " + value;
  const int nth = ++seen_[words];
  // Of consecutive training steps only the first counts, because the others are equivalent.
  if (!step) polled_.clear();
  if (step && std::exchange(stepped_, true)) return;
  stepped_ = step;
  const std::string name(line.name());
  faults::OnEvent on{.event = name, .fields = fields, .nth = nth};
  const bool phase = line.kind() == events::Kind::kOrchestratorPhase;
  const std::string state = line.text(phase ? "name" : "to");
  add(StrikePoint::Kind::kEvent, on, state.empty() ? name : name + " " + state,
      world_.machine(line.text("instance_id")), line.time());
}

void StrikePoints::follow_recovery(const events::AnyEvent& line) {
  using enum events::Kind;
  if (const auto* strike = line.as<events::FaultStrike>()) {
    if (strike->fault <= own_) return;
    if (struck_.empty()) recovery_begins_ = all_.size();
    struck_.insert(strike->fault);
  }
  if (struck_.empty() || recovery_ends_ != SIZE_MAX) return;
  const std::string instance = line.text("instance_id");
  if (line.kind() == kInstanceNotice) leaving_.insert(instance);
  if (leaving_.contains(instance)) return;
  if (line.kind() == kTrainerStep) trained_since_ = true;
  const bool saved =
      line.kind() == kTrainerCheckpointDurable || line.kind() == kTrainerCheckpointWritten;
  if (saved && trained_since_) recovery_ends_ = all_.size();
}

std::vector<StrikePoint> StrikePoints::in_recovery() const {
  if (struck_.empty()) return {};
  const auto end = std::min(recovery_ends_, all_.size());
  return {all_.begin() + static_cast<std::ptrdiff_t>(recovery_begins_),
          all_.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace sim::explore
