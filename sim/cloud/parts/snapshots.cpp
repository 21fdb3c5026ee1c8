#include "sim/cloud/parts/snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/keys.h"
#include "sim/cloud/parts/lookup.h"
#include "sim/cloud/snapshot_rules.h"

namespace sim::cloud {
namespace {
constexpr int kPendingPerVolume = 5;  // EBS quota "Concurrent snapshots per … volume"
}  // namespace

void check_new_snapshot(const Volume& volume, std::ptrdiff_t pending, const Tags& tags) {
  if (volume.state != VolumeState::kAvailable && volume.state != VolumeState::kInUse)
    throw ApiError("IncorrectState",
                   fmt::format("The volume '{}' is '{}'", volume.id.value, name(volume.state)));
  if (pending >= kPendingPerVolume)
    throw ApiError("ConcurrentSnapshotLimitExceeded",
                   "You have exceeded the number of concurrent snapshots for volume " +
                       volume.id.value + ": " + std::to_string(kPendingPerVolume));
  check_tags(tags, {});
}

Snapshots::Snapshots(Context& context, Host& host, Tagging& tagging, Bill& bill)
    : context_(context), host_(host), tagging_(tagging), bill_(bill) {
  tagging.add({.id_prefix = "snap-", .tags = [this](const std::string& id) -> Tags& {
                 shown(SnapshotId{id});
                 return own(SnapshotId{id}).tags;
               }});
}

const Snapshot& Snapshots::find(const SnapshotId& id) const { return look_up(table_, id); }

Snapshot& Snapshots::own(const SnapshotId& id) { return look_up(table_, id); }

const Snapshot& Snapshots::shown(const SnapshotId& id) const {
  const Snapshot& snapshot = find(id);
  if (!is_shown(snapshot)) throw not_found(id);
  return snapshot;
}

bool Snapshots::exist_for(const LaunchSpec& spec) const {
  return std::ranges::all_of(spec.block_devices, [&](const BlockDevice& device) {
    const SnapshotId& from = device.volume.from;
    return from.empty() || !table_.at(from).deleted_at;
  });
}

SnapshotId Snapshots::create(const Volume& volume, const std::string& description,
                             const Tags& tags) {
  const auto pending = std::ranges::count_if(
      completion_, [&](const auto& entry) { return table_.at(entry.first).volume == volume.id; });
  check_new_snapshot(volume, pending, tags);

  Snapshot made;
  made.volume = volume.id;
  made.volume_size_gib = volume.size_gib;
  made.encrypted = volume.encrypted;
  made.kms_key_id = volume.kms_key_id;
  made.root = volume.root;
  made.base_image = volume.base_image;
  made.description = description;
  made.tags = tags;
  Snapshot& snapshot = add(std::move(made));
  if (volume.root && volume.attachment) snapshot.instance = volume.attachment->instance;
  snapshot.stored_bytes = host_.snapshot_disk(snapshot.id, volume.id);
  share(snapshot, shared_with(volume));
  newest_[volume.id] = snapshot.id;
  begin_copying(snapshot);
  return snapshot.id;
}

void Snapshots::join(const std::vector<SnapshotId>& ids) {
  for (const SnapshotId& id : ids) own(id).made_with = ids.front();
}

Snapshot& Snapshots::add(Snapshot made) {
  made.id = context_.ids.snapshot();
  made.state = SnapshotState::kPending;
  made.started_at = made.billed_since = context_.now();
  made.completed_at = {};
  Snapshot& snapshot = table_[made.id];
  snapshot = std::move(made);
  return snapshot;
}

// The existing snapshot that has most blocks of the volume. Volumes with different keys share none.
SnapshotId Snapshots::shared_with(const Volume& volume) const {
  const auto newest = newest_.find(volume.id);
  SnapshotId id = newest == newest_.end() ? volume.snapshot : newest->second;
  while (!id.empty() && find(id).deleted_at) {
    const auto heir = heirs_.find(id);
    id = heir == heirs_.end() ? find(id).previous : heir->second;
  }
  return id.empty() || find(id).kms_key_id != volume.kms_key_id ? SnapshotId{} : id;
}

void Snapshots::share(Snapshot& snapshot, const SnapshotId& previous) {
  const auto changed =
      previous.empty() ? std::optional<std::int64_t>{} : host_.changed_bytes(previous, snapshot.id);
  snapshot.previous = previous;
  snapshot.billed_bytes = changed.value_or(snapshot.stored_bytes);
  snapshot.billed_since = context_.now();
  if (!previous.empty()) next_[previous].push_back(snapshot.id);
}

// The first of the next snapshots keeps the blocks of the deleted one that it needs. The others
// share blocks with that one.
void Snapshots::pass_on(const Snapshot& deleted) {
  if (const auto siblings = next_.find(deleted.previous); siblings != next_.end()) {
    std::erase(siblings->second, deleted.id);
    if (siblings->second.empty()) next_.erase(siblings);
  }
  const auto next = next_.extract(deleted.id);
  if (next.empty()) return;
  heirs_[deleted.id] = next.mapped().front();
  SnapshotId previous = deleted.previous;
  for (const SnapshotId& id : next.mapped()) {
    Snapshot& snapshot = own(id);
    bill_.settle(bill_.of(snapshot));
    share(snapshot, previous);
    if (previous == deleted.previous) previous = id;
  }
}

void Snapshots::begin_copying(Snapshot& snapshot) {
  const Durations& d = context_.config.durations;
  const double mib = static_cast<double>(snapshot.stored_bytes) / (1 << 20);
  snapshot.duration = context_.draw(d.snapshot_base, "snapshot-duration", snapshot.id.value) +
                      from_seconds(mib / d.snapshot_mib_per_second);
  context_.tell_new(snapshot);
  tagging_.announce(snapshot.id.value, snapshot.tags);
  completion_[snapshot.id] = context_.simulation.after(snapshot.duration, [this, &snapshot] {
    completion_.erase(snapshot.id);
    snapshot.completed_at = context_.now();
    context_.set_state(snapshot, SnapshotState::kCompleted);
  });
}

SnapshotId Snapshots::copy(const Snapshots& source, const SnapshotId& from,
                           const SnapshotCopy& asked) {
  const Snapshot& original = source.shown(from);
  if (original.state != SnapshotState::kCompleted)
    throw ApiError("IncorrectState", fmt::format("The snapshot '{}' is '{}', not 'completed'",
                                                 from.value, name(original.state)));
  const bool abroad = &source != this;
  const std::string key = copys_key(original, asked, abroad);
  Snapshot& snapshot = add(original);
  snapshot.encrypted = !key.empty();
  snapshot.kms_key_id = key;
  snapshot.description = asked.description;
  snapshot.tags = asked.tags;
  snapshot.volume_permissions = {};
  snapshot.instance = {};
  snapshot.made_with = {};
  snapshot.copy_of = from;
  snapshot.copied_from = source.context_.config.region;
  host_.copy_snapshot_disk(from, snapshot.id);
  // "If a snapshot is copied within one Region without a change of its encryption, there is no
  // charge for the data" (EBS user guide, "Copy an Amazon EBS snapshot").
  share(snapshot, abroad || key != original.kms_key_id ? SnapshotId{} : from);
  if (abroad) source.charge_transfer(snapshot, context_.config.region);
  begin_copying(snapshot);
  return snapshot.id;
}

// EC2 API reference, CopySnapshot: a copy of an encrypted snapshot is encrypted. Keys belong to one
// region, so a copy abroad without a key has that region's own key for EBS.
std::string Snapshots::copys_key(const Snapshot& original, const SnapshotCopy& asked,
                                 bool abroad) const {
  if (!asked.kms_key_id.empty() && !asked.encrypted)
    throw ApiError("InvalidParameterDependency",
                   "The parameter KmsKeyId requires the parameter Encrypted to be set.");
  if (!asked.encrypted && !original.encrypted) return {};
  if (asked.kms_key_id.empty() && original.encrypted && !abroad) return original.kms_key_id;
  const std::string key = key_arn(context_.config, context_.streams, asked.kms_key_id);
  if (!is_usable_key(context_.config, key))
    throw ApiError("InvalidParameterValue", "Value (" + asked.kms_key_id +
                                                ") for parameter kmsKeyId is invalid: it is no key "
                                                "of " +
                                                context_.config.region + ".");
  return key;
}

void Snapshots::charge_transfer(const Snapshot& copy, const std::string& to_region) const {
  const Config& config = context_.config;
  bill_.charge(region_transfer_charge(copy.id.value, copy.stored_bytes, {config.region, to_region},
                                      context_.now(), config.prices));
}

void Snapshots::check_use(const Snapshot& snapshot, bool for_root) const {
  if (snapshot.root == for_root) return;
  throw ApiError("UnsupportedOperation",
                 fmt::format("The snapshot '{}' is {} an instance's root. This simulated AWS makes "
                             "root volumes of such snapshots, and no other volumes.",
                             snapshot.id.value, snapshot.root ? "of" : "not of"));
}

bool Snapshots::stop_copying(const SnapshotId& id) {
  const auto pending = completion_.find(id);
  if (pending == completion_.end()) return false;
  context_.simulation.cancel(pending->second);
  completion_.erase(pending);
  return true;
}

void Snapshots::permit_volumes(const SnapshotId& id, Permissions permissions) {
  shown(id);
  own(id).volume_permissions = std::move(permissions);
  context_.tell(&Observer::changed);
}

void Snapshots::fail(const SnapshotId& id) {
  Snapshot& snapshot = own(id);
  if (stop_copying(id)) context_.set_state(snapshot, SnapshotState::kError);
}

void Snapshots::remove(const SnapshotId& id) {
  Snapshot& snapshot = own(id);
  stop_copying(id);
  // "deleted" is no SnapshotState: EC2 stops showing the snapshot instead.
  SIM_CHECK(allowed("snapshot", name(snapshot.state), "deleted"));
  snapshot.deleted_at = context_.now();
  context_.tell(&Observer::changed);
  context_.tell(&Observer::snapshot_deleted, snapshot);
  bill_.settle(bill_.of(snapshot));
  pass_on(snapshot);
  host_.delete_snapshot_disk(id);
}

Bill::Items Snapshots::open_items() const {
  Bill::Items items;
  for (const auto& [id, snapshot] : table_)
    if (!snapshot.deleted_at)
      for (LineItem& item : bill_.of(snapshot)) items.push_back(std::move(item));
  return items;
}

}  // namespace sim::cloud
