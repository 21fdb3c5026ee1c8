// Writes events of the cloud as lines of the event log (docs/event-log.md).
#pragma once

#include <string_view>

#include "sim/cloud/observer.h"
#include "sim/events/event_log.h"
#include "sim/kernel/simulation.h"

namespace sim::cloud {

// The first observer of a cloud: each function writes one kind of line.
class LogWriter : public Observer {
 public:
  LogWriter(const Simulation& simulation, EventLog& log) : simulation_(simulation), log_(log) {}

  void instance_state(const Instance&, std::optional<InstanceState> from) override;
  void volume_state(const Volume&, std::optional<VolumeState> from) override;
  void volume_modification(const Volume&) override;
  void attachment_state(const Attachment&, std::optional<AttachmentState> from) override;
  void snapshot_state(const Snapshot&, std::optional<SnapshotState> from) override;
  void snapshot_deleted(const Snapshot&) override;
  void image_state(const OwnImage&, std::optional<ImageState> from) override;
  void image_deregistered(const OwnImage&) override;
  void root_volume(const Volume&, const InstanceId& or_empty, const std::string& what) override;
  void spot_request_state(const SpotRequest&, std::optional<SpotRequestState> from) override;
  void fleet_state(const Fleet&, std::optional<FleetState> from) override;
  void booted(const Instance&) override;
  void rebalance_recommended(const Instance&) override;
  void maintenance(const Instance&, const MaintenanceEvent&) override;
  void interrupted(const Instance&, const std::string& reason, bool notice) override;
  void noticed(const Instance&, const std::string& reason) override;
  void spot_request_status(const SpotRequest&) override;
  void fleet_history(const Fleet&) override;
  void launch_template_created(const LaunchTemplate&) override;
  void launch_template_deleted(const LaunchTemplateId&) override;
  void tags_created(const std::string& resource_id, const Tags&) override;
  void tags_deleted(const std::string& resource_id, const std::vector<std::string>& keys) override;
  void charged(const LineItem&) override;

 private:
  void write_snapshot(const Snapshot&, std::string_view from, std::string_view to);
  void write_image(const OwnImage&, std::string_view from, std::string_view to);

  const Simulation& simulation_;
  EventLog& log_;
};

}  // namespace sim::cloud
