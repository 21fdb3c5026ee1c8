// The events that AWS's services put on the default bus: EC2, Spot, fleets, images, EBS, Auto
// Scaling and SageMaker (EC2 User Guide, "Automate Amazon EC2 using EventBridge", "EC2 Fleet event
// types" and "Monitor AMI events"; EC2 Auto Scaling User Guide, "Amazon EC2 Auto Scaling event
// reference"; Amazon EBS User Guide, "EventBridge events for Amazon EBS";
// SageMaker Developer Guide, "Automating Amazon SageMaker with Amazon EventBridge").
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/autoscaling/groups.h"
#include "sim/cloud/cloud.h"
#include "sim/messaging/event_buses.h"
#include "sim/sagemaker/training_jobs.h"

namespace sim::messaging {

using PutEvent = std::function<void(const NewEvent& event)>;

// Observes the cloud, the groups and the training jobs, and puts their events on the bus.
class AwsEvents : private cloud::Observer, private autoscaling::GroupObserver {
 public:
  // The observed objects must not change after this object has been destroyed.
  AwsEvents(cloud::Cloud& cloud, autoscaling::Groups& groups, sagemaker::TrainingJobs& training,
            PutEvent put);

 private:
  void instance_state(const cloud::Instance&, std::optional<cloud::InstanceState> from) override;
  void rebalance_recommended(const cloud::Instance&) override;
  void noticed(const cloud::Instance&, const std::string& reason) override;
  void spot_request_state(const cloud::SpotRequest&,
                          std::optional<cloud::SpotRequestState> from) override;
  void volume_state(const cloud::Volume&, std::optional<cloud::VolumeState> from) override;
  void volume_modification(const cloud::Volume&) override;
  void snapshot_state(const cloud::Snapshot&, std::optional<cloud::SnapshotState> from) override;
  void snapshot_deleted(const cloud::Snapshot&) override;
  void image_state(const cloud::OwnImage&, std::optional<cloud::ImageState> from) override;
  void image_deregistered(const cloud::OwnImage&) override;
  void fleet_history(const cloud::Fleet&) override;
  void lifecycle_state(const autoscaling::Group&, const autoscaling::Member&) override;
  void activity(const autoscaling::Activity&) override;
  void training_job(const sagemaker::Job&);

  // Puts an event of EC2 about an instance on the bus, with its ID in the detail. Instances that
  // another service runs have no events.
  void about(const cloud::Instance& instance, const char* detail_type, Json more = Json::object());
  // An event about all snapshots of a CreateSnapshots call, once none is pending.
  void snapshots_of_call(const cloud::SnapshotId& first);
  void image_event(const cloud::OwnImage&, std::string_view state, const std::string& error);
  // ---- fleet_events.cpp
  void fleet_event(const cloud::Fleet&, std::string_view kind, Json detail);
  void request_of_fleet(const cloud::SpotRequest&, std::optional<cloud::SpotRequestState> from);

  std::string arn(std::string_view service, const std::string& resource) const;

  const cloud::Cloud& cloud_;
  PutEvent put_;
};

}  // namespace sim::messaging
