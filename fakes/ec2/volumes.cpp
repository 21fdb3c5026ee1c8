#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "fakes/fis/impaired_volumes.h"

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
       return of_attachment(
           v, [](const auto& a) { return sim::iso_milliseconds(whole_second(a.attached_at)); });
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
    {"availability-zone-id",
     [](const Volume& v, Backend&) { return Values{zone_id(v.availability_zone)}; }},
    {"create-time",
     [](const Volume& v, Backend&) { return Values{sim::iso_milliseconds(v.created_at)}; }},
    {"encrypted", [](const Volume& v, Backend&) { return Values{v.encrypted ? "true" : "false"}; }},
    {"fast-restored", [](const Volume&, Backend&) { return Values{"false"}; }},
    {"multi-attach-enabled", [](const Volume&, Backend&) { return Values{"false"}; }},
    {"operator.managed", [](const Volume&, Backend&) { return Values{"false"}; }},
    {"operator.principal", no_value<Volume>},
    {"size", [](const Volume& v, Backend&) { return Values{std::to_string(v.size_gib)}; }},
    {"snapshot-id", [](const Volume& v, Backend&) { return Values{v.snapshot.value}; }},
    {"status", [](const Volume& v, Backend&) { return Values{status(v)}; }},
    {"volume-id", [](const Volume& v, Backend&) { return Values{v.id.value}; }},
    {"volume-type", [](const Volume& v, Backend&) { return Values{v.type}; }},
};

const sim::cloud::Tags& tags_of(const Volume& volume) { return volume.tags; }

bool is_ready(const Volume& volume) {
  return volume.state == sim::cloud::VolumeState::kAvailable ||
         volume.state == sim::cloud::VolumeState::kInUse;
}
std::string volume_status(const Volume& volume, const Backend& backend) {
  if (!is_ready(volume)) return "insufficient-data";
  return fis::is_impaired(backend, volume.id.value) ? "impaired" : "ok";
}
std::string io_enabled(const Volume& volume) { return is_ready(volume) ? "passed" : "-"; }

constexpr FilterRow<Volume> kVolumeStatusFilters[] = {
    {"availability-zone", [](const Volume& v, Backend&) { return Values{v.availability_zone}; }},
    {"availability-zone-id",
     [](const Volume& v, Backend&) { return Values{zone_id(v.availability_zone)}; }},
    {"operator.managed", [](const Volume&, Backend&) { return Values{"false"}; }},
    {"volume-status.details-name", [](const Volume&, Backend&) { return Values{"io-enabled"}; }},
    {"volume-status.details-status",
     [](const Volume& v, Backend&) { return Values{io_enabled(v)}; }},
    {"volume-status.status",
     [](const Volume& v, Backend& b) { return Values{volume_status(v, b)}; }},
    // No volume has an event, or an action that an event requires.
    {"action.code", no_value<Volume>},
    {"action.description", no_value<Volume>},
    {"action.event-id", no_value<Volume>},
    {"event.description", no_value<Volume>},
    {"event.event-id", no_value<Volume>},
    {"event.event-type", no_value<Volume>},
    {"event.not-after", no_value<Volume>},
    {"event.not-before", no_value<Volume>},
    {"operator.principal", no_value<Volume>},
};

aws::VolumeAttachment shown(const Attachment& attachment) {
  return {.attach_time = timestamp(whole_second(attachment.attached_at)),
          .delete_on_termination = attachment.delete_on_termination,
          .device = attachment.device,
          .instance_id = attachment.instance.value,
          .state = std::string(name(attachment.state)),
          .volume_id = attachment.volume.value};
}

aws::Volume shown(const Volume& volume) {
  aws::Volume out{.availability_zone = volume.availability_zone,
                  .create_time = timestamp(volume.created_at),
                  .encrypted = volume.encrypted,
                  .multi_attach_enabled = false,
                  .size = volume.size_gib,
                  .snapshot_id = volume.snapshot.value,
                  .state = status(volume),
                  .tags = shown_tags(volume.tags),
                  .volume_id = volume.id.value,
                  .volume_type = volume.type};
  out.attachments.give();
  if (volume.attachment) out.attachments.push_back(shown(*volume.attachment));
  if (volume.iops > 0) out.iops = volume.iops;
  if (volume.throughput > 0) out.throughput = volume.throughput;
  if (volume.encrypted) out.kms_key_id = volume.kms_key_id;
  return out;
}

// For DescribeVolumes or DescribeVolumeStatus: the volumes of this page, and the next page's token.
template <class Request, class Response>
std::vector<const Volume*> select(Call& call, const Request& request, int most_a_page,
                                  const Filters<Volume>& filters, Response& response) {
  const Page page(request, {.of = "volumes", .low = 5, .high = most_a_page, .cut_down = true});
  page.refuse_with(request.volume_ids, "volumeIds");
  auto volumes =
      filters.of(call.cloud.volumes(), "volume-id", call.backend, request.volume_ids,
                 [&](const auto& id) -> const Volume& { return call.cloud.shown(volume_id(id)); });
  std::erase_if(volumes, [&](const Volume* v) { return !call.cloud.shows(*v); });
  response.next_token = page.cut(volumes);
  return volumes;
}

aws::VolumeStatusItem status_item(const Volume& volume, const Backend& backend) {
  return {.actions = api::List<aws::VolumeStatusAction>().give(),
          .availability_zone = volume.availability_zone,
          .events = api::List<aws::VolumeStatusEvent>().give(),
          .volume_id = volume.id.value,
          .volume_status = aws::VolumeStatusInfo{
              .details = {{.name = "io-enabled", .status = io_enabled(volume)}},
              .status = volume_status(volume, backend)}};
}

}  // namespace

aws::Volume create_volume(Call& call, const aws::CreateVolumeRequest& request) {
  check_range(request.size, "Size", 1, 65536);
  check_range(request.iops, "Iops", 1, 1'000'000);
  check_range(request.throughput, "Throughput", 1, 10'000);
  if (request.multi_attach_enabled.value_or(false)) throw unsupported("MultiAttachEnabled");
  const auto tags = read_tag_specifications(request.tag_specifications, "volume");

  sim::cloud::SnapshotId from;
  int gib = static_cast<int>(request.size.value_or(0));
  if (!text(request.snapshot_id).empty()) {
    from = snapshot_id(*request.snapshot_id);
    const auto& source = call.cloud.shown(from);
    if (gib == 0) gib = source.volume_size_gib;
  } else if (gib == 0) {
    throw missing("size/snapshot");
  }
  const auto id = call.cloud.create_volume(
      {.availability_zone = required(request.availability_zone, "AvailabilityZone"),
       .size_gib = gib,
       .type = request.volume_type.value_or("gp2"),
       .from = from,
       .tags = tags,
       .encrypted = request.encrypted.value_or(false),
       .kms_key_id = text(request.kms_key_id),
       .iops = static_cast<int>(request.iops.value_or(0)),
       .throughput = static_cast<int>(request.throughput.value_or(0))});
  return shown(call.cloud.volume(id));
}

aws::DescribeVolumesResult describe_volumes(Call& call,
                                            const aws::DescribeVolumesRequest& request) {
  aws::DescribeVolumesResult response;
  const auto volumes =
      select(call, request, 500, {request.filters, kVolumeFilters, tags_of}, response);
  call.list("Volumes", response.volumes, volumes,
            [](const Volume& volume) { return shown(volume); });
  return response;
}

aws::DescribeVolumeStatusResult describe_volume_status(
    Call& call, const aws::DescribeVolumeStatusRequest& request) {
  aws::DescribeVolumeStatusResult response;
  response.volume_statuses.give();
  for (const auto* volume :
       select(call, request, 1000, {request.filters, kVolumeStatusFilters}, response))
    response.volume_statuses.push_back(status_item(*volume, call.backend));
  return response;
}

aws::VolumeAttachment attach_volume(Call& call, const aws::AttachVolumeRequest& request) {
  const auto id = call.cloud.shown(volume_id(required(request.volume_id, "VolumeId"))).id;
  const auto to = call.cloud.shown(instance_id(required(request.instance_id, "InstanceId"))).id;
  return shown(call.cloud.attach_volume(id, to, required(request.device, "Device")));
}

aws::VolumeAttachment detach_volume(Call& call, const aws::DetachVolumeRequest& request) {
  const std::string& id = required(request.volume_id, "VolumeId");
  const std::string& device = text(request.device);
  const Volume& found = call.cloud.shown(volume_id(id));
  if (!device.empty() && found.attachment && found.attachment->device != device)
    throw ApiError("InvalidAttachment.NotFound",
                   fmt::format("The volume {} is not attached to instance {} as device {}", id,
                               found.attachment->instance.value, device));
  const std::string& instance = text(request.instance_id);
  const auto from = instance.empty() ? sim::cloud::InstanceId{} : instance_id(instance);
  return shown(call.cloud.detach_volume(found.id, from, request.force.value_or(false)));
}

op::DeleteVolume::Response delete_volume(Call& call, const aws::DeleteVolumeRequest& request) {
  call.cloud.delete_volume(call.cloud.shown(volume_id(required(request.volume_id, "VolumeId"))).id);
  return {};
}

}  // namespace fakes::ec2
