#include "orchestrator/instance/volume_hop.h"

#include <fmt/format.h>

#include "orchestrator/failure.h"
#include "orchestrator/job/tags.h"
#include "orchestrator/job/training_progress.h"
#include "orchestrator/job/volume_search.h"
#include "orchestrator/waiting.h"

namespace spotrun {
namespace {

// The volumes and snapshots that were made for hops of the volume `source`.
std::vector<aws::Volume> hop_volumes(const Context& context, const std::string& source) {
  return context.ec2.describe_volumes({{std::string("tag:") + tags::kHopOf, {source}},
                                       {"status", {"creating", "available", "in-use", "error"}}});
}

std::vector<aws::Snapshot> hop_snapshots(const Context& context, const std::string& source) {
  return context.ec2.describe_snapshots({{"description", {tags::hop_description(source)}}});
}

std::string new_generation(const Context& context, const client::Identity& self) {
  return iso_time(context.clock.now()) + " " + self.instance_id;
}

// Waits until the volume is attached to this instance, which has requested that.
void wait_attached(const Context& context, const std::string& volume_id,
                   const client::Identity& self) {
  for (Poll poll(context.clock);; poll.wait_for_change()) {
    const auto now = context.ec2.find_volume(volume_id);
    if (!now) throw TryAgain(fmt::format("volume {} is gone", volume_id));
    for (const auto& attachment : now->attachments) {
      if (attachment.instance_id == self.instance_id && attachment.state == "attached") return;
    }
    if (now->state == "error")
      throw TryAgain(fmt::format("volume {} is in state error", volume_id));
  }
}

// Deletes a volume of an abandoned hop. The volume may still be attached to an instance.
void delete_leftover(const Context& context, const aws::Volume& volume,
                     const client::Identity& self) {
  context.log.say(fmt::format("deleting volume {}, left over from a hop", volume.id));
  if (attached_to(volume, self.instance_id)) {
    wait_attached(context, volume.id, self);
    context.ec2.detach_volume(volume.id, self.instance_id);
    wait_available(context, volume.id);
  } else if (volume.state == "in-use") {
    wait_until_free(context, volume.id, self.instance_id);
  } else if (volume.state == "creating") {
    wait_available(context, volume.id);
  }
  context.ec2.delete_volume(volume.id);
}

// A leftover costs money but does not harm the job. An error is logged, and the leftover remains
// until the next attempt. Returns true if the step succeeded.
template <class Delete>
bool try_to_delete(const Context& context, const std::string& id, Delete call) {
  std::string why;
  try {
    call();
    return true;
  } catch (const Failure& error) {
    why = error.what();
  } catch (const aws::ApiError& error) {
    why = error.what();
  }
  context.log.say(fmt::format(
      "{} is left over and costs money: {}. If no later instance of the job deletes it, "
      "it must be deleted by hand",
      id, why));
  return false;
}

// Deletes the new volumes and snapshots that hops from `source` made, except the volume `keep`.
// Returns true if all are deleted.
bool delete_hop_leftovers(const Context& context, const std::string& source,
                          const std::string& keep, const client::Identity& self) {
  bool all = true;
  for (const auto& volume : hop_volumes(context, source)) {
    if (volume.id == keep) continue;
    all &= try_to_delete(context, volume.id, [&] { delete_leftover(context, volume, self); });
  }
  for (const auto& snapshot : hop_snapshots(context, source)) {
    all &= try_to_delete(context, snapshot.id, [&] { context.ec2.delete_snapshot(snapshot.id); });
  }
  return all;
}

// Deletes `source`, which `keep` has replaced, the volume that `source` itself had replaced, and
// the leftovers of both. It removes the job's tag first, because deleting can take minutes or fail.
// Returns true if all are deleted.
bool delete_replaced(const Context& context, const std::string& source, const std::string& keep,
                     const Job& job, const client::Identity& self) {
  const auto take_tag_off = [&] {
    return try_to_delete(context, source + "'s tag",
                         [&] { context.ec2.delete_tags(source, {job.volume.tag_key}); });
  };
  std::optional<aws::Volume> old;
  bool all = try_to_delete(context, source, [&] { old = context.ec2.find_volume(source); });
  // Two volumes must not have the job's tag while it trains, even if EC2 refuses to describe
  // volumes.
  if (!all) take_tag_off();
  if (old && old->state != "deleting" && old->state != "deleted") {
    if (!old->tag(job.volume.tag_key).empty()) all &= take_tag_off();
    if (const std::string before = old->tag(tags::kHopOf); !before.empty())
      all &= delete_replaced(context, before, keep, job, self);
    all &= try_to_delete(context, source, [&] {
      if (old->state == "in-use") wait_until_free(context, source, self.instance_id);
      context.ec2.delete_volume(source);
    });
  }
  return delete_hop_leftovers(context, source, keep, self) && all;
}

// Ends a hop: `fresh` has the job's tag. As long as there are leftovers, `fresh` keeps the tags of
// the hop, so that a later call finds the leftovers.
void retire(const Context& context, aws::Volume& fresh, const Job& job,
            const client::Identity& self) {
  context.log.phase("delete-old-volume");
  bool all = false;
  try_to_delete(context, "what " + fresh.id + " has replaced", [&] {
    all = delete_replaced(context, fresh.tag(tags::kHopOf), fresh.id, job, self);
  });
  if (!all) return;
  const bool untagged = try_to_delete(context, fresh.id + "'s tags of the hop", [&] {
    context.ec2.delete_tags(fresh.id, {tags::kHopOf, tags::kHopGeneration});
  });
  if (untagged) fresh.tags.erase(tags::kHopOf);
}

// Returns a snapshot of the volume's present state: one of an earlier attempt if it is up to date,
// or else a new one.
std::string snapshot_now(const Context& context, const aws::Volume& old,
                         const std::string& generation) {
  std::string usable;
  for (const auto& snapshot : hop_snapshots(context, old.id)) {
    const bool current = snapshot.tag(tags::kHopGeneration) == generation &&
                         snapshot.volume_id == old.id && snapshot.state != "error";
    if (current && usable.empty()) {
      usable = snapshot.id;
    } else {
      try_to_delete(context, snapshot.id, [&] { context.ec2.delete_snapshot(snapshot.id); });
    }
  }
  if (!usable.empty()) {
    context.log.say(fmt::format("going on with snapshot {} of an earlier attempt", usable));
    return usable;
  }
  return context.ec2
      .create_snapshot(old.id, tags::hop_description(old.id),
                       {{tags::kSnapshotOf, old.id}, {tags::kHopGeneration, generation}})
      .id;
}

void wait_completed(const Context& context, const std::string& snapshot_id) {
  std::string said;
  for (Poll poll(context.clock);; poll.wait_for_change()) {
    const auto found = context.ec2.describe_snapshots({{"snapshot-id", {snapshot_id}}});
    if (found.empty()) continue;  // it was just made and is not visible yet
    if (found[0].state == "completed") return;
    if (found[0].state == "error") throw TryAgain("snapshot " + snapshot_id + " failed");
    if (found[0].progress != said) {
      said = found[0].progress;
      context.log.say(fmt::format("snapshot {}: {}", snapshot_id, said));
    }
  }
}

// Returns a volume made from that snapshot in this zone: one of an earlier attempt if it has the
// same content, or else a new one.
aws::Volume volume_here(const Context& context, const aws::Volume& old,
                        const std::string& generation, const std::string& snapshot_id,
                        const client::Identity& self) {
  for (const auto& volume : hop_volumes(context, old.id)) {
    if (volume.availability_zone == self.availability_zone && volume.state != "error" &&
        volume.tag(tags::kHopGeneration) == generation) {
      context.log.say(fmt::format("going on with volume {} of an earlier attempt", volume.id));
      return wait_until_free(context, volume.id, self.instance_id);
    }
  }
  const bool has_iops = old.type == "io1" || old.type == "io2";
  const auto made = context.ec2.create_volume(
      {.availability_zone = self.availability_zone,
       .type = old.type,
       .iops = has_iops ? old.iops : 0,
       .snapshot_id = snapshot_id,
       .tags = {{tags::kHopOf, old.id}, {tags::kHopGeneration, generation}}});
  return wait_available(context, made.id);
}

void check_unchanged(const Context& context, const aws::Volume& old,
                     const std::string& generation) {
  const auto now = context.ec2.find_volume(old.id);
  if (!now || now->state != "available" || now->tag(tags::kGeneration) != generation) {
    throw TryAgain(fmt::format("volume {} was attached elsewhere during the hop", old.id));
  }
}

// The tags that the new volume takes from the old one, including the job's own.
aws::Tags inherited_tags(const aws::Volume& old) {
  aws::Tags inherited = old.tags;
  std::erase_if(inherited, [](const auto& entry) {
    return entry.first.starts_with("aws:") || entry.first == tags::kGeneration ||
           entry.first == tags::kHopOf || entry.first == tags::kHopGeneration;
  });
  return inherited;
}

// Makes the new volume the job's.
aws::Volume succeed(const Context& context, const Job& job, const client::Identity& self,
                    const aws::Volume& old, aws::Volume fresh) {
  fresh.tags = inherited_tags(old);
  context.ec2.create_tags(fresh.id, fresh.tags);
  fresh.tags[tags::kHopOf] = old.id;
  retire(context, fresh, job, self);
  return fresh;
}

aws::Volume hop(const Context& context, const Job& job, const client::Identity& self,
                aws::Volume old) {
  context.log.say(fmt::format("volume {} is in {}, we are in {}: hop", old.id,
                              old.availability_zone, self.availability_zone));
  std::string generation = old.tag(tags::kGeneration);
  if (generation.empty()) {
    generation = new_generation(context, self);
    context.ec2.create_tags(old.id, {{tags::kGeneration, generation}});
  }
  context.log.phase("snapshot");
  const std::string snapshot_id = snapshot_now(context, old, generation);
  wait_completed(context, snapshot_id);

  context.log.phase("create-volume");
  const aws::Volume fresh = volume_here(context, old, generation, snapshot_id, self);

  context.log.phase("attach");
  attach_volume(context, fresh, job, self);
  check_unchanged(context, old, generation);
  return succeed(context, job, self, old, fresh);
}

// Returns the newest backup of a failed volume, and waits until it is complete. A pending backup
// may fail or be deleted; then another one is the newest.
aws::Snapshot wait_for_backup(const Context& context, const Job& job, const aws::Volume& lost) {
  std::string said;
  for (Poll poll(context.clock);; poll.wait_for_change()) {
    const auto backup = newest_backup(context.ec2, job, lost);
    if (!backup) throw TryAgain(fmt::format("the backup of volume {} is gone", lost.id));
    if (backup->state == "completed") return *backup;
    if (said.empty()) context.log.phase("snapshot");
    const std::string now = backup->id + ": " + backup->progress;
    if (now != said) {
      said = now;
      context.log.say(
          fmt::format("volume {} is in state error: waiting for its backup {}", lost.id, now));
    }
  }
}

// A hop from a failed volume in any zone. Its backup replaces the snapshot. A backup with the job's
// tag remains.
aws::Volume restore(const Context& context, const Job& job, const client::Identity& self,
                    aws::Volume lost) {
  const aws::Snapshot backup = wait_for_backup(context, job, lost);
  context.log.say(fmt::format("volume {} is in state error: going on with its backup {} of {}",
                              lost.id, backup.id, backup.start_time));
  context.log.phase("create-volume");
  // An interrupted hop may already have made a volume from its snapshot.
  const std::string of_a_hop = backup.tag(tags::kHopGeneration);
  const aws::Volume fresh =
      volume_here(context, lost, of_a_hop.empty() ? backup.id : of_a_hop, backup.id, self);
  context.log.phase("attach");
  attach_volume(context, fresh, job, self);
  take_back_progress(lost.tags, parse_iso_time(backup.start_time).value_or(Time{}));
  lost.tags.erase(tags::kDone);
  return succeed(context, job, self, lost, fresh);
}

}  // namespace

void attach_volume(const Context& context, const aws::Volume& volume, const Job& job,
                   const client::Identity& self) {
  if (!attached_to(volume, self.instance_id)) {
    context.ec2.create_tags(volume.id, {{tags::kGeneration, new_generation(context, self)}});
    try {
      context.ec2.attach_volume(volume.id, self.instance_id, job.volume.device);
    } catch (const aws::ApiError&) {
      // After a lost answer, the obstacle for a retry may be the effect of the first attempt.
      const auto now = context.ec2.find_volume(volume.id);
      if (!now || !attached_to(*now, self.instance_id)) throw;
    }
  }
  wait_attached(context, volume.id, self);
}

aws::Volume bring_volume(const Context& context, const Job& job, const client::Identity& self) {
  context.log.phase("find-volume");
  aws::Volume volume = find_job_volume(context, job);
  if (volume.state == "error") return restore(context, job, self, volume);
  // A volume that failed while it was attached gets into state error when it is detached. Until
  // then, the replaced volume must stay.
  volume = wait_until_free(context, volume.id, self.instance_id);
  if (!volume.tag(tags::kHopOf).empty()) {
    context.log.say(
        fmt::format("finishing the hop from {} to {}", volume.tag(tags::kHopOf), volume.id));
    retire(context, volume, job, self);
  }
  if (volume.availability_zone != self.availability_zone) {
    return hop(context, job, self, volume);
  }
  context.log.phase("attach");
  attach_volume(context, volume, job, self);
  try_to_delete(context, "what hops from " + volume.id + " have left",
                [&] { delete_hop_leftovers(context, volume.id, "", self); });
  return volume;
}

void finish_hops(const Context& context, const Job& job, const client::Identity& self) {
  auto volume = current_volume(context.ec2, job);
  if (!volume || volume->state == "error") return;
  if (!volume->tag(tags::kHopOf).empty()) retire(context, *volume, job, self);
  delete_hop_leftovers(context, volume->id, "", self);
}

}  // namespace spotrun
