#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::Attachment;
using sim::cloud::Volume;

using Values = std::vector<std::string>;

std::string status(const Volume& volume) { return std::string(name(volume.state)); }

template <class Get>
Values of_attachment(const Volume& volume, Get get) {
  if (!volume.attachment) return {};
  return {get(*volume.attachment)};
}

constexpr FilterRow<Volume> kVolumeFilters[] = {
    {"attachment.attach-time",
     [](const Volume& v, Backend&) {
       return of_attachment(v, [](const auto& a) { return sim::iso_milliseconds(a.attached_at); });
     }},
    {"attachment.delete-on-termination",
     [](const Volume& v, Backend&) {
       return of_attachment(v, [](const auto& a) {
         return std::string(a.delete_on_termination ? "true" : "false");
       });
     }},
    {"attachment.device",
     [](const Volume& v, Backend&) {
       return of_attachment(v, [](const auto& a) { return a.device; });
     }},
    {"attachment.instance-id",
     [](const Volume& v, Backend&) {
       return of_attachment(v, [](const auto& a) { return a.instance.value; });
     }},
    {"attachment.status",
     [](const Volume& v, Backend&) {
       return of_attachment(v, [](const auto& a) { return std::string(name(a.state)); });
     }},
    {"availability-zone", [](const Volume& v, Backend&) { return Values{v.availability_zone}; }},
    {"create-time",
     [](const Volume& v, Backend&) { return Values{sim::iso_milliseconds(v.created_at)}; }},
    {"encrypted", [](const Volume&, Backend&) { return Values{"false"}; }},
    {"size", [](const Volume& v, Backend&) { return Values{std::to_string(v.size_gib)}; }},
    {"snapshot-id", [](const Volume& v, Backend&) { return Values{v.snapshot.value}; }},
    {"status", [](const Volume& v, Backend&) { return Values{status(v)}; }},
    {"volume-id", [](const Volume& v, Backend&) { return Values{v.id.value}; }},
    {"volume-type", [](const Volume& v, Backend&) { return Values{v.type}; }},
};

const sim::cloud::Tags& tags_of(const Volume& volume) { return volume.tags; }

void render(Node out, const Attachment& attachment) {
  add_text(out, "volumeId", attachment.volume.value);
  add_text(out, "instanceId", attachment.instance.value);
  add_text(out, "device", attachment.device);
  add_text(out, "status", std::string(name(attachment.state)));
  add_time(out, "attachTime", attachment.attached_at);
  add_flag(out, "deleteOnTermination", attachment.delete_on_termination);
}

void render(Node out, const Volume& volume) {
  add_text(out, "volumeId", volume.id.value);
  add_integer(out, "size", volume.size_gib);
  add_text(out, "snapshotId", volume.snapshot.value);
  add_text(out, "availabilityZone", volume.availability_zone);
  add_text(out, "status", status(volume));
  add_time(out, "createTime", volume.created_at);
  Node set = out.append_child("attachmentSet");
  if (volume.attachment) render(set.append_child("item"), *volume.attachment);
  add_tags(out, volume.tags);
  add_text(out, "volumeType", volume.type);
  if (volume.iops > 0) add_integer(out, "iops", volume.iops);
  add_flag(out, "encrypted", false);
  add_flag(out, "multiAttachEnabled", false);
}

std::vector<const Volume*> select(Call& call, const std::vector<std::string>& ids,
                                  const Filters<Volume>& filters) {
  std::vector<const Volume*> volumes;
  for (const auto& id : ids) volumes.push_back(&find_volume(call, volume_id(id)));
  if (ids.empty()) {
    for (const auto& [id, volume] : call.cloud.volumes()) {
      if (visible(volume)) volumes.push_back(&volume);
    }
  }
  std::erase_if(volumes, [&](const Volume* v) { return !filters.match(*v, call.backend); });
  return volumes;
}

}  // namespace

void create_volume(Call& call) {
  const std::string zone = call.in.required("AvailabilityZone");
  const auto size = call.in.integer("Size", 1, 16384);
  const std::string snapshot = call.in.text("SnapshotId").value_or("");
  const std::string type = call.in.text("VolumeType").value_or("gp2");
  if (call.in.boolean("Encrypted").value_or(false)) call.in.refuse("Encrypted");
  if (call.in.boolean("MultiAttachEnabled").value_or(false)) call.in.refuse("MultiAttachEnabled");
  for (const char* name : {"Iops", "Throughput", "KmsKeyId", "OutpostArn"}) call.in.refuse(name);
  call.in.accept("ClientToken");
  const auto tags = read_tag_specification(call.in, "volume");
  call.start();

  sim::cloud::SnapshotId from;
  int gib = static_cast<int>(size.value_or(0));
  if (!snapshot.empty()) {
    from = snapshot_id(snapshot);
    const auto& source = find_snapshot(call, from);
    if (gib == 0) gib = source.volume_size_gib;
  } else if (gib == 0) {
    throw ApiError("MissingParameter", "The request must contain the parameter size/snapshot");
  }
  const auto id = call.cloud.create_volume(zone, gib, type, from, tags);
  render(call.out, call.cloud.volume(id));
}

void describe_volumes(Call& call) {
  const auto ids = call.in.list("VolumeId");
  const Filters<Volume> filters(call.in, kVolumeFilters, tags_of);
  const Page page(call.in, 5, 1000);
  page.refuse_with(ids, "volumeIds");
  call.start();

  auto volumes = select(call, ids, filters);
  page.cut(volumes, call.out);
  Node set = call.out.append_child("volumeSet");
  for (const auto* volume : volumes) render(set.append_child("item"), *volume);
}

void describe_volume_status(Call& call) {
  const auto ids = call.in.list("VolumeId");
  const Filters<Volume> filters(call.in, kVolumeFilters, tags_of);
  const Page page(call.in, 5, 1000);
  page.refuse_with(ids, "volumeIds");
  call.start();

  auto volumes = select(call, ids, filters);
  page.cut(volumes, call.out);
  Node set = call.out.append_child("volumeStatusSet");
  for (const auto* volume : volumes) {
    const bool ready = volume->state == sim::cloud::VolumeState::kAvailable ||
                       volume->state == sim::cloud::VolumeState::kInUse;
    Node item = set.append_child("item");
    add_text(item, "volumeId", volume->id.value);
    add_text(item, "availabilityZone", volume->availability_zone);
    Node health = item.append_child("volumeStatus");
    add_text(health, "status", ready ? "ok" : "insufficient-data");
    Node details = health.append_child("details");
    Node enabled = details.append_child("item");
    add_text(enabled, "name", "io-enabled");
    add_text(enabled, "status", ready ? "passed" : "-");
    item.append_child("eventsSet");
    item.append_child("actionsSet");
  }
}

void attach_volume(Call& call) {
  const std::string volume = call.in.required("VolumeId");
  const std::string instance = call.in.required("InstanceId");
  const std::string device = call.in.required("Device");
  call.start();

  const auto id = find_volume(call, volume_id(volume)).id;
  const auto to = find_instance(call, instance_id(instance)).id;
  render(call.out, call.cloud.attach_volume(id, to, device));
}

void detach_volume(Call& call) {
  const std::string volume = call.in.required("VolumeId");
  const std::string instance = call.in.text("InstanceId").value_or("");
  const std::string device = call.in.text("Device").value_or("");
  const bool force = call.in.boolean("Force").value_or(false);
  call.start();

  const Volume& found = find_volume(call, volume_id(volume));
  if (!device.empty() && found.attachment && found.attachment->device != device) {
    throw ApiError("InvalidAttachment.NotFound",
                   "The volume '" + volume + "' is not attached to '" + device + "'.");
  }
  const auto from = instance.empty() ? sim::cloud::InstanceId{} : instance_id(instance);
  render(call.out, call.cloud.detach_volume(found.id, from, force));
}

void delete_volume(Call& call) {
  const std::string volume = call.in.required("VolumeId");
  call.start();

  call.cloud.delete_volume(find_volume(call, volume_id(volume)).id);
  add_flag(call.out, "return", true);
}

}  // namespace fakes::ec2
