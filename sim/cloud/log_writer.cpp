#include "sim/cloud/log_writer.h"

#include "sim/kernel/event.h"
#include "sim/kernel/json_object.h"

namespace sim::cloud {
namespace {

template <class State>
std::string_view name_or_none(std::optional<State> state) {
  return state ? name(*state) : "";
}

}  // namespace

void LogWriter::write(std::string_view kind, std::initializer_list<PlainEvent::Field> fields) {
  log_.append(PlainEvent{simulation_.now(), kind, fields});
}

void LogWriter::instance_state(const Instance& instance, std::optional<InstanceState> from) {
  constexpr std::string_view kKind = "instance.state";
  const PlainEvent::Field id{"instance_id", instance.id.value}, before{"from", name_or_none(from)},
      now{"to", name(instance.state)}, reason{"reason", instance.state_reason_code};
  if (from) return write(kKind, {id, before, now, reason});
  const PlainEvent::Field type{"instance_type", instance.spec.instance_type},
      zone{"availability_zone", instance.spec.availability_zone},
      lifecycle{"lifecycle", instance.lifecycle == Lifecycle::kSpot ? "spot" : "on-demand"},
      fleet{"fleet_id", instance.fleet.value},
      request{"spot_request_id", instance.spot_request.value};
  if (instance.spec.managed_by.empty())
    return write(kKind, {id, before, now, reason, type, zone, lifecycle, fleet, request});
  write(kKind, {id,
                before,
                now,
                reason,
                type,
                zone,
                lifecycle,
                fleet,
                request,
                {"managed_by", instance.spec.managed_by}});
}

void LogWriter::volume_state(const Volume& volume, std::optional<VolumeState> from) {
  constexpr std::string_view kKind = "volume.state";
  const PlainEvent::Field id{"volume_id", volume.id.value}, before{"from", name_or_none(from)},
      now{"to", name(volume.state)};
  if (from) return write(kKind, {id, before, now});
  write(kKind, {id,
                before,
                now,
                {"availability_zone", volume.availability_zone},
                {"size_gib", volume.size_gib},
                {"volume_type", volume.type},
                {"snapshot_id", volume.snapshot.value}});
}

void LogWriter::attachment_state(const Attachment& attachment,
                                 std::optional<AttachmentState> from) {
  write("attachment.state", {{"volume_id", attachment.volume.value},
                             {"instance_id", attachment.instance.value},
                             {"device", attachment.device},
                             {"from", name_or_none(from)},
                             {"to", name(attachment.state)}});
}

void LogWriter::snapshot_state(const Snapshot& snapshot, std::optional<SnapshotState> from) {
  write_snapshot(snapshot, name_or_none(from), name(snapshot.state));
}

void LogWriter::snapshot_deleted(const Snapshot& snapshot) {
  write_snapshot(snapshot, name(snapshot.state), "deleted");
}

void LogWriter::write_snapshot(const Snapshot& snapshot, std::string_view from,
                               std::string_view to) {
  write("snapshot.state", {{"snapshot_id", snapshot.id.value},
                           {"from", from},
                           {"to", to},
                           {"volume_id", snapshot.volume.value},
                           {"stored_bytes", snapshot.stored_bytes}});
}

void LogWriter::spot_request_state(const SpotRequest& request,
                                   std::optional<SpotRequestState> from) {
  constexpr std::string_view kKind = "spot-request.state";
  const PlainEvent::Field id{"spot_request_id", request.id.value},
      before{"from", name_or_none(from)}, now{"to", name(request.state)},
      instance{"instance_id", request.instance.value};
  if (from) return write(kKind, {id, before, now, instance});
  write(kKind,
        {id, before, now, instance, {"type", request.type}, {"fleet_id", request.fleet.value}});
}

void LogWriter::fleet_state(const Fleet& fleet, std::optional<FleetState> from) {
  constexpr std::string_view kKind = "fleet.state";
  const PlainEvent::Field id{"fleet_id", fleet.id.value}, before{"from", name_or_none(from)},
      now{"to", name(fleet.state)};
  if (from) return write(kKind, {id, before, now});
  write(kKind, {id,
                before,
                now,
                {"type", fleet.type},
                {"strategy", name(fleet.strategy)},
                {"target_capacity", fleet.target_capacity}});
}

void LogWriter::booted(const Instance& instance) {
  write("instance.boot", {{"instance_id", instance.id.value}});
}

void LogWriter::rebalance_recommended(const Instance& instance) {
  write("instance.rebalance", {{"instance_id", instance.id.value}});
}

void LogWriter::interrupted(const Instance& instance, const std::string& reason, bool notice) {
  write("instance.interrupted",
        {{"instance_id", instance.id.value}, {"reason", reason}, {"notice", notice}});
}

void LogWriter::noticed(const Instance& instance, const std::string& reason) {
  write("instance.notice", {{"instance_id", instance.id.value},
                            {"action", "terminate"},
                            {"at", iso_nanoseconds(instance.interruption_at.value())},
                            {"reason", reason}});
}

void LogWriter::spot_request_status(const SpotRequest& request) {
  write("spot-request.status",
        {{"spot_request_id", request.id.value}, {"code", request.status_code}});
}

void LogWriter::fleet_history(const Fleet& fleet) {
  const FleetHistoryRecord& last = fleet.history.back();
  write("fleet.history", {{"fleet_id", fleet.id.value},
                          {"type", last.event_type},
                          {"sub_type", last.event_sub_type},
                          {"description", last.description},
                          {"instance_id", last.instance.value}});
}

void LogWriter::launch_template_created(const LaunchTemplate& made) {
  write("launch-template.created", {{"launch_template_id", made.id.value}, {"name", made.name}});
}

void LogWriter::launch_template_deleted(const LaunchTemplateId& id) {
  write("launch-template.deleted", {{"launch_template_id", id.value}});
}

void LogWriter::tags_created(const std::string& resource_id, const Tags& tags) {
  log_.append(simulation_.now(), "tags.created", [&] {
    return json_object({{"resource_id", resource_id}, {"tags", tags}});
  });
}

void LogWriter::tags_deleted(const std::string& resource_id, const std::vector<std::string>& keys) {
  log_.append(simulation_.now(), "tags.deleted", [&] {
    return json_object({{"resource_id", resource_id}, {"tags", keys}});
  });
}

void LogWriter::charged(const LineItem& item) {
  write("charge", {{"kind", name(item.kind)},
                   {"resource", item.resource},
                   {"usage", item.usage},
                   {"from", iso_nanoseconds(item.from)},
                   {"to", iso_nanoseconds(item.to)},
                   {"quantity", item.quantity},
                   {"unit", item.unit},
                   {"unit_price", market::format_usd(item.unit_price)},
                   {"cost", market::format_usd(item.cost)},
                   {"note", item.note}});
}

}  // namespace sim::cloud
