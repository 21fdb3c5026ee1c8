#include "sim/result/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_text.h"
#include "sim/kernel/event.h"
#include "sim/result/event_fields.h"

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

std::span<const std::string_view> EvidenceFinder::kinds() {
  static constexpr std::array<std::string_view, 13> kWanted{"run.start",
                                                            "trainer.start",
                                                            "trainer.checkpoint-begin",
                                                            "trainer.checkpoint-durable",
                                                            "trainer.checkpoint-written",
                                                            "volume.state",
                                                            "snapshot.state",
                                                            "instance.state",
                                                            "object.stored",
                                                            "object.removed",
                                                            "sagemaker.synced",
                                                            "checkpoint.copied",
                                                            "fault.damage"};
  return kWanted;
}

bool EvidenceFinder::wants(std::string_view kind) {
  return std::ranges::find(kinds(), kind) != kinds().end();
}

void EvidenceFinder::hear(const Event& event) {
  if (event.kind == "run.start") {
    needed_ = text(event, "evidence").empty();
    const auto late = event.fields.find("written_back_seconds");
    if (late != event.fields.end()) written_after_ = from_seconds(late->get<double>());
    copies_ = !text(event, "copies").empty();
  }
  hear_any(event);
  if (event.kind == "checkpoint.copied") hear_copied(event);
}

void EvidenceFinder::hear(const PlainEvent& event) { hear_any(event); }

template <class E>
void EvidenceFinder::hear_any(const E& event) {
  const std::string_view kind = event.kind;
  if (!written_.empty()) write_back(event.time);
  if (kind.starts_with("trainer.")) return hear_trainer(event);
  if (kind == "volume.state") return hear_volume(event);
  if (kind == "snapshot.state") return hear_snapshot(event);
  if (kind == "instance.state") return hear_instance(event);
  if (kind == "sagemaker.synced") return hear_synced(event);
  if (kind.starts_with("object.")) return hear_object(event);
  if (kind == "fault.damage") damage(std::string(text(event, "disk")));
}

void EvidenceFinder::damage(const std::string& disk) {
  std::erase_if(written_, [&](const Written& w) { return w.holder == disk; });
  if (const auto at = holders_.find(disk); at != holders_.end()) at->second.damaged = true;
}

// What its memory alone has may go with it.
template <class E>
void EvidenceFinder::hear_instance(const E& event) {
  const std::string id(text(event, "instance_id"));
  const std::string_view to = text(event, "to");
  if (to != "running") std::erase_if(written_, [&](const Written& w) { return w.instance == id; });
  if (to == "terminated") went(id, event.time, "ended");
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
template <class E>
void EvidenceFinder::hear_synced(const E& event) {
  const auto looked = parse_time(text(event, "looked"));
  for (const auto& [at, held] : unplaced_[std::string(text(event, "instance_id"))])
    if (looked && at <= *looked) holds(std::string(kObjectStore), held);
}

template <class E>
void EvidenceFinder::hear_object(const E& event) {
  const std::string uri =
      fmt::format("{}{}/{}", kBucketScheme, text(event, "bucket"), text(event, "key"));
  if (event.kind == std::string_view("object.stored")) {
    objects_.insert(uri);
    // If it is a copy again, the next line says so.
    if (copied_.erase(uri) > 0) went(uri, event.time, "was overwritten");
  } else {
    copied_.erase(uri);
    for (const std::string& gone : {uri, data_of(uri)}) {
      objects_.erase(gone);
      went(gone, event.time, "was deleted");
    }
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

template <class E>
void EvidenceFinder::hear_trainer(const E& event) {
  const std::string_view kind = event.kind;
  if (kind == "trainer.checkpoint-durable" || kind == "trainer.checkpoint-written")
    return hear_checkpoint(event);
  const bool starts = kind == "trainer.start";
  if (!starts && kind != "trainer.checkpoint-begin") return;
  Trainer& trainer = trainers_[std::string(text(event, "instance_id"))];
  if (starts)
    trainer = {.folder = std::string(text(event, "folder")),
               .disk = std::string(text(event, "disk"))};
  else
    trainer.begun[whole(event, "step")] = event.time;
}

namespace {

// Found among files when the trainer next told of a step: it may be as old as the last look.
std::int64_t since_of(const Event& written, std::int64_t step) {
  return written.fields.contains("since") ? whole(written, "since") : step;
}
// Models have no files.
std::int64_t since_of(const PlainEvent&, std::int64_t step) { return step; }

}  // namespace

void EvidenceFinder::hear_copied(const Event& event) {
  const std::string uri(text(event, "uri"));
  const std::int64_t step = whole(event, "step");
  if (!objects_.contains(uri)) return;
  copied_.insert(uri);
  holds(uri, {.report = step_ == step ? report_ : 0, .durable = since_of(event, step)});
}

template <class E>
void EvidenceFinder::hear_checkpoint(const E& event) {
  const std::string instance(text(event, "instance_id"));
  const std::string_view tier = text(event, "tier");
  Trainer& trainer = trainers_[instance];
  const std::int64_t step = whole(event, "step");
  const bool has_path = !text(event, "path").empty();
  const std::string disk(has_path ? text(event, "disk") : trainer.disk);
  Held held;
  const bool is_durable = event.kind == std::string_view("trainer.checkpoint-durable");
  if (is_durable && !needs_copy(disk)) held.durable = step;
  const auto begun = trainer.begun.find(step);
  const Time since = begun == trainer.begun.end() ? event.time : begun->second;
  // Else it is late news of a slower tier, when a faster one has a later step.
  if (!trainer.newest || step >= *trainer.newest) {
    trainer.newest = step;
    // The same one again is another copy of it.
    if (step_ != step) ++report_, last_one_.clear();
    held.report = report_;
    step_ = step;
    path_ = tier == kObjectStore ? "" : has_path ? text(event, "path") : trainer.folder;
    trainer.begun.erase(trainer.begun.begin(), trainer.begun.lower_bound(step));
  }
  const std::string path(text(event, "path"));
  if (tier == kObjectStore) {
    holds(std::string(kObjectStore), held);
  } else if (path.starts_with(kBucketScheme)) {
    if (objects_.contains(path)) {
      held.durable = step;
      holds(path, held);
      if (!is_durable) written_back_ = {.count = written_back_.count + 1, .step = step};
    }
  } else if (!disk.empty()) {
    const std::string holder = disk == kRootDisk ? instance : disk;
    holds(holder, held);
    if (!held.durable && !needs_copy(disk))
      written_.push_back({.at = event.time,
                          .step = since_of(event, step),
                          .instance = instance,
                          .holder = holder});
  } else {
    unplaced_[instance].emplace_back(event.time, held);
  }
  // Told when the snapshot is complete, which was started when the checkpoint was on the volume.
  if (tier == kSnapshotTier)
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

template <class E>
void EvidenceFinder::hear_volume(const E& event) {
  const std::string id(text(event, "volume_id"));
  const std::string_view to = text(event, "to");
  if (text(event, "from").empty()) {
    const auto origin = holders_.find(std::string(text(event, "snapshot_id")));
    if (origin != holders_.end()) holds(id, origin->second);
  }
  if (to == "deleting" || to == "deleted") went(id, event.time, "was deleted");
  if (to == "error") went(id, event.time, "failed");
}

template <class E>
void EvidenceFinder::hear_snapshot(const E& event) {
  const std::string id(text(event, "snapshot_id")), volume(text(event, "volume_id"));
  const std::string_view to = text(event, "to");
  if (text(event, "from").empty()) {
    snapshots_[id] = {volume, event.time};
    if (const auto of = holders_.find(volume); of != holders_.end()) holds(id, of->second);
  }
  if (to == "completed") snapshots_[id].pending = false;
  if (to != "deleted" && to != "error") return;
  snapshots_.erase(id);
  went(id, event.time, to == "deleted" ? "was deleted" : "failed");
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
