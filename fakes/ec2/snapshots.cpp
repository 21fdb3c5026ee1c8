#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::Snapshot;
using sim::cloud::SnapshotState;
using Values = std::vector<std::string>;

// "NN%" of the time that it takes; all of it only when it is completed.
std::string progress(const Snapshot& snapshot, sim::Time now) {
  if (snapshot.state == SnapshotState::kCompleted) return "100%";
  if (snapshot.duration <= sim::Duration::zero()) return "0%";
  const double part = sim::seconds(now - snapshot.started_at) / sim::seconds(snapshot.duration);
  return fmt::format("{}%", std::clamp(static_cast<int>(part * 100), 0, 99));
}

constexpr FilterRow<Snapshot> kSnapshotFilters[] = {
    {"description", [](const Snapshot& s, Backend&) { return Values{s.description}; }},
    {"encrypted", [](const Snapshot&, Backend&) { return Values{"false"}; }},
    {"owner-id", [](const Snapshot&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"progress",
     [](const Snapshot& s, Backend& w) { return Values{progress(s, w.simulation.now())}; }},
    {"snapshot-id", [](const Snapshot& s, Backend&) { return Values{s.id.value}; }},
    {"start-time",
     [](const Snapshot& s, Backend&) { return Values{sim::iso_milliseconds(s.started_at)}; }},
    {"status", [](const Snapshot& s, Backend&) { return Values{std::string(name(s.state))}; }},
    {"storage-tier", [](const Snapshot&, Backend&) { return Values{"standard"}; }},
    {"volume-id", [](const Snapshot& s, Backend&) { return Values{s.volume.value}; }},
    {"volume-size",
     [](const Snapshot& s, Backend&) { return Values{std::to_string(s.volume_size_gib)}; }},
};

const sim::cloud::Tags& tags_of(const Snapshot& snapshot) { return snapshot.tags; }

void render(Node out, const Call& call, const Snapshot& snapshot) {
  add_text(out, "snapshotId", snapshot.id.value);
  add_text(out, "volumeId", snapshot.volume.value);
  add_text(out, "status", std::string(name(snapshot.state)));
  add_time(out, "startTime", snapshot.started_at);
  add_text(out, "progress", progress(snapshot, call.now));
  add_text(out, "ownerId", call.cloud.config().account_id);
  add_integer(out, "volumeSize", snapshot.volume_size_gib);
  add_text(out, "description", snapshot.description);
  add_tags(out, snapshot.tags);
  add_flag(out, "encrypted", false);
  add_text(out, "storageTier", "standard");
}

// Every snapshot here is this account's: OWNER.N must name it.
bool owned_by(const Call& call, const std::vector<std::string>& owners) {
  return owners.empty() || std::any_of(owners.begin(), owners.end(), [&](const std::string& owner) {
           return owner == "self" || owner == call.cloud.config().account_id;
         });
}

}  // namespace

void create_snapshot(Call& call) {
  const std::string volume = call.in.required("VolumeId");
  const std::string description = call.in.text("Description").value_or("");
  call.in.refuse("OutpostArn");
  const auto tags = read_tag_specification(call.in, "snapshot");
  call.start();

  const auto from = find_volume(call, volume_id(volume)).id;
  const auto id = call.cloud.create_snapshot(from, description, tags);
  render(call.out, call, call.cloud.snapshot(id));
}

void describe_snapshots(Call& call) {
  const auto ids = call.in.list("SnapshotId");
  const auto owners = call.in.list("Owner");
  call.in.accept("RestorableBy");  // one account only
  const Filters<Snapshot> filters(call.in, kSnapshotFilters, tags_of);
  const Page page(call.in, 5, 1000);
  page.refuse_with(ids, "snapshotIds");
  call.start();

  std::vector<const Snapshot*> snapshots;
  for (const auto& id : ids) snapshots.push_back(&find_snapshot(call, snapshot_id(id)));
  if (ids.empty()) {
    for (const auto& [id, snapshot] : call.cloud.snapshots()) {
      if (visible(snapshot)) snapshots.push_back(&snapshot);
    }
  }
  std::erase_if(snapshots, [&](const Snapshot* s) {
    return !owned_by(call, owners) || !filters.match(*s, call.backend);
  });
  page.cut(snapshots, call.out);
  Node set = call.out.append_child("snapshotSet");
  for (const auto* snapshot : snapshots) render(set.append_child("item"), call, *snapshot);
}

void delete_snapshot(Call& call) {
  const std::string snapshot = call.in.required("SnapshotId");
  call.start();

  call.cloud.delete_snapshot(find_snapshot(call, snapshot_id(snapshot)).id);
  add_flag(call.out, "return", true);
}

}  // namespace fakes::ec2
