// Volumes into machines and out again. The volume is in-use from the call that attaches it until it
// is detached; it is detached when the time for it has passed and the machine has let go of it. A
// machine that keeps it mounted makes it "busy".
#include <fmt/format.h>

#include <charconv>

#include "sim/cloud/parts/state.h"
#include "sim/kernel/check.h"

namespace sim::cloud {
namespace {

[[noreturn]] void throw_incorrect_state(const Volume& volume, std::string_view state,
                                        const std::string& hint = "") {
  throw ApiError("IncorrectState",
                 fmt::format("The volume '{}' is '{}'{}", volume.id.value, state, hint));
}

void check_device_is_free(Volumes& volumes, const std::set<VolumeId>& attached,
                          const std::string& device) {
  const auto wanted = guest_device(device);
  if (!wanted)
    throw ApiError("InvalidParameterValue", "Value (" + device +
                                                ") for parameter device is invalid. " + device +
                                                " is not a valid EBS device name.");
  bool used = is_root_device(device);
  for (const VolumeId& id : attached)
    used |= guest_device(volumes.find(id).attachment->device) == wanted;
  if (used)
    throw ApiError("InvalidParameterValue", "Invalid value '" + device +
                                                "' for unixDevice. Attachment point " + device +
                                                " is already in use");
}

}  // namespace

// (/dev/)?((sd|xvd)[a-z]([1-9]|1[0-5])?|xvd[a-d][a-z])
std::optional<std::string> guest_device(std::string_view name) {
  const auto is_letter = [&](std::size_t at, char last) {
    return name[at] >= 'a' && name[at] <= last;
  };
  if (name.starts_with("/dev/")) name.remove_prefix(5);
  const bool sd = name.starts_with("sd");
  if (!sd && !name.starts_with("xvd")) return {};
  name.remove_prefix(sd ? 2 : 3);
  if (!sd && name.size() == 2 && is_letter(0, 'd') && is_letter(1, 'z'))
    return fmt::format("/dev/xvd{}", name);
  if (name.empty() || !is_letter(0, 'z')) return {};
  const std::string_view partition = name.substr(1);
  if (!partition.empty()) {
    unsigned number = 0;
    const char* const end = partition.data() + partition.size();
    const auto read = std::from_chars(partition.data(), end, number);
    if (partition[0] == '0' || read.ec != std::errc{} || read.ptr != end || number > 15) return {};
  }
  return fmt::format("/dev/xvd{}", name);
}

Attachment Cloud::attach_volume(const VolumeId& volume_id, const InstanceId& instance_id,
                                const std::string& device) {
  State& s = *state_;
  Volume& volume = s.volumes.shown(volume_id);
  const Instance& instance = s.shown(instance_id);
  if (volume.attachment)
    throw ApiError("VolumeInUse", volume_id.value + " is already attached to an instance");
  if (volume.root)
    throw ApiError("UnsupportedOperation", "The volume '" + volume_id.value +
                                               "' was an instance's root, whose content this "
                                               "simulated AWS does not keep.");
  if (volume.state != VolumeState::kAvailable)
    throw_incorrect_state(volume, name(volume.state), ", not 'available'");
  if (instance.state != InstanceState::kRunning)
    throw ApiError("IncorrectState", "Instance '" + instance_id.value + "' is not 'running'.");
  if (volume.availability_zone != instance.spec.availability_zone)
    throw ApiError("InvalidVolume.ZoneMismatch", "The volume '" + volume_id.value +
                                                     "' is not in the same availability zone as "
                                                     "instance '" +
                                                     instance_id.value + "'");
  check_device_is_free(s.volumes, s.attached[instance_id], device);

  VolumeWork& work = s.volume_work[volume_id];
  work = {.attachments = work.attachments + 1};
  s.set_state(volume, VolumeState::kInUse);
  volume.attachment = {
      .volume = volume_id, .instance = instance_id, .device = device, .attached_at = s.now()};
  s.attached[instance_id].insert(volume_id);
  s.tell_new(*volume.attachment);
  const std::string stream_id = fmt::format("{}/{}", volume_id.value, work.attachments);
  work.attaching =
      s.simulation.after(s.draw(s.config.durations.volume_attaching, "volume-attaching", stream_id),
                         [&s, &volume] { s.become_attached(volume); });
  return *volume.attachment;
}

void Cloud::State::become_attached(Volume& volume) {
  VolumeWork& work = volume_work[volume.id];
  work.attaching.reset();
  Attachment& attachment = *volume.attachment;
  const Instance& instance = find(attachment.instance);
  // A machine that goes down takes no device any more; its end detaches the volume.
  if (instance.state != InstanceState::kRunning) return;
  set_state(attachment, AttachmentState::kAttached);
  if (!instance_work[instance.id].booted) return;
  work.plugged = true;
  host.plug(volume.id, instance.id, attachment.device);
}

void Cloud::State::plug_all(const Instance& instance) {
  for (const VolumeId& id : attached[instance.id]) {
    const Volume& volume = volumes.find(id);
    if (volume.root || volume.attachment->state != AttachmentState::kAttached) continue;
    volume_work[id].plugged = true;
    host.plug(id, instance.id, volume.attachment->device);
  }
}

Attachment Cloud::detach_volume(const VolumeId& volume_id, const InstanceId& or_empty, bool force) {
  State& s = *state_;
  Volume& volume = s.volumes.shown(volume_id);
  if (!volume.attachment) throw_incorrect_state(volume, name(volume.state), ", not attached");
  Attachment& attachment = *volume.attachment;
  if (!or_empty.empty() && attachment.instance != or_empty) {
    s.shown(or_empty);
    throw ApiError("InvalidAttachment.NotFound", "The volume '" + volume_id.value +
                                                     "' is not attached to instance '" +
                                                     or_empty.value + "'.");
  }
  if (volume.root)
    throw ApiError("OperationNotPermitted", "Unable to detach root volume '" + volume_id.value +
                                                "' from instance '" + attachment.instance.value +
                                                "'");
  const bool under_way =
      attachment.state == AttachmentState::kDetaching || attachment.state == AttachmentState::kBusy;
  if (attachment.state != AttachmentState::kAttached && !(under_way && force))
    throw_incorrect_state(volume, name(attachment.state), ", not 'attached'");
  s.start_detaching(volume, force);
  return attachment;
}

void Cloud::State::start_detaching(Volume& volume, bool force) {
  Attachment& attachment = *volume.attachment;
  VolumeWork& work = volume_work[volume.id];
  const auto serial = work.attachments;
  if (attachment.state == AttachmentState::kAttached) {
    set_state(attachment, AttachmentState::kDetaching);
    const std::string stream_id = fmt::format("{}/{}", volume.id.value, serial);
    simulation.after(draw(config.durations.volume_detaching, "volume-detaching", stream_id),
                     [this, &volume, &work, serial] {
                       if (!volume.attachment || work.attachments != serial) return;
                       work.detach_elapsed = true;
                       detach_if_done(volume);
                     });
  }
  if (!work.plugged) {
    work.released = true;
    return;
  }
  host.unplug(volume.id, attachment.instance, force, [this, &volume, &work, serial] {
    if (!volume.attachment || work.attachments != serial) return;
    work.released = true;
    detach_if_done(volume);
  });
}

void Cloud::State::detach_if_done(Volume& volume) {
  const VolumeWork& work = volume_work[volume.id];
  if (!work.detach_elapsed) return;
  if (work.released) return finish_detaching(volume);
  if (volume.attachment->state == AttachmentState::kDetaching)
    set_state(*volume.attachment, AttachmentState::kBusy);
}

void Cloud::State::finish_detaching(Volume& volume) {
  SIM_CHECK(volume.attachment.has_value());
  const bool remove =
      volume.attachment->delete_on_termination && find(volume.attachment->instance).terminated_at;
  set_state(*volume.attachment, AttachmentState::kDetached);
  attached[volume.attachment->instance].erase(volume.id);
  volume.attachment.reset();
  set_state(volume, volume_work[volume.id].lost ? VolumeState::kError : VolumeState::kAvailable);
  if (remove) volumes.remove(volume);
}

void Cloud::State::detach_all_from(const Instance& instance) {
  const std::set<VolumeId> devices =
      attached[instance.id];  // one that is detached leaves the other
  for (const VolumeId& id : devices) {
    Volume& volume = volumes.find(id);
    if (volume.root) continue;
    VolumeWork& work = volume_work[id];
    cancel(work.attaching);
    work.released = true;
    const AttachmentState state = volume.attachment->state;
    if (state == AttachmentState::kAttaching || state == AttachmentState::kAttached)
      set_state(*volume.attachment, AttachmentState::kDetaching);
    else
      detach_if_done(volume);
  }
}

void Cloud::lose_volumes(const InstanceId& instance) {
  State& s = *state_;
  for (const VolumeId& id : s.attached[instance]) s.volume_work[id].lost = true;
}

void Cloud::fail_volume(const VolumeId& id) {
  State& s = *state_;
  Volume& volume = s.volumes.find(id);
  if (volume.attachment) {
    s.volume_work[id].lost = true;
  } else if (volume.state == VolumeState::kCreating || volume.state == VolumeState::kAvailable) {
    s.set_state(volume, VolumeState::kError);
  }
}

void Cloud::State::finish_all_detaching_from(const Instance& instance) {
  const std::set<VolumeId> devices = attached[instance.id];
  for (const VolumeId& id : devices) {
    Volume& volume = volumes.find(id);
    volume.root ? end_root(volume) : finish_detaching(volume);
  }
  attached.erase(instance.id);
}

}  // namespace sim::cloud
