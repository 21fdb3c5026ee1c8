#include "sim/result/invariants/run_so_far.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"

namespace sim::run {
namespace {

bool usable(std::string_view state) { return state == "available" || state == "in-use"; }

bool is_live(std::string_view state) { return state == "creating" || usable(state); }

std::string subject_of(const Line& state) {
  const std::string_view resource = state.kind().substr(0, state.kind().find('.'));
  return std::string(state.text(std::string(resource) + "_id"));
}

}  // namespace

std::vector<std::string_view> RunSoFar::hears() const {
  return {"run.start",
          "trainer.start",
          "trainer.checkpoint-begin",
          "trainer.checkpoint-durable",
          "trainer.checkpoint-written",
          "trainer.stop",
          "trainer.finished",
          "trainer.crash",
          "orchestrator.phase",
          "guest.exit",
          "instance.state",
          "sagemaker.synced",
          "checkpoint.copied",
          "object.removed",
          "volume.state",
          "snapshot.state",
          "tags.created",
          "tags.deleted",
          "fault.damage",
          "fault.made"};
}

void RunSoFar::hear(const Line& line) {
  const std::string_view kind = line.kind();
  if (!written_.empty()) acknowledge_written();
  if (kind.starts_with("trainer.")) return hear_trainer(line);
  if (kind.starts_with("tags.")) return hear_tags(line);
  if (kind.starts_with("fault.")) return hear_fault(line);
  if (kind == "run.start") {
    job_tag_ = line.text("job_volume_tag");
    expects_trainer_ = !line.text("progress").empty() || line.text("guest") == "fiber";
  }
  if (kind == "orchestrator.phase") tells_of_notices_ = true;
  if (kind == "guest.exit") end_of(line.text("machine"));
  if (kind == "instance.state") hear_instance(line);
  if (kind == "sagemaker.synced") hear_synced(line);
  if (kind == "checkpoint.copied") hear_copied(line);
  if (kind == "volume.state") hear_volume(line);
  if (kind == "snapshot.state") hear_snapshot(line);
  if (kind.ends_with(".state") || kind == "object.removed") look_for_loss(line);
}

void RunSoFar::hear_trainer(const Line& line) {
  const std::string_view kind = line.kind();
  if (kind == "trainer.checkpoint-durable") return hear_durable(line);
  if (kind == "trainer.checkpoint-written")
    return void(written_.insert_or_assign(line.whole("step"), Quote(line)));
  if (kind == "trainer.checkpoint-begin") {
    tells_of_notices_ = true;
    return;
  }
  const std::string instance(line.text("instance_id"));
  if (kind == "trainer.start") {
    training_[instance] = line.written();
    total_[instance] = line.whole("total_steps");
    tagged_broke_ = false;
  } else {
    if (kind == "trainer.finished" && line.whole("step") >= total_[instance]) finished_ = true;
    end_of(instance);
  }
}

void RunSoFar::hear_instance(const Line& line) {
  if (line.text("managed_by") == "sagemaker") unsynced_[std::string(line.text("instance_id"))];
  if (line.text("to") != "running") end_of(line.text("instance_id"));
}

void RunSoFar::hear_durable(const Line& line) {
  if (line.text("tier") == "snapshot") keeps_snapshots_ = true;
  if (checkpoints_.needs_copy(line.text("disk"))) return;
  const std::int64_t step = std::max<std::int64_t>(0, line.whole("step"));
  const auto container = unsynced_.find(line.text("instance_id"));
  if (container == unsynced_.end() || checkpoints_.newest_durable() >= step)
    acknowledge(step, Quote(line));
  else
    container->second.push_back({line.at(), step, Quote(line)});
}

// The bucket has what was there when SageMaker looked.
void RunSoFar::hear_synced(const Line& line) {
  const auto looked = parse_time(line.text("looked"));
  std::vector<Unsynced>& waiting = unsynced_[std::string(line.text("instance_id"))];
  auto later = waiting.begin();
  for (; later != waiting.end() && looked && later->at <= *looked; ++later)
    acknowledge(later->step, std::move(later->line));
  waiting.erase(waiting.begin(), later);
}

void RunSoFar::hear_copied(const Line& line) {
  const std::int64_t since =
      line.field("since").is_null() ? line.whole("step") : line.whole("since");
  if (checkpoints_.newest_durable() >= since) acknowledge(since, Quote(line));
}

void RunSoFar::acknowledge(std::int64_t step, Quote line) {
  if (lost_ || (acknowledged_ && step < acknowledged_->step)) return;
  acknowledged_ = {.step = step,
                   .line = std::move(line),
                   .on_a_known_disk = checkpoints_.newest_durable() >= step};
  since_.clear();
}

void RunSoFar::acknowledge_written() {
  const auto [count, step] = checkpoints_.written_back();
  if (count == std::exchange(written_back_, count)) return;
  // Its line says the step at which it was found, which may be a later one.
  const auto line = written_.lower_bound(step);
  if (line == written_.end()) return;
  if (!lost_ && (!acknowledged_ || step > acknowledged_->step)) {
    acknowledged_ = {.step = step, .line = std::move(line->second), .on_a_known_disk = true};
    since_.clear();
  }
  written_.erase(written_.begin(), std::next(line));
}

void RunSoFar::hear_fault(const Line& line) {
  if (line.kind() == "fault.made") {
    made_by_faults_.emplace(line.text("resource_id"), line.at());
    tagged_.erase(std::string(line.text("resource_id")));
  }
  if (line.kind() == "fault.damage") is_damaged(line.text("disk"));
}

// What was on the disk alone cannot be asked for any more.
void RunSoFar::fails(std::string_view disk) {
  if (!acknowledged_ || !acknowledged_->on_a_known_disk) return;
  const auto left = checkpoints_.newest_durable(disk);
  if (left >= acknowledged_->step) return;
  if (left)
    acknowledged_->step = *left;
  else
    acknowledged_.reset();
}

// Nobody sees that it is, but a trainer that reads it: a snapshot that a hop has made by the way is
// not what it would go back to.
void RunSoFar::is_damaged(std::string_view disk) {
  if (keeps_snapshots_) {
    of_damaged_.disks.emplace(disk);
    return fails(disk);
  }
  if (!acknowledged_ || !acknowledged_->on_a_known_disk) return;
  const auto holders = checkpoints_.holders_of(acknowledged_->step);
  if (std::ranges::find(holders, disk) != holders.end()) acknowledged_.reset();
}

void RunSoFar::look_for_loss(const Line& line) {
  if (!acknowledged_ || !acknowledged_->on_a_known_disk || lost_) return;
  const bool object = line.kind() == "object.removed";
  const bool disks = line.kind() != "instance.state" && !object;
  if (disks) since_.emplace_back(line);
  const auto left = checkpoints_.newest_durable();
  if (left >= acknowledged_->step) return;
  if (line.kind() == "snapshot.state" && !of_damaged_.complete.empty())
    return acknowledged_.reset();
  if (!disks) since_.emplace_back(line);
  lost_ = {.at = line.at(),
           .step = acknowledged_->step,
           .left = left,
           .holder = object ? fmt::format("s3://{}/{}", line.text("bucket"), line.text("key"))
                            : subject_of(line)};
  lost_->lines.push_back(acknowledged_->line.written());
  for (const Quote& quote : since_) lost_->lines.push_back(quote.written());
}

void RunSoFar::hear_tags(const Line& line) {
  const std::string id(line.text("resource_id"));
  if (job_tag_.empty() || !id.starts_with("vol-")) return;
  const Json& tags = line.member("tags");
  if (line.kind() == "tags.created") {
    const std::string name = base::text_of(tags, "Name");
    if (name == job_tag_) {
      tags_[id] = line.written();
      ever_tagged_ = true;
      // Who gives it the tag later makes it the job's: of twins one is as good as the other.
      const auto made = made_by_faults_.find(id);
      if (made != made_by_faults_.end() && made->second < line.at()) made_by_faults_.erase(made);
    } else if (!name.empty()) {
      tags_.erase(id);
    }
  } else if (std::ranges::find(tags, "Name") != tags.end()) {
    tags_.erase(id);
  }
  if (tags_.contains(id) && live_.contains(id) && !is_a_faults(id))
    tagged_[id] = tags_[id];
  else
    tagged_.erase(id);
}

// Who deletes the one of two twins makes the other the job's.
void RunSoFar::adopt_twin() {
  const auto twin = std::ranges::find_if(live_, [this](const std::string& id) {
    return made_by_faults_.contains(id) && tags_.contains(id);
  });
  if (twin == live_.end()) return;
  made_by_faults_.erase(*twin);
  tagged_[*twin] = tags_[*twin];
}

void RunSoFar::hear_volume(const Line& line) {
  const std::string id(line.text("volume_id"));
  const std::string_view from = line.text("from"), to = line.text("to");
  if (is_live(to)) {
    live_.insert(id);
    if (of_damaged_.snapshots.contains(line.text("snapshot_id"))) of_damaged_.disks.insert(id);
    return;
  }
  live_.erase(id);
  const bool was_tagged = tagged_.erase(id) > 0;
  if (was_tagged && tagged_.empty()) adopt_twin();
  if (to != "error" || !usable(from)) return;
  if (was_tagged) {
    tagged_broke_ = true;
    if (tagged_.empty() && backups_.empty()) nothing_to_go_on_with_ = true;
  }
  fails(id);
}

void RunSoFar::hear_snapshot(const Line& line) {
  const std::string id(line.text("snapshot_id")), volume(line.text("volume_id"));
  const std::string_view to = line.text("to");
  if (to == "pending" && tags_.contains(volume)) backups_.insert(id);
  if (to == "pending" && of_damaged_.disks.contains(volume)) of_damaged_.snapshots.insert(id);
  if (to != "completed")
    of_damaged_.complete.erase(id);
  else if (of_damaged_.snapshots.contains(id))
    of_damaged_.complete.insert(id);
  const bool was_backup = (to == "error" || to == "deleted") && backups_.erase(id) > 0;
  if (was_backup && to == "error" && tagged_broke_ && tagged_.empty() && backups_.empty())
    nothing_to_go_on_with_ = true;
}

}  // namespace sim::run
