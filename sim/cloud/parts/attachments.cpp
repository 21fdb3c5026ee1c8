#include "sim/cloud/parts/attachments.h"

#include <fmt/format.h>

#include <utility>

#include "sim/cloud/error.h"

namespace sim::cloud {
namespace {

[[noreturn]] void throw_incorrect_state(const Volume& volume, std::string_view state,
                                        const std::string& hint = "") {
  throw ApiError("IncorrectState",
                 fmt::format("The volume '{}' is '{}'{}", volume.id.value, state, hint));
}

}  // namespace

Attachments::Attachments(Context& context, Host& host, Tagging& tagging, Volumes& volumes,
                         const Instances& instances)
    : context_(context), host_(host), tagging_(tagging), volumes_(volumes), instances_(instances) {}

void Attachments::set_state(Volume& volume, AttachmentState to) {
  volumes_.touch(volume);
  context_.set_state(*volume.attachment, to);
}

void Attachments::check_device_is_free(const InstanceId& instance, const std::string& device) {
  const auto wanted = guest_device(device);
  if (!wanted)
    throw ApiError("InvalidParameterValue", "Value (" + device +
                                                ") for parameter device is invalid. " + device +
                                                " is not a valid EBS device name.");
  bool used = is_root_device(device);
  for (const VolumeId& id : index_[instance])
    used |= guest_device(volumes_.find(id).attachment->device) == wanted;
  if (used)
    throw ApiError("InvalidParameterValue", "Invalid value '" + device +
                                                "' for unixDevice. Attachment point " + device +
                                                " is already in use");
}

Attachment Attachments::attach(const VolumeId& volume_id, const InstanceId& instance_id,
                               const std::string& device) {
  Volume& volume = volumes_.shown(volume_id);
  const Instance& instance = instances_.shown(instance_id);
  if (volume.attachment)
    throw ApiError("VolumeInUse", volume_id.value + " is already attached to an instance");
  if (volume.root)
    throw ApiError("UnsupportedOperation", "The volume '" + volume_id.value +
                                               "' was an instance's root, which this "
                                               "simulated AWS attaches to no other one.");
  if (volume.state != VolumeState::kAvailable)
    throw_incorrect_state(volume, name(volume.state), ", not 'available'");
  if (instance.state != InstanceState::kRunning && instance.state != InstanceState::kStopped)
    throw ApiError("IncorrectState", "Instance '" + instance_id.value + "' is not 'running'.");
  if (volume.availability_zone != instance.spec.availability_zone)
    throw ApiError("InvalidVolume.ZoneMismatch", "The volume '" + volume_id.value +
                                                     "' is not in the same availability zone as "
                                                     "instance '" +
                                                     instance_id.value + "'");
  check_device_is_free(instance_id, device);

  Work& work = work_[volume_id];
  work = {.attachments = work.attachments + 1};
  volumes_.set_state(volume, VolumeState::kInUse);
  put_in(volume, instance, {.device = device, .volume = {}, .delete_on_termination = false});
  volumes_.touch(volume);
  context_.tell_new(*volume.attachment);
  const std::string stream_id = fmt::format("{}/{}", volume_id.value, work.attachments);
  work.attaching = context_.simulation.after(
      context_.draw(context_.config.durations.volume_attaching, "volume-attaching", stream_id),
      [this, &volume] { become_attached(volume); });
  return *volume.attachment;
}

void Attachments::put_in(Volume& volume, const Instance& instance, const BlockDevice& device) {
  volume.attachment = {.volume = volume.id,
                       .instance = instance.id,
                       .device = device.device,
                       .attached_at = context_.now(),
                       .delete_on_termination = device.delete_on_termination};
  index_[instance.id].insert(volume.id);
}

void Attachments::become_attached(Volume& volume) {
  Work& work = work_[volume.id];
  work.attaching.reset();
  const Attachment& attachment = *volume.attachment;
  const Instance& instance = instances_.find(attachment.instance);
  // A machine that shuts down accepts no device. When it has ended, the volume is detached.
  if (instance.shutting_down_at) return;
  set_state(volume, AttachmentState::kAttached);
  if (!instances_.has_booted(instance.id)) return;
  work.plugged = true;
  host_.plug(volume.id, instance.id, attachment.device);
}

void Attachments::booted(const Instance& instance) {
  for (const VolumeId& id : index_[instance.id]) {
    const Volume& volume = volumes_.find(id);
    if (volume.root || volume.attachment->state != AttachmentState::kAttached) continue;
    if (std::exchange(work_[id].plugged, true)) continue;  // a hibernated machine keeps its devices
    host_.plug(id, instance.id, volume.attachment->device);
  }
}

void Attachments::stopped(const Instance& instance) {
  if (instance.hibernated) return;
  for (const VolumeId& id : index_[instance.id]) {
    Work& work = work_[id];
    if (!work.plugged) continue;
    work.plugged = false;
    host_.unplug(id, instance.id, true, [] {});
  }
}

void Attachments::starting_machine(const Instance& instance) { booted(instance); }

Attachment Attachments::detach(const VolumeId& volume_id, const InstanceId& or_empty, bool force) {
  Volume& volume = volumes_.shown(volume_id);
  if (!volume.attachment) throw_incorrect_state(volume, name(volume.state), ", not attached");
  const Attachment& attachment = *volume.attachment;
  if (!or_empty.empty() && attachment.instance != or_empty) {
    instances_.shown(or_empty);
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
  start_detaching(volume, force);
  return attachment;
}

void Attachments::start_detaching(Volume& volume, bool force) {
  const Attachment& attachment = *volume.attachment;
  Work& work = work_[volume.id];
  const auto serial = work.attachments;
  if (attachment.state == AttachmentState::kAttached) {
    set_state(volume, AttachmentState::kDetaching);
    const std::string stream_id = fmt::format("{}/{}", volume.id.value, serial);
    context_.simulation.after(
        context_.draw(context_.config.durations.volume_detaching, "volume-detaching", stream_id),
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
  host_.unplug(volume.id, attachment.instance, force, [this, &volume, &work, serial] {
    if (!volume.attachment || work.attachments != serial) return;
    work.released = true;
    detach_if_done(volume);
  });
}

void Attachments::detach_if_done(Volume& volume) {
  const Work& work = work_[volume.id];
  if (!work.detach_elapsed) return;
  if (work.released) return finish_detaching(volume);
  if (volume.attachment->state == AttachmentState::kDetaching)
    set_state(volume, AttachmentState::kBusy);
}

void Attachments::finish_detaching(Volume& volume) {
  SIM_CHECK(volume.attachment.has_value());
  const InstanceId instance = volume.attachment->instance;
  const bool remove =
      volume.attachment->delete_on_termination && instances_.find(instance).terminated_at;
  set_state(volume, AttachmentState::kDetached);
  index_[instance].erase(volume.id);
  volume.attachment.reset();
  volumes_.set_state(volume, work_[volume.id].lost ? VolumeState::kError : VolumeState::kAvailable);
  if (remove) volumes_.remove(volume);
}

void Attachments::machine_gone(const Instance& instance) {
  const std::set<VolumeId> devices = index_[instance.id];  // a copy: detaching changes the index
  for (const VolumeId& id : devices) {
    Volume& volume = volumes_.find(id);
    if (volume.root && !volume.attachment->delete_on_termination)
      context_.tell(&Observer::root_volume, volume, instance.id, "kept");
    if (volume.root) continue;
    Work& work = work_[id];
    context_.cancel(work.attaching);
    work.released = true;
    const AttachmentState state = volume.attachment->state;
    if (state == AttachmentState::kAttaching || state == AttachmentState::kAttached)
      set_state(volume, AttachmentState::kDetaching);
    else
      detach_if_done(volume);
  }
}

void Attachments::terminated(const Instance& instance) {
  const std::set<VolumeId> devices = index_[instance.id];  // a copy, likewise
  for (const VolumeId& id : devices) {
    Volume& volume = volumes_.find(id);
    volume.root ? end_root(volume) : finish_detaching(volume);
  }
  index_.erase(instance.id);
}

void Attachments::lose_volumes(const InstanceId& instance) {
  for (const VolumeId& id : index_[instance]) work_[id].lost = true;
}

void Attachments::fail_volume(const VolumeId& id) {
  Volume& volume = volumes_.find(id);
  if (volume.attachment) {
    work_[id].lost = true;
  } else if (volume.state == VolumeState::kCreating || volume.state == VolumeState::kAvailable) {
    volumes_.set_state(volume, VolumeState::kError);
  }
}

}  // namespace sim::cloud
