#include "orchestrator/job/volume_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "orchestrator/failure.h"
#include "orchestrator/job/tags.h"
#include "orchestrator/waiting.h"

namespace spotrun {
namespace {

constexpr Duration kAppearance{120'000};
constexpr Duration kHolderPatience{600'000};

std::string listed(const std::vector<aws::Volume>& volumes) {
  std::string text;
  for (const auto& volume : volumes) {
    text += fmt::format("{}{} ({}, {})", text.empty() ? "" : ", ", volume.id, volume.state,
                        volume.availability_zone);
  }
  return text;
}

// Removes volumes that another one in the list has replaced.
std::vector<aws::Volume> without_hop_sources(std::vector<aws::Volume> volumes) {
  std::set<std::string> replaced;
  for (const auto& volume : volumes) replaced.insert(volume.tag(tags::kHopOf));
  std::erase_if(volumes, [&](const aws::Volume& volume) { return replaced.contains(volume.id); });
  return volumes;
}

// Whether an instance of the job has attached this volume. A copy can have the tags of another
// volume, but these name an attachment from before the copy was made.
bool was_attached(const aws::Volume& volume) { return last_attached(volume) > volume.created; }

bool equal_but_for_age(const aws::Volume& a, const aws::Volume& b) {
  const auto properties = [](const aws::Volume& volume) {
    return std::tie(volume.availability_zone, volume.type, volume.size_gib, volume.snapshot_id,
                    volume.tags);
  };
  return properties(a) == properties(b);
}

// Whether `volume` is a copy of `original` that no instance has written to.
bool is_copy_of(const aws::Volume& original, const aws::Volume& volume) {
  const std::string generation = volume.tag(tags::kGeneration);
  if (generation != original.tag(tags::kGeneration))
    return was_attached(original) && !was_attached(volume);
  const bool younger =
      std::tie(original.created, original.id) < std::tie(volume.created, volume.id);
  return younger && (!generation.empty() || equal_but_for_age(original, volume));
}

std::vector<aws::Volume> without_copies(const std::vector<aws::Volume>& volumes) {
  std::vector<aws::Volume> originals;
  std::ranges::copy_if(volumes, std::back_inserter(originals), [&](const aws::Volume& volume) {
    return std::ranges::none_of(
        volumes, [&](const aws::Volume& other) { return is_copy_of(other, volume); });
  });
  return originals;
}

// True if the instance that has the volume will release it without further action.
bool going_away(const Context& context, const std::string& instance_id) {
  const auto holder = context.ec2.find_instance(instance_id);
  if (!holder || holder->state == "shutting-down" || holder->state == "terminated") return true;
  return !holder->spot_request_id.empty() && is_marked(context, holder->spot_request_id);
}

aws::Volume describe(const Context& context, const std::string& volume_id) {
  if (auto volume = context.ec2.find_volume(volume_id)) {
    if (volume->state != "deleting" && volume->state != "deleted") return *volume;
  }
  throw TryAgain(fmt::format("volume {} is gone", volume_id));
}

}  // namespace

bool is_marked(const Context& context, const std::string& spot_request_id) {
  const std::string status = context.ec2.spot_request_status(spot_request_id);
  return status.starts_with("marked-for-") || status.starts_with("instance-terminated-") ||
         status.starts_with("instance-stopped-");
}

bool attached_to(const aws::Volume& volume, const std::string& instance_id) {
  return std::any_of(volume.attachments.begin(), volume.attachments.end(), [&](const auto& a) {
    return a.instance_id == instance_id && a.state != "detaching";
  });
}

std::optional<Time> last_attached(const aws::Volume& volume) {
  const std::string generation = volume.tag(tags::kGeneration);
  return parse_iso_time(generation.substr(0, generation.find(' ')));
}

std::vector<aws::Volume> tagged_volumes(aws::Ec2& ec2, const Job& job) {
  return ec2.describe_volumes({{"tag:" + job.volume.tag_key, {job.volume.tag_value}},
                               {"status", {"creating", "available", "in-use", "error"}}});
}

std::optional<aws::Volume> current_volume(aws::Ec2& ec2, const Job& job) {
  const auto volumes = without_copies(without_hop_sources(tagged_volumes(ec2, job)));
  return volumes.size() == 1 ? std::optional(volumes[0]) : std::nullopt;
}

std::optional<aws::Snapshot> newest_backup(aws::Ec2& ec2, const Job& job, const aws::Volume& lost) {
  const aws::Filter usable{"status", {"completed", "pending"}};
  auto backups =
      ec2.describe_snapshots({{"tag:" + job.volume.tag_key, {job.volume.tag_value}}, usable});
  std::vector<std::string> hops{tags::hop_description(lost.id)};
  if (const std::string before = lost.tag(tags::kHopOf); !before.empty())
    hops.push_back(tags::hop_description(before));
  std::ranges::move(ec2.describe_snapshots({{"description", hops}, usable}),
                    std::back_inserter(backups));
  const std::string generation = lost.tag(tags::kGeneration);
  const auto worth = [&](const aws::Snapshot& snapshot) {
    const bool all = snapshot.volume_id == lost.id && !generation.empty() &&
                     snapshot.tag(tags::kHopGeneration) == generation;
    return std::tuple(all, snapshot.state == "completed", snapshot.start_time, snapshot.id);
  };
  const auto newest = std::ranges::max_element(backups, {}, worth);
  return newest == backups.end() ? std::nullopt : std::optional(*newest);
}

aws::Volume find_job_volume(const Context& context, const Job& job) {
  for (Poll poll(context.clock);; poll.wait_for_change()) {
    const auto all = without_hop_sources(tagged_volumes(context.ec2, job));
    const auto volumes = without_copies(all);
    if (volumes.size() > 1) {
      throw Failure(
          ExitCode::kVolume,
          fmt::format("found {} volumes tagged {}: {}; expected one. Take the tag off the "
                      "others",
                      volumes.size(), volume_tag(job), listed(volumes)));
    }
    if (volumes.size() == 1 && volumes[0].state == "error" &&
        !newest_backup(context.ec2, job, volumes[0])) {
      throw Failure(
          ExitCode::kVolume,
          fmt::format("volume {} is in state error, and there is neither a snapshot tagged "
                      "{} nor one of a hop. Unless something was trained on the volume, `spotrun "
                      "prepare` makes another one; else take the tag off the volume first",
                      volumes[0].id, volume_tag(job)));
    }
    if (volumes.size() == 1 && volumes[0].state != "creating") {
      if (all.size() > 1)
        context.log.say(fmt::format(
            "volume {} is the job's. Of the volumes tagged {} the others are copies that no "
            "instance has used; they cost money until they are deleted: {}",
            volumes[0].id, volume_tag(job), listed(all)));
      return volumes[0];
    }
    if (volumes.empty() && poll.waited() >= kAppearance) {
      throw Failure(
          ExitCode::kVolume,
          fmt::format("found no volume tagged {}; `spotrun prepare` makes one", volume_tag(job)));
    }
  }
}

aws::Volume wait_until_free(const Context& context, const std::string& volume_id,
                            const std::string& instance_id) {
  Poll poll(context.clock);
  bool said = false;
  Time held_since = context.clock.now();
  for (;;) {
    aws::Volume volume = describe(context, volume_id);
    if (volume.state == "available" || attached_to(volume, instance_id)) return volume;
    if (volume.state == "error") {
      throw TryAgain(fmt::format("volume {} is in state error", volume_id));
    }
    if (volume.attachments.empty() || volume.attachments[0].state == "detaching") {
      held_since = context.clock.now();
    } else if (const auto& holder = volume.attachments[0].instance_id;
               going_away(context, holder)) {
      held_since = context.clock.now();
    } else if (context.clock.now() - held_since >= kHolderPatience) {
      throw Failure(
          ExitCode::kVolumeHeld,
          fmt::format("volume {} is attached to {}, which is not going away", volume_id, holder));
    }
    if (!said) {
      context.log.phase("wait-detached");
      context.log.say(fmt::format("waiting for volume {} ({})", volume_id, volume.state));
      said = true;
    }
    poll.wait();
  }
}

aws::Volume wait_available(const Context& context, const std::string& volume_id) {
  for (Poll poll(context.clock);; poll.wait_for_change()) {
    const auto volume = context.ec2.find_volume(volume_id);
    // A volume that was just made may not be seen yet: as good as creating.
    const std::string state = volume ? volume->state : "creating";
    if (state == "available") return *volume;
    if (state != "creating" && state != "in-use") {
      throw TryAgain(fmt::format("volume {} is in state {}", volume_id, state));
    }
  }
}

}  // namespace spotrun
