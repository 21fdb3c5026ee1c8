#include "sim/result/invariants/run_so_far.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/events/event.h"

namespace sim::result {
namespace {

bool usable(std::string_view state) { return state == "available" || state == "in-use"; }

bool is_live(std::string_view state) { return state == "creating" || usable(state); }

}  // namespace

void RunSoFar::listen(events::Listeners& log) {
  const auto on = [this, &log]<class E>(auto hear) {
    log.on<E>([this, hear](const E& event) {
      if (!written_.empty()) acknowledge_written();
      hear(event);
    });
  };
  const auto on_member = [this, &on]<class E>(void (RunSoFar::*hear)(const E&)) {
    on.template operator()<E>([this, hear](const E& event) { (this->*hear)(event); });
  };
  on_member(&RunSoFar::trainer_starts);
  on_member(&RunSoFar::trainer_finished);
  on_member(&RunSoFar::checkpoint_durable);
  on_member(&RunSoFar::checkpoint_written);
  on_member(&RunSoFar::synced);
  on_member(&RunSoFar::copied);
  on_member(&RunSoFar::object_removed);
  on_member(&RunSoFar::instance_state);
  on_member(&RunSoFar::volume_state);
  on_member(&RunSoFar::snapshot_state);
  on_member(&RunSoFar::tags_created);
  on_member(&RunSoFar::fault_damage);
  on.operator()<events::TrainerCheckpointBegin>([this](const auto&) { tells_of_notices_ = true; });
  on.operator()<events::OrchestratorPhase>([this](const auto&) { tells_of_notices_ = true; });
  on.operator()<events::TrainerStop>([this](const auto& event) { end_of(event.instance_id); });
  on.operator()<events::TrainerCrash>([this](const auto& event) { end_of(event.instance_id); });
  on.operator()<events::GuestExit>([this](const auto& event) { end_of(event.machine); });
}

void RunSoFar::trainer_starts(const events::TrainerStart& event) {
  const std::string instance(event.instance_id);
  training_[instance] = to_line(event);
  total_[instance] = event.total_steps;
  tagged_broke_ = false;
}

void RunSoFar::trainer_finished(const events::TrainerFinished& event) {
  if (event.step >= total_[std::string(event.instance_id)]) finished_ = true;
  end_of(event.instance_id);
}

void RunSoFar::checkpoint_written(const events::TrainerCheckpointWritten& event) {
  written_.insert_or_assign(event.step, to_line(event));
}

void RunSoFar::checkpoint_durable(const events::TrainerCheckpointDurable& event) {
  if (event.tier == "snapshot") keeps_snapshots_ = true;
  if (history_.header.needs_copy(event.disk)) return;
  const std::int64_t step = std::max<std::int64_t>(0, event.step);
  const auto container = unsynced_.find(event.instance_id);
  if (container == unsynced_.end() || history_.newest_durable() >= step)
    acknowledge(step, to_line(event));
  else
    container->second.push_back({event.time, step, to_line(event)});
}

// The bucket has the state at SageMaker's last look.
void RunSoFar::synced(const events::SagemakerSynced& event) {
  const auto looked = parse_time(event.looked);
  std::vector<Unsynced>& waiting = unsynced_[std::string(event.instance_id)];
  auto later = waiting.begin();
  for (; later != waiting.end() && looked && later->at <= *looked; ++later)
    acknowledge(later->step, std::move(later->line));
  waiting.erase(waiting.begin(), later);
}

void RunSoFar::copied(const events::CheckpointCopied& event) {
  const std::int64_t since = event.since.value_or(event.step);
  if (history_.newest_durable() >= since) acknowledge(since, to_line(event));
}

void RunSoFar::instance_state(const events::InstanceState& event) {
  if (event.managed_by == "sagemaker") unsynced_[std::string(event.instance_id)];
  if (event.to != "running") end_of(event.instance_id);
  if (!is_lost()) return;
  since_.push_back(to_line(event));
  lose(event.time, std::string(event.instance_id));
}

void RunSoFar::object_removed(const events::ObjectRemoved& event) {
  if (!is_lost()) return;
  since_.push_back(to_line(event));
  lose(event.time, fmt::format("s3://{}/{}", event.bucket, event.key));
}

void RunSoFar::volume_state(const events::VolumeState& event) {
  follow_volume(event);
  if (follows_loss()) since_.push_back(to_line(event));
  if (is_lost()) lose(event.time, std::string(event.volume_id));
}

void RunSoFar::snapshot_state(const events::SnapshotState& event) {
  follow_snapshot(event);
  if (follows_loss()) since_.push_back(to_line(event));
  if (!is_lost()) return;
  if (!of_damaged_.complete.empty()) return acknowledged_.reset();
  lose(event.time, std::string(event.snapshot_id));
}

void RunSoFar::acknowledge(std::int64_t step, std::string line) {
  if (lost_ || (acknowledged_ && step < acknowledged_->step)) return;
  acknowledged_ = {
      .step = step, .line = std::move(line), .on_a_known_disk = history_.newest_durable() >= step};
  since_.clear();
}

void RunSoFar::acknowledge_written() {
  const auto [count, step] = history_.checkpoints.written_back;
  if (count == std::exchange(written_back_, count)) return;
  // The line names the step at which the checkpoint was found, which may be later than the
  // checkpoint's own step.
  const auto line = written_.lower_bound(step);
  if (line == written_.end()) return;
  if (!lost_ && (!acknowledged_ || step > acknowledged_->step)) {
    acknowledged_ = {.step = step, .line = std::move(line->second), .on_a_known_disk = true};
    since_.clear();
  }
  written_.erase(written_.begin(), std::next(line));
}

void RunSoFar::fault_damage(const events::FaultDamage& event) { is_damaged(event.disk); }

// The job is no longer responsible for checkpoints that existed only on this disk.
void RunSoFar::fails(std::string_view disk) {
  if (!acknowledged_ || !acknowledged_->on_a_known_disk) return;
  const auto left = history_.newest_durable(disk);
  if (left >= acknowledged_->step) return;
  if (left)
    acknowledged_->step = *left;
  else
    acknowledged_.reset();
}

// Damage stays unnoticed until a trainer reads the disk. A snapshot that a hop made in passing is
// no copy to which the job would return.
void RunSoFar::is_damaged(std::string_view disk) {
  if (keeps_snapshots_) {
    of_damaged_.disks.emplace(disk);
    return fails(disk);
  }
  if (!acknowledged_ || !acknowledged_->on_a_known_disk) return;
  const auto holders = history_.checkpoints.holders_of(acknowledged_->step);
  if (std::ranges::find(holders, disk) != holders.end()) acknowledged_.reset();
}

bool RunSoFar::follows_loss() const {
  return acknowledged_ && acknowledged_->on_a_known_disk && !lost_;
}

bool RunSoFar::is_lost() const {
  return follows_loss() && !(history_.newest_durable() >= acknowledged_->step);
}

void RunSoFar::lose(Time at, std::string holder) {
  lost_ = {.at = at,
           .step = acknowledged_->step,
           .left = history_.newest_durable(),
           .holder = std::move(holder)};
  lost_->lines.push_back(acknowledged_->line);
  lost_->lines.insert(lost_->lines.end(), since_.begin(), since_.end());
}

bool RunSoFar::has_tag(std::string_view volume) const {
  return !job_tag().empty() && volume.starts_with("vol-") && history_.name_of(volume) == job_tag();
}

std::map<std::string, std::string> RunSoFar::tagged() const {
  std::map<std::string, std::string> tagged;
  for (const auto& [id, volume] : history_.volumes)
    if (volume.is_live() && has_tag(id) && !is_a_faults(id))
      tagged.emplace(id, history_.tags.find(id)->second.named_by);
  return tagged;
}

void RunSoFar::tags_created(const events::TagsCreated& event) {
  if (!event.tags.get().contains("Name") || !has_tag(event.resource_id)) return;
  ever_tagged_ = true;
  // A job adopts a volume that a fault made when it tags that volume.
  const auto made = history_.made_by_faults.find(event.resource_id);
  if (made != history_.made_by_faults.end() && made->second < event.time)
    adopted_.emplace(event.resource_id);
}

// If the job deletes one of two twins, the other is its volume.
void RunSoFar::adopt_twin() {
  for (const auto& [id, volume] : history_.volumes)
    if (volume.is_live() && has_tag(id) && is_a_faults(id)) {
      adopted_.insert(id);
      return;
    }
}

void RunSoFar::follow_volume(const events::VolumeState& event) {
  const std::string id(event.volume_id);
  const std::string_view from = event.from, to = event.to;
  if (history_.volumes.find(id)->second.is_live()) {
    if (of_damaged_.snapshots.contains(event.snapshot_id)) of_damaged_.disks.insert(id);
    return;
  }
  const bool was_tagged = is_live(from) && has_tag(id) && !is_a_faults(id);
  if (was_tagged && tagged().empty()) adopt_twin();
  if (to != "error" || !usable(from)) return;
  if (was_tagged) {
    tagged_broke_ = true;
    if (tagged().empty() && backups_.empty()) nothing_to_go_on_with_ = true;
  }
  fails(id);
}

void RunSoFar::follow_snapshot(const events::SnapshotState& event) {
  const std::string id(event.snapshot_id), volume(event.volume_id), original(event.copy_of);
  const std::string_view to = event.to;
  const bool is_copy = !original.empty();
  if (to == "pending" && (is_copy ? backups_.contains(original) : has_tag(volume)))
    backups_.insert(id);
  if (to == "pending" &&
      (is_copy ? of_damaged_.snapshots.contains(original) : of_damaged_.disks.contains(volume)))
    of_damaged_.snapshots.insert(id);
  if (to != "completed")
    of_damaged_.complete.erase(id);
  else if (of_damaged_.snapshots.contains(id))
    of_damaged_.complete.insert(id);
  const bool was_backup = (to == "error" || to == "deleted") && backups_.erase(id) > 0;
  if (was_backup && to == "error" && tagged_broke_ && tagged().empty() && backups_.empty())
    nothing_to_go_on_with_ = true;
}

}  // namespace sim::result
