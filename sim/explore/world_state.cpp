#include "sim/explore/world_state.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "sim/result/event_fields.h"

namespace sim::explore {
namespace {

using run::whole;

std::string word(const Event& line, std::string_view field) {
  return std::string(run::text(line, field));
}

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

void WorldState::hear_instance(const std::string& id, const Event& line) {
  Instance& instance = instances_[id];
  instance.state = word(line, "to");
  if (!word(line, "from").empty()) return;
  instance.number = static_cast<int>(instances_.size());
  instance.zone = word(line, "availability_zone");
  instance.lifecycle = word(line, "lifecycle");
}

void WorldState::hear_volume(const std::string& id, const Event& line) {
  Volume& volume = volumes_[id];
  volume.state = word(line, "to");
  if (!word(line, "from").empty()) return;
  volume.zone = word(line, "availability_zone");
  const auto made_from = snapshots_.find(word(line, "snapshot_id"));
  if (made_from != snapshots_.end()) volume.checkpoint = made_from->second.checkpoint;
}

void WorldState::hear(const Event& line) {
  const std::string& kind = line.kind;
  const std::string instance = word(line, "instance_id"), volume = word(line, "volume_id");
  if (kind == "instance.state") {
    hear_instance(instance, line);
  } else if (kind == "instance.notice") {
    instances_[instance].noticed = true;
  } else if (kind == "volume.state") {
    hear_volume(volume, line);
  } else if (kind == "attachment.state") {
    volumes_[volume].attachment = word(line, "to");
  } else if (kind == "snapshot.state") {
    Snapshot& snapshot = snapshots_[word(line, "snapshot_id")];
    if (word(line, "from").empty()) snapshot.checkpoint = volumes_[volume].checkpoint;
    snapshot.state = word(line, "to");
  } else if (kind == "fleet.state") {
    fleets_[word(line, "fleet_id")] = word(line, "to");
  } else if (kind == "tags.created") {
    for (const auto& [name, value] : line.fields.at("tags").items())
      tags_[word(line, "resource_id")][name] = value.get<std::string>();
  } else if (kind == "tags.deleted") {
    for (const auto& name : line.fields.at("tags"))
      tags_[word(line, "resource_id")].erase(name.get<std::string>());
  } else if (kind == "orchestrator.phase") {
    if (const auto known = instances_.find(instance); known != instances_.end()) {
      known->second.phase = word(line, "name");
      known->second.last_call.clear();
    }
  } else if (kind == "api.call") {
    const std::string caller = word(line, "caller");
    std::string& last = instances_.contains(caller) ? instances_[caller].last_call : operator_call_;
    last = word(line, "action") + " " + word(line, "result");
  } else if (kind == "trainer.checkpoint-durable") {
    newest_ = std::max(newest_, whole(line, "step"));
    for (auto& [id, candidate] : volumes_)
      if (candidate.state == "in-use") candidate.checkpoint = newest_;
  } else if (kind.starts_with("trainer.") && kind != "trainer.step") {
    if (instances_.contains(instance)) instances_[instance].last_call = kind;
  }
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
