#include "sim/explore/world_state.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "sim/events/event.h"

namespace sim::explore {
namespace {

// IDs are another run's in another world: "vol-0ab…" becomes "vol".
std::string without_ids(const std::string& value) {
  const auto dash = value.find('-');
  if (dash == std::string::npos || dash > 3) return value;
  const bool id = value.size() > dash + 8 &&
                  value.find_first_not_of("0123456789abcdef", dash + 1) == std::string::npos;
  return id ? value.substr(0, dash) : value;
}

// What a tag says beside names is mostly an instant or a count.
bool varies(const std::string& value) {
  return !value.empty() && value.find_first_not_of("0123456789.:-TZ") == std::string::npos;
}

}  // namespace

void WorldState::listen(events::Listeners& log) {
  log.on(*this, &WorldState::instance_state);
  log.on<events::InstanceNotice>([this](const events::InstanceNotice& event) {
    instances_[std::string(event.instance_id)].noticed = true;
  });
  log.on(*this, &WorldState::volume_state);
  log.on<events::AttachmentState>([this](const events::AttachmentState& event) {
    volumes_[std::string(event.volume_id)].attachment = event.to;
  });
  log.on(*this, &WorldState::snapshot_state);
  log.on<events::FleetState>(
      [this](const events::FleetState& event) { fleets_[std::string(event.fleet_id)] = event.to; });
  log.on(*this, &WorldState::tags_created);
  log.on(*this, &WorldState::tags_deleted);
  log.on(*this, &WorldState::phase);
  log.on(*this, &WorldState::call);
  log.on(*this, &WorldState::checkpoint_durable);
  using enum events::Kind;
  for (const events::Kind kind :
       {kTrainerStart, kTrainerCheckpointBegin, kTrainerCheckpointSnapshot,
        kTrainerCheckpointWritten, kTrainerCheckpointFailed, kTrainerCheckpointRejected,
        kTrainerDiverged, kTrainerCrash, kTrainerStop, kTrainerFinished})
    log.on_kind(kind,
                [this](const events::AnyEvent& event, std::string_view) { trainer_tells(event); });
}

void WorldState::instance_state(const events::InstanceState& event) {
  Instance& instance = instances_[std::string(event.instance_id)];
  instance.state = event.to;
  if (!event.is_new()) return;
  instance.number = static_cast<int>(instances_.size());
  instance.zone = event.availability_zone;
  instance.lifecycle = event.lifecycle;
}

void WorldState::volume_state(const events::VolumeState& event) {
  Volume& volume = volumes_[std::string(event.volume_id)];
  volume.state = event.to;
  if (!event.is_new()) return;
  volume.zone = event.availability_zone;
  const auto made_from = snapshots_.find(std::string(event.snapshot_id));
  if (made_from != snapshots_.end()) volume.checkpoint = made_from->second.checkpoint;
}

void WorldState::snapshot_state(const events::SnapshotState& event) {
  Snapshot& snapshot = snapshots_[std::string(event.snapshot_id)];
  if (event.from.empty()) snapshot.checkpoint = volumes_[std::string(event.volume_id)].checkpoint;
  snapshot.state = event.to;
}

void WorldState::tags_created(const events::TagsCreated& event) {
  Tags& tags = tags_[std::string(event.resource_id)];
  for (const auto& [name, value] : event.tags.get().items()) tags[name] = value.get<std::string>();
}

void WorldState::tags_deleted(const events::TagsDeleted& event) {
  Tags& tags = tags_[std::string(event.resource_id)];
  for (const Json& name : event.tags.get()) tags.erase(name.get<std::string>());
}

void WorldState::phase(const events::OrchestratorPhase& event) {
  const auto known = instances_.find(std::string(event.instance_id));
  if (known == instances_.end()) return;
  known->second.phase = event.name;
  known->second.last_call.clear();
}

void WorldState::call(const events::ApiCall& event) {
  const auto caller = instances_.find(std::string(event.caller));
  std::string& last = caller == instances_.end() ? operator_call_ : caller->second.last_call;
  last = fmt::format("{} {}", event.action, event.result);
}

void WorldState::checkpoint_durable(const events::TrainerCheckpointDurable& event) {
  newest_ = std::max(newest_, event.step);
  for (auto& [id, candidate] : volumes_)
    if (candidate.state == "in-use") candidate.checkpoint = newest_;
}

void WorldState::trainer_tells(const events::AnyEvent& event) {
  const auto known = instances_.find(event.text("instance_id"));
  if (known != instances_.end()) known->second.last_call = event.name();
}

std::string WorldState::tags_of(const std::string& id) const {
  const auto found = tags_.find(id);
  std::string all;
  if (found == tags_.end()) return all;
  for (const auto& [name, value] : found->second)
    all += fmt::format("{}={},", name, varies(value) ? "" : without_ids(value));
  return all;
}

std::uint64_t WorldState::hash() const {
  std::vector<std::string> parts;
  const auto newest = [this](std::int64_t checkpoint) {
    return checkpoint == 0 ? "none" : checkpoint == newest_ ? "newest" : "older";
  };
  for (const auto& [id, i] : instances_)
    if (i.state != "terminated")
      parts.push_back(fmt::format("i {} {} {} {} {} {}", i.state, i.zone, i.lifecycle, i.phase,
                                  i.last_call, i.noticed));
  for (const auto& [id, v] : volumes_)
    if (v.state != "deleted")
      parts.push_back(fmt::format("v {} {} {} {} {}", v.state, v.zone, v.attachment,
                                  newest(v.checkpoint), tags_of(id)));
  for (const auto& [id, s] : snapshots_)
    if (s.state != "deleted")
      parts.push_back(fmt::format("s {} {} {}", s.state, newest(s.checkpoint), tags_of(id)));
  for (const auto& [id, state] : fleets_) parts.push_back("f " + state);
  parts.push_back("o " + operator_call_);
  std::ranges::sort(parts);
  const std::string all = fmt::format("{}", fmt::join(parts, "\n"));
  return XXH3_64bits(all.data(), all.size());
}

std::string WorldState::machine(const std::string& name) const {
  const auto found = instances_.find(name);
  return found == instances_.end() ? name : std::to_string(found->second.number);
}

bool WorldState::instance_runs() const {
  return std::ranges::any_of(instances_,
                             [](const auto& entry) { return entry.second.state == "running"; });
}

bool WorldState::spot_runs() const {
  return std::ranges::any_of(instances_, [](const auto& entry) {
    return entry.second.state == "running" && entry.second.lifecycle == "spot";
  });
}

}  // namespace sim::explore
