#include "sim/explore/world_state.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace sim::explore {
namespace {

const std::string kOperator = "operator";

// Removes IDs, which differ between runs: "vol-0ab…" becomes "vol".
std::string without_ids(const std::string& value) {
  const auto dash = value.find('-');
  if (dash == std::string::npos || dash > 3) return value;
  const bool id = value.size() > dash + 8 &&
                  value.find_first_not_of("0123456789abcdef", dash + 1) == std::string::npos;
  return id ? value.substr(0, dash) : value;
}

// True for tag values with times or counts, which differ between equivalent states.
bool varies(const std::string& value) {
  return !value.empty() && value.find_first_not_of("0123456789.:-TZ") == std::string::npos;
}

}  // namespace

void WorldState::listen_to_groups(events::Listeners& log) {
  log.on<events::ElastigroupGroup>([this](const events::ElastigroupGroup& event) {
    elastigroups_[std::string(event.group_id)] = event.change == "deleted" ? 0 : event.target;
  });
  const auto enter = [this](std::string_view member, std::string_view state) {
    if (state == "Terminated" || state == "Detached" || state == "DEALLOCATED")
      members_.erase(std::string(member));
    else
      members_[std::string(member)] = state;
  };
  log.on<events::AutoscalingInstance>(
      [enter](const events::AutoscalingInstance& event) { enter(event.instance_id, event.to); });
  log.on<events::ElastigroupInstance>([enter](const events::ElastigroupInstance& event) {
    enter(event.stateful_instance_id, event.to);
  });
}

void WorldState::listen_to_requests(events::Listeners& log) {
  log.on<events::SpotRequestState>([this](const events::SpotRequestState& event) {
    if (event.type == "persistent") persistent_.emplace(event.spot_request_id);
    if (persistent_.contains(event.spot_request_id)) persistent_.emplace(event.instance_id);
  });
}

void WorldState::listen_to_trainers(events::Listeners& log) {
  const auto enter = [this](std::string_view instance, std::string_view now) {
    trainers_.insert_or_assign(std::string(instance), now);
  };
  log.on<events::TrainerStart>([enter](const auto& event) { enter(event.instance_id, "trains"); });
  log.on<events::TrainerStop>([enter](const auto& event) { enter(event.instance_id, "stopped"); });
  log.on<events::TrainerCrash>([enter](const auto& event) { enter(event.instance_id, "stopped"); });
  log.on<events::TrainerFinished>(
      [enter](const auto& event) { enter(event.instance_id, "finished"); });
}

void WorldState::listen(events::Listeners& log, const result::History& history) {
  history_ = &history;
  listen_to_groups(log);
  listen_to_requests(log);
  listen_to_trainers(log);
  log.on<events::OrchestratorPhase>([this](const events::OrchestratorPhase& event) {
    last_calls_.erase(std::string(event.instance_id));
  });
  log.on<events::ApiCall>([this](const events::ApiCall& event) {
    const bool of_instance = history_->instance(event.caller) != nullptr;
    last_calls_[of_instance ? std::string(event.caller) : kOperator] =
        fmt::format("{} {}", event.action, event.result);
  });
  using enum events::Kind;
  for (const events::Kind kind :
       {kTrainerStart, kTrainerCheckpointBegin, kTrainerCheckpointSnapshot,
        kTrainerCheckpointWritten, kTrainerCheckpointFailed, kTrainerCheckpointRejected,
        kTrainerDiverged, kTrainerCrash, kTrainerStop, kTrainerFinished})
    log.on_kind(kind, [this](const events::AnyEvent& event, std::string_view) {
      last_calls_[event.text("instance_id")] = event.name();
    });
}

std::string WorldState::last_call(const std::string& instance) const {
  const auto found = last_calls_.find(instance);
  return found == last_calls_.end() ? "" : found->second;
}

std::string WorldState::tags_of(const std::string& id) const {
  const auto found = history_->tags.find(id);
  std::string all;
  if (found == history_->tags.end()) return all;
  for (const auto& [name, value] : found->second.all)
    all += fmt::format("{}={},", name, varies(value) ? "" : without_ids(value));
  return all;
}

const char* WorldState::checkpoint_on(const std::string& disk) const {
  const auto held = history_->checkpoints.holders.find(disk);
  const std::int64_t step =
      held == history_->checkpoints.holders.end() ? 0 : held->second.durable.value_or(0);
  return step == 0 ? "none" : step == history_->newest_durable() ? "newest" : "older";
}

std::uint64_t WorldState::hash() const {
  std::vector<std::string> parts;
  for (const result::History::Instance& i : history_->instances)
    if (i.state != "terminated")
      parts.push_back(fmt::format("i {} {} {} {} {} {}", i.state, i.zone, i.lifecycle,
                                  i.phases.empty() ? "" : i.phases.back(), last_call(i.id),
                                  i.notice_at.has_value()));
  for (const auto& [id, v] : history_->volumes)
    if (v.state != "deleted")
      parts.push_back(fmt::format("v {} {} {} {} {}", v.state, v.zone, v.attachment.state,
                                  checkpoint_on(id), tags_of(id)));
  for (const auto& [id, s] : history_->snapshots)
    if (s.state != "deleted")
      parts.push_back(fmt::format("s {} {} {}", s.state, checkpoint_on(id), tags_of(id)));
  for (const auto& [id, state] : history_->fleets) parts.push_back("f " + state);
  for (const auto& [name, desired] : history_->groups)
    if (desired > 0) parts.push_back(fmt::format("g {}", desired));
  for (const auto& [id, target] : elastigroups_)
    if (target > 0) parts.push_back(fmt::format("g {}", target));
  for (const auto& [id, state] : members_) parts.push_back("m " + state);
  parts.push_back("o " + last_call(kOperator));
  std::ranges::sort(parts);
  const std::string all = fmt::format("{}", fmt::join(parts, "\n"));
  return XXH3_64bits(all.data(), all.size());
}

std::string WorldState::machine(std::string_view name) const {
  const auto place = history_->places.find(name);
  return place == history_->places.end() ? std::string(name) : std::to_string(place->second + 1);
}

// EC2 user guide, "Stop and start Amazon EC2 instances" and "Manage your Spot Instances".
bool WorldState::may_be_stopped(const result::History::Instance& instance) const {
  return instance.state == "running" && instance.managed_by.empty() &&
         (instance.lifecycle != "spot" || persistent_.contains(instance.id));
}

// The instance of that number in the order of launch. Null: it is no number of an instance.
const result::History::Instance* WorldState::numbered(std::string_view machine) const {
  std::size_t number = 0;
  std::from_chars(machine.data(), machine.data() + machine.size(), number);
  return number >= 1 && number <= history_->instances.size() ? &history_->instances[number - 1]
                                                             : nullptr;
}

bool WorldState::can_stop(std::string_view machine) const {
  if (const auto* const instance = numbered(machine)) return may_be_stopped(*instance);
  const std::vector<result::History::Instance>& all = history_->instances;
  const auto newest =
      std::ranges::find(all.rbegin(), all.rend(), "running", &result::History::Instance::state);
  return newest != all.rend() && may_be_stopped(*newest);
}

std::string_view WorldState::training(std::string_view machine) const {
  const result::History::Instance* const instance = numbered(machine);
  const auto found = instance ? trainers_.find(instance->id) : trainers_.end();
  return found == trainers_.end() ? std::string_view() : found->second;
}

bool WorldState::instance_runs() const {
  return std::ranges::any_of(history_->instances, [](const result::History::Instance& instance) {
    return instance.state == "running";
  });
}

bool WorldState::spot_runs() const {
  return std::ranges::any_of(history_->instances, [](const result::History::Instance& instance) {
    return instance.state == "running" && instance.lifecycle == "spot";
  });
}

}  // namespace sim::explore
