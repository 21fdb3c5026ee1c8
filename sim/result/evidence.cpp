#include "sim/result/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "sim/events/listeners.h"

namespace sim::run {
namespace {

constexpr std::string_view kObjectStore = "object-store", kSnapshotTier = "snapshot";
constexpr std::string_view kBucketScheme = "s3://";

std::string clock_of(Time at) { return iso_seconds(at).substr(11, 8); }

}  // namespace

Json to_json(const Evidence& e) {
  return {{"kept", e.kept ? Json(*e.kept) : Json(nullptr)},
          {"step", e.step ? Json(*e.step) : Json(nullptr)},
          {"path", e.path.empty() ? Json(nullptr) : Json(e.path)},
          {"on", e.on},
          {"why", e.why.empty() ? Json(nullptr) : Json(e.why)}};
}

Evidence evidence_from(const Json& json) {
  Evidence e{.path = base::text_of(json, "path"), .why = base::text_of(json, "why")};
  if (const auto kept = json.find("kept"); kept != json.end() && kept->is_boolean())
    e.kept = kept->get<bool>();
  if (const auto step = json.find("step"); step != json.end() && step->is_number_integer())
    e.step = step->get<std::int64_t>();
  if (const auto on = json.find("on"); on != json.end() && on->is_array())
    for (const Json& item : *on)
      if (item.is_string()) e.on.push_back(item.get<std::string>());
  return e;
}

void EvidenceFinder::listen(events::Listeners& log) {
  const auto on = [this, &log]<class E>(void (EvidenceFinder::*hear)(const E&)) {
    log.on<E>([this, hear](const E& event) {
      if (!written_.empty()) write_back(event.time);
      (this->*hear)(event);
    });
  };
  on(&EvidenceFinder::run_start);
  on(&EvidenceFinder::trainer_starts);
  on(&EvidenceFinder::checkpoint_begins);
  on(&EvidenceFinder::checkpoint_durable);
  on(&EvidenceFinder::checkpoint_written);
  on(&EvidenceFinder::volume_state);
  on(&EvidenceFinder::snapshot_state);
  on(&EvidenceFinder::instance_state);
  on(&EvidenceFinder::object_stored);
  on(&EvidenceFinder::object_removed);
  on(&EvidenceFinder::synced);
  on(&EvidenceFinder::copied);
  on(&EvidenceFinder::fault_damage);
}

void EvidenceFinder::run_start(const events::RunStart& event) {
  needed_ = event.evidence.empty();
  if (event.written_back_seconds) written_after_ = from_seconds(*event.written_back_seconds);
  copies_ = !event.copies.empty();
}

void EvidenceFinder::fault_damage(const events::FaultDamage& event) {
  std::erase_if(written_, [&](const Written& w) { return w.holder == event.disk; });
  if (const auto at = holders_.find(std::string(event.disk)); at != holders_.end())
    at->second.damaged = true;
}

// What its memory alone has may go with it.
void EvidenceFinder::instance_state(const events::InstanceState& event) {
  if (event.to != "running")
    std::erase_if(written_, [&](const Written& w) { return w.instance == event.instance_id; });
  if (event.to == "terminated") went(std::string(event.instance_id), event.time, "ended");
}

namespace {

// What a manifest speaks for (docs/checkpoints.md).
std::string data_of(const std::string& manifest) {
  const std::string_view kind = ".json";
  if (!manifest.ends_with(kind)) return manifest;
  return manifest.substr(0, manifest.size() - kind.size()) + ".safetensors";
}

}  // namespace

// The bucket has what the container had when SageMaker looked.
void EvidenceFinder::synced(const events::SagemakerSynced& event) {
  const auto looked = parse_time(event.looked);
  for (const auto& [at, held] : unplaced_[std::string(event.instance_id)])
    if (looked && at <= *looked) holds(std::string(kObjectStore), held);
}

void EvidenceFinder::object_stored(const events::ObjectStored& event) {
  const std::string uri = fmt::format("{}{}/{}", kBucketScheme, event.bucket, event.key);
  objects_.insert(uri);
  // If it is a copy again, the next line says so.
  if (copied_.erase(uri) > 0) went(uri, event.time, "was overwritten");
}

void EvidenceFinder::object_removed(const events::ObjectRemoved& event) {
  const std::string uri = fmt::format("{}{}/{}", kBucketScheme, event.bucket, event.key);
  copied_.erase(uri);
  for (const std::string& gone : {uri, data_of(uri)}) {
    objects_.erase(gone);
    went(gone, event.time, "was deleted");
  }
}

void EvidenceFinder::write_back(Time now) {
  const auto young =
      std::ranges::find_if(written_, [&](const Written& w) { return w.at + written_after_ > now; });
  for (auto w = written_.begin(); w != young; ++w) {
    if (!holders_.contains(w->holder)) continue;
    holds(w->holder, {.report = 0, .durable = w->step});
    written_back_ = {.count = written_back_.count + 1, .step = w->step};
  }
  written_.erase(written_.begin(), young);
}

void EvidenceFinder::trainer_starts(const events::TrainerStart& event) {
  trainers_[std::string(event.instance_id)] = {.folder = std::string(event.folder),
                                               .disk = std::string(event.disk)};
}

void EvidenceFinder::checkpoint_begins(const events::TrainerCheckpointBegin& event) {
  trainers_[std::string(event.instance_id)].begun[event.step] = event.time;
}

void EvidenceFinder::copied(const events::CheckpointCopied& event) {
  const std::string uri(event.uri);
  if (!objects_.contains(uri)) return;
  copied_.insert(uri);
  holds(uri,
        {.report = step_ == event.step ? report_ : 0, .durable = event.since.value_or(event.step)});
}

struct EvidenceFinder::Report {
  Time at;
  std::string instance, path, disk;  // where the path is empty, the trainer's own disk
  std::string_view tier;
  std::int64_t step = 0, since = 0;
  bool durable = false;
};

void EvidenceFinder::checkpoint_durable(const events::TrainerCheckpointDurable& event) {
  checkpoint({.at = event.time,
              .instance = std::string(event.instance_id),
              .path = std::string(event.path),
              .disk = std::string(event.disk),
              .tier = event.tier,
              .step = event.step,
              .since = event.step,
              .durable = true});
}

// A file that was found when the trainer next told of a step may be as old as the last look.
void EvidenceFinder::checkpoint_written(const events::TrainerCheckpointWritten& event) {
  checkpoint({.at = event.time,
              .instance = std::string(event.instance_id),
              .path = std::string(event.path),
              .disk = std::string(event.disk),
              .tier = event.tier,
              .step = event.step,
              .since = event.since.value_or(event.step)});
}

void EvidenceFinder::checkpoint(const Report& report) {
  Trainer& trainer = trainers_[report.instance];
  const std::int64_t step = report.step;
  const bool has_path = !report.path.empty();
  const std::string& disk = has_path ? report.disk : trainer.disk;
  Held held;
  if (report.durable && !needs_copy(disk)) held.durable = step;
  const auto begun = trainer.begun.find(step);
  const Time since = begun == trainer.begun.end() ? report.at : begun->second;
  // Else it is late news of a slower tier, when a faster one has a later step.
  if (!trainer.newest || step >= *trainer.newest) {
    trainer.newest = step;
    // The same one again is another copy of it.
    if (step_ != step) ++report_, last_one_.clear();
    held.report = report_;
    step_ = step;
    path_ = report.tier == kObjectStore ? "" : has_path ? report.path : trainer.folder;
    trainer.begun.erase(trainer.begun.begin(), trainer.begun.lower_bound(step));
  }
  if (report.tier == kObjectStore) {
    holds(std::string(kObjectStore), held);
  } else if (report.path.starts_with(kBucketScheme)) {
    if (objects_.contains(report.path)) {
      held.durable = step;
      holds(report.path, held);
      if (!report.durable) written_back_ = {.count = written_back_.count + 1, .step = step};
    }
  } else if (!disk.empty()) {
    const std::string holder = disk == kRootDisk ? report.instance : disk;
    holds(holder, held);
    if (!held.durable && !needs_copy(disk))
      written_.push_back(
          {.at = report.at, .step = report.since, .instance = report.instance, .holder = holder});
  } else {
    unplaced_[report.instance].emplace_back(report.at, held);
  }
  // Told when the snapshot is complete, which was started when the checkpoint was on the volume.
  if (report.tier == kSnapshotTier)
    for (const auto& [id, snapshot] : snapshots_)
      if (snapshot.volume == disk && snapshot.started >= since) holds(id, held);
}

void EvidenceFinder::holds(const std::string& holder, const Held& held) {
  Held& all = holders_[holder];
  all.report = std::max(all.report, held.report);
  if (all.damaged && !held.damaged && held.durable) all.durable = {}, all.damaged = false;
  all.durable = std::max(all.durable, held.durable);
  all.damaged |= held.damaged;
}

bool EvidenceFinder::has_last(const std::string& holder) const {
  const auto at = holders_.find(holder);
  return step_ && at != holders_.end() && at->second.report == report_;
}

void EvidenceFinder::volume_state(const events::VolumeState& event) {
  const std::string id(event.volume_id);
  if (event.is_new()) {
    const auto origin = holders_.find(std::string(event.snapshot_id));
    if (origin != holders_.end()) holds(id, origin->second);
  }
  if (event.to == "deleting" || event.to == "deleted") went(id, event.time, "was deleted");
  if (event.to == "error") went(id, event.time, "failed");
}

void EvidenceFinder::snapshot_state(const events::SnapshotState& event) {
  const std::string id(event.snapshot_id), volume(event.volume_id);
  if (event.from.empty()) {
    snapshots_[id] = {volume, event.time};
    if (const auto of = holders_.find(volume); of != holders_.end()) holds(id, of->second);
  }
  if (event.to == "completed") snapshots_[id].pending = false;
  if (event.to != "deleted" && event.to != "error") return;
  snapshots_.erase(id);
  went(id, event.time, event.to == "deleted" ? "was deleted" : "failed");
}

void EvidenceFinder::went(const std::string& holder, Time at, std::string_view how) {
  const bool had = has_last(holder);
  holders_.erase(holder);
  const auto has = [this](const auto& other) { return has_last(other.first); };
  if (!had || std::ranges::any_of(holders_, has)) return;
  const std::string_view what = holder.starts_with("i-") ? "the root disk of " : "";
  last_one_ = fmt::format("{}{}, which {} at {}", what, holder, how, clock_of(at));
}

std::optional<std::int64_t> EvidenceFinder::newest_durable(std::string_view broken) const {
  std::optional<std::int64_t> newest;
  for (const auto& [id, held] : holders_) {
    const auto snapshot = snapshots_.find(id);
    const bool of_it = snapshot != snapshots_.end() && snapshot->second.pending &&
                       snapshot->second.volume == broken;
    if (id != broken && !of_it && !held.damaged) newest = std::max(newest, held.durable);
  }
  return newest;
}

std::vector<std::string> EvidenceFinder::holders_of(std::int64_t step) const {
  std::vector<std::string> list;
  for (const auto& [id, held] : holders_)
    if (held.durable && *held.durable >= step) list.push_back(id);
  return list;
}

Evidence EvidenceFinder::found() const {
  Evidence e{.step = step_, .path = path_};
  const std::string named = path_.empty() ? "" : " (" + path_ + ")";
  std::string root;  // the instance on whose own disk it is
  for (const auto& [holder, held] : holders_) {
    if (!has_last(holder)) continue;
    if (holder.starts_with("i-"))
      root = holder;
    else
      e.on.push_back(holder);
  }
  if (!step_) {
    e.why = "no checkpoint was reported";
  } else if (!e.on.empty()) {
    e.kept = true;
  } else if (!last_one_.empty()) {
    e.kept = false;
    e.why = fmt::format("the checkpoint of step {}{} was on {}", *step_, named, last_one_);
  } else if (!root.empty()) {
    e.kept = false;
    e.why =
        fmt::format("the checkpoint of step {}{} is on the root disk of {}", *step_, named, root);
  } else if (path_.starts_with(kBucketScheme)) {
    e.kept = false;
    e.why = fmt::format("the checkpoint of step {}{} was not in its bucket", *step_, named);
  } else {
    e.why =
        fmt::format("it is not known on which disk the checkpoint of step {}{} is", *step_, named);
  }
  return e;
}

}  // namespace sim::run
