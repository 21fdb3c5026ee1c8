#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "sim/cloud/snapshot_rules.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::Snapshot;
using sim::cloud::SnapshotState;
using Values = std::vector<std::string>;

// "NN%" of the snapshot's duration. It is 100 % only when the snapshot is completed.
std::string progress(const Snapshot& snapshot, sim::Time now) {
  if (snapshot.state == SnapshotState::kCompleted) return "100%";
  if (snapshot.duration <= sim::Duration::zero()) return "0%";
  const double part = sim::seconds(now - snapshot.started_at) / sim::seconds(snapshot.duration);
  return fmt::format("{}%", std::clamp(static_cast<int>(part * 100), 0, 99));
}

constexpr FilterRow<Snapshot> kSnapshotFilters[] = {
    {"description", [](const Snapshot& s, Backend&) { return Values{s.description}; }},
    {"encrypted",
     [](const Snapshot& s, Backend&) { return Values{s.encrypted ? "true" : "false"}; }},
    {"owner-alias", no_value<Snapshot>},
    {"owner-id", [](const Snapshot&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"progress",
     [](const Snapshot& s, Backend& w) { return Values{progress(s, w.simulation.now())}; }},
    {"snapshot-id", [](const Snapshot& s, Backend&) { return Values{s.id.value}; }},
    {"start-time",
     [](const Snapshot& s, Backend&) { return Values{sim::iso_milliseconds(s.started_at)}; }},
    {"status", [](const Snapshot& s, Backend&) { return Values{std::string(name(s.state))}; }},
    {"storage-tier", [](const Snapshot&, Backend&) { return Values{"standard"}; }},
    {"transfer-type", no_value<Snapshot>},
    {"volume-id", [](const Snapshot& s, Backend&) { return Values{s.volume.value}; }},
    {"volume-size",
     [](const Snapshot& s, Backend&) { return Values{std::to_string(s.volume_size_gib)}; }},
};

const sim::cloud::Tags& tags_of(const Snapshot& snapshot) { return snapshot.tags; }

aws::Snapshot shown(const Call& call, const Snapshot& snapshot) {
  aws::Snapshot out{.description = snapshot.description,
                    .encrypted = snapshot.encrypted,
                    .full_snapshot_size_in_bytes = snapshot.stored_bytes,
                    .owner_id = call.cloud.config().account_id,
                    .progress = progress(snapshot, call.now),
                    .snapshot_id = snapshot.id.value,
                    .start_time = timestamp(snapshot.started_at),
                    .state = std::string(name(snapshot.state)),
                    .storage_tier = "standard",
                    .tags = shown_tags(snapshot.tags),
                    .volume_id = snapshot.volume.value,
                    .volume_size = snapshot.volume_size_gib};
  if (snapshot.encrypted) out.kms_key_id = snapshot.kms_key_id;
  return out;
}

aws::SnapshotInfo shown_info(const Call& call, const Snapshot& snapshot) {
  const aws::Snapshot all = shown(call, snapshot);
  return {.description = all.description,
          .encrypted = all.encrypted,
          .owner_id = all.owner_id,
          .progress = all.progress,
          .snapshot_id = all.snapshot_id,
          .start_time = all.start_time,
          .state = all.state,
          .tags = all.tags,
          .volume_id = all.volume_id,
          .volume_size = all.volume_size};
}

// The volumes of an instance, without the excluded ones. "If you specify the ID of the root volume,
// the request fails" (EC2 API reference, InstanceSpecification).
std::vector<const sim::cloud::Volume*> chosen_volumes(const Call& call,
                                                      const aws::InstanceSpecification& asked) {
  const auto& instance = call.cloud.shown(instance_id(required(asked.instance_id, "InstanceId")));
  Values excluded = asked.exclude_data_volume_ids;
  std::vector<const sim::cloud::Volume*> volumes;
  for (const auto& id : call.cloud.attached_to(instance.id)) {
    const sim::cloud::Volume& volume = call.cloud.volume(id);
    const bool is_excluded = std::erase(excluded, id.value) > 0;
    if (is_excluded && volume.root)
      throw invalid("ExcludeDataVolumeId", id.value,
                    "To exclude the root volume, use ExcludeBootVolume.");
    if (is_excluded || (volume.root && asked.exclude_boot_volume.value_or(false))) continue;
    volumes.push_back(&volume);
  }
  if (!excluded.empty())
    throw invalid("ExcludeDataVolumeId", excluded.front(),
                  fmt::format("It is not attached to {}.", instance.id.value));
  return volumes;
}

// A snapshot that CreateSnapshots makes.
struct NewSnapshot {
  sim::cloud::VolumeId volume;
  sim::cloud::Tags tags;
};

std::ptrdiff_t pending_snapshots(const Call& call, const sim::cloud::VolumeId& volume) {
  return std::ranges::count_if(call.cloud.snapshots(), [&](const auto& entry) {
    const Snapshot& snapshot = entry.second;
    return snapshot.volume == volume && snapshot.state == SnapshotState::kPending &&
           !snapshot.deleted_at;
  });
}

// Checks all volumes, because CreateSnapshots makes all snapshots or none. The request's tags have
// priority over those of the volumes.
std::vector<NewSnapshot> checked_snapshots(const Call& call,
                                           const aws::CreateSnapshotsRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "snapshot");
  if (!request.instance_specification) throw missing("InstanceSpecification");
  const auto volumes = chosen_volumes(call, *request.instance_specification);
  const bool copies_tags =
      choice(request.copy_tags_from_source, "CopyTagsFromSource", {"", "volume"}) == "volume";
  std::vector<NewSnapshot> snapshots;
  for (const sim::cloud::Volume* const volume : volumes) {
    NewSnapshot made{.volume = volume->id, .tags = tags};
    if (copies_tags) made.tags.merge(sim::cloud::copied_tags(volume->tags));
    sim::cloud::check_new_snapshot(*volume, pending_snapshots(call, volume->id), made.tags);
    snapshots.push_back(std::move(made));
  }
  return snapshots;
}

// All snapshots belong to this account, so every OWNER.N must be the account.
bool owned_by(const Call& call, const std::vector<std::string>& owners) {
  return owners.empty() || std::any_of(owners.begin(), owners.end(), [&](const std::string& owner) {
           return owner == "self" || owner == call.cloud.config().account_id;
         });
}

}  // namespace

aws::Snapshot create_snapshot(Call& call, const aws::CreateSnapshotRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "snapshot");
  const auto from = call.cloud.shown(volume_id(required(request.volume_id, "VolumeId"))).id;
  const auto id = call.cloud.create_snapshot(from, text(request.description), tags);
  return shown(call, call.cloud.snapshot(id));
}

aws::CreateSnapshotsResult create_snapshots(Call& call,
                                            const aws::CreateSnapshotsRequest& request) {
  aws::CreateSnapshotsResult response;
  response.snapshots.give();
  std::vector<sim::cloud::SnapshotId> ids;
  for (const NewSnapshot& made : checked_snapshots(call, request)) {
    const auto id = call.cloud.create_snapshot(made.volume, text(request.description), made.tags);
    response.snapshots.push_back(shown_info(call, call.cloud.snapshot(id)));
    ids.push_back(id);
  }
  call.cloud.join_snapshots(ids);
  return response;
}

aws::CopySnapshotResult copy_snapshot(Call& call, const aws::CopySnapshotRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "snapshot");
  Backend& there = source_region(call, request.source_region);
  const auto from =
      there.cloud.shown(snapshot_id(required(request.source_snapshot_id, "SourceSnapshotId"))).id;
  const auto id = call.cloud.copy_snapshot(there.cloud, from,
                                           {.description = text(request.description),
                                            .tags = tags,
                                            .encrypted = request.encrypted.value_or(false),
                                            .kms_key_id = text(request.kms_key_id)});
  return {.snapshot_id = id.value, .tags = shown_tags(tags)};
}

aws::DescribeSnapshotsResult describe_snapshots(Call& call,
                                                const aws::DescribeSnapshotsRequest& request) {
  const Filters<Snapshot> filters(request.filters, kSnapshotFilters, tags_of);
  const Page page(request, {.of = "snapshots", .low = 5, .high = 1000, .cut_down = true});
  page.refuse_with(request.snapshot_ids, "snapshotIds");

  auto snapshots = filters.of(
      call.cloud.snapshots(), "snapshot-id", call.backend, request.snapshot_ids,
      [&](const auto& id) -> const Snapshot& { return call.cloud.shown(snapshot_id(id)); });
  std::erase_if(snapshots, [&](const Snapshot* s) {
    return !call.cloud.shows(*s) || !owned_by(call, request.owner_ids);
  });
  aws::DescribeSnapshotsResult response{.next_token = page.cut(snapshots)};
  response.snapshots.give();
  for (const auto* snapshot : snapshots) response.snapshots.push_back(shown(call, *snapshot));
  return response;
}

op::DeleteSnapshot::Response delete_snapshot(Call& call,
                                             const aws::DeleteSnapshotRequest& request) {
  call.cloud.delete_snapshot(
      call.cloud.shown(snapshot_id(required(request.snapshot_id, "SnapshotId"))).id);
  return {};
}

}  // namespace fakes::ec2
