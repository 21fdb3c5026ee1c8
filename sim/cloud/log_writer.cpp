#include "sim/cloud/log_writer.h"

#include <nlohmann/json.hpp>

namespace sim::cloud {
namespace {

template <class State>
std::string_view name_or_none(std::optional<State> state) {
  return state ? name(*state) : "";
}

std::string_view tag_of(const Instance& instance, const std::string& key) {
  const auto found = instance.spec.service_tags.find(key);
  return found == instance.spec.service_tags.end() ? std::string_view() : found->second;
}

}  // namespace

void LogWriter::instance_state(const Instance& instance, std::optional<InstanceState> from) {
  log_.append(events::InstanceState{
      .time = simulation_.now(),
      .instance_id = instance.id.value,
      .from = name_or_none(from),
      .to = name(instance.state),
      .reason = instance.state_reason_code,
      .instance_type = instance.spec.instance_type,
      .availability_zone = instance.spec.availability_zone,
      .lifecycle = instance.lifecycle == Lifecycle::kSpot ? "spot" : "on-demand",
      .fleet_id = instance.fleet.value,
      .spot_request_id = instance.spot_request.value,
      .managed_by = instance.spec.managed_by,
      .autoscaling_group = tag_of(instance, "aws:autoscaling:groupName")});
}

void LogWriter::volume_state(const Volume& volume, std::optional<VolumeState> from) {
  log_.append(events::VolumeState{.time = simulation_.now(),
                                  .volume_id = volume.id.value,
                                  .from = name_or_none(from),
                                  .to = name(volume.state),
                                  .availability_zone = volume.availability_zone,
                                  .size_gib = volume.size_gib,
                                  .volume_type = volume.type,
                                  .snapshot_id = volume.snapshot.value});
}

void LogWriter::volume_modification(const Volume& volume) {
  if (volume.root) return;
  const VolumeModification& modification = volume.modifications.back();
  const VolumeSettings& target = modification.target;
  const auto if_any = [](int value) {
    return value > 0 ? std::optional<std::int64_t>(value) : std::nullopt;
  };
  log_.append(events::VolumeModification{.time = simulation_.now(),
                                         .volume_id = volume.id.value,
                                         .to = name(modification.state),
                                         .size_gib = target.size_gib,
                                         .volume_type = target.type,
                                         .iops = if_any(target.iops),
                                         .throughput = if_any(target.throughput)});
}

void LogWriter::attachment_state(const Attachment& attachment,
                                 std::optional<AttachmentState> from) {
  log_.append(events::AttachmentState{.time = simulation_.now(),
                                      .volume_id = attachment.volume.value,
                                      .instance_id = attachment.instance.value,
                                      .device = attachment.device,
                                      .from = name_or_none(from),
                                      .to = name(attachment.state)});
}

void LogWriter::snapshot_state(const Snapshot& snapshot, std::optional<SnapshotState> from) {
  write_snapshot(snapshot, name_or_none(from), name(snapshot.state));
}

void LogWriter::snapshot_deleted(const Snapshot& snapshot) {
  write_snapshot(snapshot, name(snapshot.state), "deleted");
}

void LogWriter::write_snapshot(const Snapshot& snapshot, std::string_view from,
                               std::string_view to) {
  log_.append(events::SnapshotState{.time = simulation_.now(),
                                    .snapshot_id = snapshot.id.value,
                                    .from = from,
                                    .to = to,
                                    .volume_id = snapshot.volume.value,
                                    .stored_bytes = snapshot.stored_bytes,
                                    .instance_id = snapshot.instance.value,
                                    .copy_of = snapshot.copy_of.value});
}

void LogWriter::image_state(const OwnImage& image, std::optional<ImageState> from) {
  write_image(image, name_or_none(from), name(image.state));
}

void LogWriter::image_deregistered(const OwnImage& image) {
  write_image(image, name(image.state), "deregistered");
}

void LogWriter::write_image(const OwnImage& image, std::string_view from, std::string_view to) {
  const bool failed = to == name(ImageState::kFailed);
  log_.append(events::ImageState{.time = simulation_.now(),
                                 .image_id = image.id.value,
                                 .from = from,
                                 .to = to,
                                 .name = image.name,
                                 .instance_id = image.instance.value,
                                 .reason = failed ? std::string_view(image.state_reason) : ""});
}

void LogWriter::root_volume(const Volume& volume, const InstanceId& or_empty,
                            const std::string& what) {
  log_.append(events::RootVolume{.time = simulation_.now(),
                                 .volume_id = volume.id.value,
                                 .instance_id = or_empty.value,
                                 .to = what,
                                 .snapshot_id = volume.snapshot.value});
}

void LogWriter::spot_request_state(const SpotRequest& request,
                                   std::optional<SpotRequestState> from) {
  log_.append(events::SpotRequestState{.time = simulation_.now(),
                                       .spot_request_id = request.id.value,
                                       .from = name_or_none(from),
                                       .to = name(request.state),
                                       .instance_id = request.instance.value,
                                       .type = request.type,
                                       .fleet_id = request.fleet.value});
}

void LogWriter::fleet_state(const Fleet& fleet, std::optional<FleetState> from) {
  log_.append(events::FleetState{.time = simulation_.now(),
                                 .fleet_id = fleet.id.value,
                                 .from = name_or_none(from),
                                 .to = name(fleet.state),
                                 .type = fleet.type,
                                 .strategy = name(fleet.strategy),
                                 .target_capacity = fleet.target_capacity});
}

void LogWriter::booted(const Instance& instance) {
  log_.append(events::InstanceBoot{.time = simulation_.now(), .instance_id = instance.id.value});
}

void LogWriter::rebalance_recommended(const Instance& instance) {
  log_.append(
      events::InstanceRebalance{.time = simulation_.now(), .instance_id = instance.id.value});
}

void LogWriter::maintenance(const Instance& instance, const MaintenanceEvent& event) {
  const std::string not_after = event.not_after ? iso_nanoseconds(*event.not_after) : "";
  log_.append(events::InstanceMaintenance{.time = simulation_.now(),
                                          .instance_id = instance.id.value,
                                          .event_id = event.id,
                                          .code = name(event.code),
                                          .state = name(event.state),
                                          .not_before = iso_nanoseconds(event.not_before),
                                          .not_after = not_after});
}

void LogWriter::interrupted(const Instance& instance, const std::string& reason, bool notice) {
  log_.append(events::InstanceInterrupted{.time = simulation_.now(),
                                          .instance_id = instance.id.value,
                                          .reason = reason,
                                          .notice = notice});
}

void LogWriter::noticed(const Instance& instance, const std::string& reason) {
  log_.append(events::InstanceNotice{.time = simulation_.now(),
                                     .instance_id = instance.id.value,
                                     .action = interruption_behavior(instance.spec),
                                     .at = iso_nanoseconds(instance.interruption_at.value()),
                                     .reason = reason});
}

void LogWriter::spot_request_status(const SpotRequest& request) {
  log_.append(events::SpotRequestStatus{
      .time = simulation_.now(), .spot_request_id = request.id.value, .code = request.status_code});
}

void LogWriter::fleet_history(const Fleet& fleet) {
  const FleetHistoryRecord& last = fleet.history.back();
  log_.append(events::FleetHistory{.time = simulation_.now(),
                                   .fleet_id = fleet.id.value,
                                   .type = last.event_type,
                                   .sub_type = last.event_sub_type,
                                   .description = last.description,
                                   .instance_id = last.instance.value});
}

void LogWriter::launch_template_created(const LaunchTemplate& made) {
  log_.append(events::LaunchTemplateCreated{
      .time = simulation_.now(), .launch_template_id = made.id.value, .name = made.name});
}

void LogWriter::launch_template_deleted(const LaunchTemplateId& id) {
  log_.append(
      events::LaunchTemplateDeleted{.time = simulation_.now(), .launch_template_id = id.value});
}

void LogWriter::tags_created(const std::string& resource_id, const Tags& tags) {
  const Json all = tags;
  log_.append(
      events::TagsCreated{.time = simulation_.now(), .resource_id = resource_id, .tags = all});
}

void LogWriter::tags_deleted(const std::string& resource_id, const std::vector<std::string>& keys) {
  const Json all = keys;
  log_.append(
      events::TagsDeleted{.time = simulation_.now(), .resource_id = resource_id, .tags = all});
}

void LogWriter::charged(const LineItem& item) {
  log_.append(events::Charge{.time = simulation_.now(),
                             .kind = name(item.kind),
                             .resource = item.resource,
                             .usage = item.usage,
                             .from = iso_nanoseconds(item.from),
                             .to = iso_nanoseconds(item.to),
                             .quantity = item.quantity,
                             .unit = item.unit,
                             .unit_price = market::format_usd(item.unit_price),
                             .cost = market::format_usd(item.cost),
                             .note = item.note});
}

}  // namespace sim::cloud
