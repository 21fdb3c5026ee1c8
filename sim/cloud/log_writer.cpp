#include "sim/cloud/log_writer.h"

#include <utility>

#include "sim/kernel/event.h"
#include "sim/kernel/json_object.h"

namespace sim::cloud {
namespace {

template <class State>
std::string_view name_or_none(std::optional<State> state) {
  return state ? name(*state) : "";
}

template <class State>
void add_step(Json& fields, std::optional<State> from, State to) {
  fields["from"] = name_or_none(from);
  fields["to"] = name(to);
}

}  // namespace

template <class Make>
void LogWriter::write(std::string_view kind, Make fields) {
  log_.append(simulation_.now(), kind, std::move(fields));
}

void LogWriter::instance_state(const Instance& instance, std::optional<InstanceState> from) {
  write("instance.state", [&] {
    Json fields = json_object({{"instance_id", instance.id.value}});
    add_step(fields, from, instance.state);
    fields["reason"] = instance.state_reason_code;
    if (from) return fields;
    fields["instance_type"] = instance.spec.instance_type;
    fields["availability_zone"] = instance.spec.availability_zone;
    fields["lifecycle"] = instance.lifecycle == Lifecycle::kSpot ? "spot" : "on-demand";
    fields["fleet_id"] = instance.fleet.value;
    fields["spot_request_id"] = instance.spot_request.value;
    return fields;
  });
}

void LogWriter::volume_state(const Volume& volume, std::optional<VolumeState> from) {
  write("volume.state", [&] {
    Json fields = json_object({{"volume_id", volume.id.value}});
    add_step(fields, from, volume.state);
    if (from) return fields;
    fields["availability_zone"] = volume.availability_zone;
    fields["size_gib"] = volume.size_gib;
    fields["volume_type"] = volume.type;
    fields["snapshot_id"] = volume.snapshot.value;
    return fields;
  });
}

void LogWriter::attachment_state(const Attachment& attachment,
                                 std::optional<AttachmentState> from) {
  write("attachment.state", [&] {
    Json fields = json_object({{"volume_id", attachment.volume.value},
                               {"instance_id", attachment.instance.value},
                               {"device", attachment.device}});
    add_step(fields, from, attachment.state);
    return fields;
  });
}

void LogWriter::snapshot_state(const Snapshot& snapshot, std::optional<SnapshotState> from) {
  write_snapshot(snapshot, name_or_none(from), name(snapshot.state));
}

void LogWriter::snapshot_deleted(const Snapshot& snapshot) {
  write_snapshot(snapshot, name(snapshot.state), "deleted");
}

void LogWriter::write_snapshot(const Snapshot& snapshot, std::string_view from,
                               std::string_view to) {
  write("snapshot.state", [&] {
    return json_object({{"snapshot_id", snapshot.id.value},
                        {"from", from},
                        {"to", to},
                        {"volume_id", snapshot.volume.value},
                        {"stored_bytes", snapshot.stored_bytes}});
  });
}

void LogWriter::spot_request_state(const SpotRequest& request,
                                   std::optional<SpotRequestState> from) {
  write("spot-request.state", [&] {
    Json fields = json_object({{"spot_request_id", request.id.value}});
    add_step(fields, from, request.state);
    fields["instance_id"] = request.instance.value;
    if (from) return fields;
    fields["type"] = request.type;
    fields["fleet_id"] = request.fleet.value;
    return fields;
  });
}

void LogWriter::fleet_state(const Fleet& fleet, std::optional<FleetState> from) {
  write("fleet.state", [&] {
    Json fields = json_object({{"fleet_id", fleet.id.value}});
    add_step(fields, from, fleet.state);
    if (from) return fields;
    fields["type"] = fleet.type;
    fields["strategy"] = name(fleet.strategy);
    fields["target_capacity"] = fleet.target_capacity;
    return fields;
  });
}

void LogWriter::booted(const Instance& instance) {
  write("instance.boot", [&] { return json_object({{"instance_id", instance.id.value}}); });
}

void LogWriter::rebalance_recommended(const Instance& instance) {
  write("instance.rebalance", [&] { return json_object({{"instance_id", instance.id.value}}); });
}

void LogWriter::interrupted(const Instance& instance, const std::string& reason, bool notice) {
  write("instance.interrupted", [&] {
    return json_object(
        {{"instance_id", instance.id.value}, {"reason", reason}, {"notice", notice}});
  });
}

void LogWriter::noticed(const Instance& instance, const std::string& reason) {
  write("instance.notice", [&] {
    return json_object({{"instance_id", instance.id.value},
                        {"action", "terminate"},
                        {"at", iso_nanoseconds(instance.interruption_at.value())},
                        {"reason", reason}});
  });
}

void LogWriter::spot_request_status(const SpotRequest& request) {
  write("spot-request.status", [&] {
    return json_object({{"spot_request_id", request.id.value}, {"code", request.status_code}});
  });
}

void LogWriter::fleet_history(const Fleet& fleet) {
  write("fleet.history", [&] {
    const FleetHistoryRecord& last = fleet.history.back();
    return json_object({{"fleet_id", fleet.id.value},
                        {"type", last.event_type},
                        {"sub_type", last.event_sub_type},
                        {"description", last.description},
                        {"instance_id", last.instance.value}});
  });
}

void LogWriter::launch_template_created(const LaunchTemplate& made) {
  write("launch-template.created", [&] {
    return json_object({{"launch_template_id", made.id.value}, {"name", made.name}});
  });
}

void LogWriter::launch_template_deleted(const LaunchTemplateId& id) {
  write("launch-template.deleted", [&] { return json_object({{"launch_template_id", id.value}}); });
}

void LogWriter::tags_created(const std::string& resource_id, const Tags& tags) {
  write("tags.created", [&] {
    return json_object({{"resource_id", resource_id}, {"tags", tags}});
  });
}

void LogWriter::tags_deleted(const std::string& resource_id, const std::vector<std::string>& keys) {
  write("tags.deleted", [&] {
    return json_object({{"resource_id", resource_id}, {"tags", keys}});
  });
}

void LogWriter::charged(const LineItem& item) {
  write("charge", [&] {
    return json_object({{"kind", name(item.kind)},
                        {"resource", item.resource},
                        {"usage", item.usage},
                        {"from", iso_nanoseconds(item.from)},
                        {"to", iso_nanoseconds(item.to)},
                        {"quantity", item.quantity},
                        {"unit", item.unit},
                        {"unit_price", market::format_usd(item.unit_price)},
                        {"cost", market::format_usd(item.cost)},
                        {"note", item.note}});
  });
}

}  // namespace sim::cloud
