#include "sim/messaging/aws_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sim::messaging {
namespace {

std::int64_t epoch_milliseconds(Time t) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(t.time_since_epoch()).count();
}

void add_ways(Json& detail, bool launching) {
  detail["Origin"] = launching ? "EC2" : "AutoScalingGroup";
  detail["Destination"] = launching ? "AutoScalingGroup" : "EC2";
}

Json shown_transitions(const sagemaker::Job& job) {
  Json all = Json::array();
  for (const sagemaker::Transition& each : job.transitions) {
    Json shown = json_object({{"Status", each.status},
                              {"StartTime", epoch_milliseconds(each.start)},
                              {"StatusMessage", each.message}});
    if (each.end) shown["EndTime"] = epoch_milliseconds(*each.end);
    all.push_back(std::move(shown));
  }
  return all;
}

// EBS's form of ARNs in its events: "arn:aws:ec2::us-west-2:snapshot/snap-…".
std::string ebs_arn(const std::string& region, std::string_view kind, const std::string& id) {
  return fmt::format("arn:aws:ec2::{}:{}/{}", region, kind, id);
}

}  // namespace

AwsEvents::AwsEvents(cloud::Cloud& cloud, autoscaling::Groups& groups,
                     sagemaker::TrainingJobs& training, PutEvent put)
    : cloud_(cloud), put_(std::move(put)) {
  cloud.observe(*this);
  groups.observe(*this);
  training.on_change([this](const sagemaker::Job& job) { training_job(job); });
}

std::string AwsEvents::arn(std::string_view service, const std::string& resource) const {
  return fmt::format("arn:aws:{}:{}:{}:{}", service, cloud_.config().region,
                     cloud_.config().account_id, resource);
}

// ---- EC2

void AwsEvents::about(const cloud::Instance& instance, const char* detail_type, Json more) {
  if (!cloud_.shows(instance)) return;
  Json detail = json_object({{"instance-id", instance.id.value}});
  detail.update(more);
  put_({.source = "aws.ec2",
        .detail_type = detail_type,
        .resources = {arn("ec2", "instance/" + instance.id.value)},
        .detail = std::move(detail)});
}

void AwsEvents::instance_state(const cloud::Instance& instance,
                               std::optional<cloud::InstanceState>) {
  about(instance, "EC2 Instance State-change Notification",
        json_object({{"state", cloud::name(instance.state)}}));
}

void AwsEvents::rebalance_recommended(const cloud::Instance& instance) {
  about(instance, "EC2 Instance Rebalance Recommendation");
}

void AwsEvents::noticed(const cloud::Instance& instance, const std::string&) {
  about(instance, "EC2 Spot Instance Interruption Warning",
        json_object({{"instance-action", cloud::interruption_behavior(instance.spec)}}));
}

void AwsEvents::spot_request_state(const cloud::SpotRequest& request,
                                   std::optional<cloud::SpotRequestState> from) {
  if (!request.fleet.empty()) request_of_fleet(request, from);
  if (request.state != cloud::SpotRequestState::kActive || request.instance.empty()) return;
  about(cloud_.instance(request.instance), "EC2 Spot Instance Request Fulfillment",
        json_object({{"spot-instance-request-id", request.id.value}}));
}

// ---- EBS

void AwsEvents::volume_state(const cloud::Volume& volume, std::optional<cloud::VolumeState> from) {
  const bool created = from == cloud::VolumeState::kCreating;
  const bool available = volume.state == cloud::VolumeState::kAvailable;
  if (!created && volume.state != cloud::VolumeState::kDeleted) return;
  put_({.source = "aws.ec2",
        .detail_type = "EBS Volume Notification",
        .resources = {arn("ec2", "volume/" + volume.id.value)},
        .detail = json_object({{"result", !created    ? "deleted"
                                          : available ? "available"
                                                      : "failed"},
                               {"cause", ""},
                               {"event", created ? "createVolume" : "deleteVolume"},
                               {"request-id", ""}})});
}

// The page shows the result "optimizing" only.
void AwsEvents::volume_modification(const cloud::Volume& volume) {
  const cloud::ModificationState state = volume.modifications.back().state;
  if (state == cloud::ModificationState::kModifying || !cloud::Cloud::shows(volume)) return;
  put_({.source = "aws.ec2",
        .detail_type = "EBS Volume Notification",
        .resources = {arn("ec2", "volume/" + volume.id.value)},
        .detail = json_object({{"result", name(state)},
                               {"cause", ""},
                               {"event", "modifyVolume"},
                               {"request-id", ""}})});
}

void AwsEvents::snapshot_state(const cloud::Snapshot& snapshot,
                               std::optional<cloud::SnapshotState>) {
  if (snapshot.state == cloud::SnapshotState::kPending || !cloud::Cloud::shows(snapshot)) return;
  if (!snapshot.made_with.empty()) return snapshots_of_call(snapshot.made_with);
  const bool completed = snapshot.state == cloud::SnapshotState::kCompleted;
  const bool copied = !snapshot.copy_of.empty();
  const std::string& region = cloud_.config().region;
  const std::string own = ebs_arn(region, "snapshot", snapshot.id.value);
  Json detail = json_object(
      {{"event", copied ? "copySnapshot" : "createSnapshot"},
       {"result", completed ? "succeeded" : "failed"},
       {"cause", ""},
       {"request-id", ""},
       {"snapshot_id", own},
       {"source", copied ? ebs_arn(snapshot.copied_from, "snapshot", snapshot.copy_of.value)
                         : ebs_arn(region, "volume", snapshot.volume.value)},
       {"startTime", iso_seconds(snapshot.started_at)},
       {"endTime", iso_seconds(snapshot.completed_at.value_or(snapshot.started_at))}});
  if (copied && completed) {
    detail["incremental"] = snapshot.previous.empty() ? "false" : "true";
    detail["transferType"] = "standard";
  }
  put_({.source = "aws.ec2",
        .detail_type = "EBS Snapshot Notification",
        .resources = {own},
        .detail = std::move(detail)});
}

// A call's last pending snapshot may end by its deletion.
void AwsEvents::snapshot_deleted(const cloud::Snapshot& snapshot) {
  if (snapshot.state == cloud::SnapshotState::kPending && !snapshot.made_with.empty())
    snapshots_of_call(snapshot.made_with);
}

// A snapshot that was deleted while it was pending does not count.
void AwsEvents::snapshots_of_call(const cloud::SnapshotId& first) {
  const std::string& region = cloud_.config().region;
  std::vector<std::string> arns;
  std::string cause;
  Json listed = Json::array();
  Time start = Time::max(), end{};
  for (const auto& [id, snapshot] : cloud_.snapshots()) {
    if (snapshot.made_with != first || !cloud::Cloud::shows(snapshot)) continue;
    if (snapshot.state == cloud::SnapshotState::kPending) return;
    arns.push_back(ebs_arn(region, "snapshot", id.value));
    start = std::min(start, snapshot.started_at);
    end = std::max(end, snapshot.completed_at.value_or(snapshot.started_at));
    if (snapshot.state == cloud::SnapshotState::kError)
      cause = fmt::format("Snapshot {} is in status error", id.value);
    listed.push_back(json_object({{"snapshot_id", arns.back()},
                                  {"source", ebs_arn(region, "volume", snapshot.volume.value)},
                                  {"status", cloud::name(snapshot.state)}}));
  }
  if (arns.empty()) return;
  put_({.source = "aws.ec2",
        .detail_type = "EBS Multi-Volume Snapshots Completion Status",
        .resources = std::move(arns),
        .detail = json_object({{"event", "createSnapshots"},
                               {"result", cause.empty() ? "succeeded" : "failed"},
                               {"cause", cause},
                               {"request-id", ""},
                               {"startTime", iso_seconds(start)},
                               {"endTime", iso_seconds(end)},
                               {"snapshots", std::move(listed)}})});
}

// ---- images

void AwsEvents::image_state(const cloud::OwnImage& image, std::optional<cloud::ImageState>) {
  if (image.state != cloud::ImageState::kPending)
    image_event(image, cloud::name(image.state), image.state_reason);
}

void AwsEvents::image_deregistered(const cloud::OwnImage& image) {
  image_event(image, "deregistered", "");
}

void AwsEvents::image_event(const cloud::OwnImage& image, std::string_view state,
                            const std::string& error) {
  put_({.source = "aws.ec2",
        .detail_type = "EC2 AMI State Change",
        .resources = {fmt::format("arn:aws:ec2:{}::image/{}", cloud_.config().region,
                                  image.id.value)},
        .detail = json_object({{"RequestId", ""},
                               {"ImageId", image.id.value},
                               {"State", state},
                               {"ErrorMessage", error}})});
}

// ---- Auto Scaling

void AwsEvents::lifecycle_state(const autoscaling::Group& group,
                                const autoscaling::Member& member) {
  const bool launching = member.state == autoscaling::LifecycleState::kPendingWait;
  if (!launching && member.state != autoscaling::LifecycleState::kTerminatingWait) return;
  for (const auto& [name, action] : member.actions) {
    const autoscaling::Hook& hook = group.hooks.at(name);
    Json detail = json_object({{"LifecycleActionToken", action.token},
                               {"AutoScalingGroupName", group.name},
                               {"LifecycleHookName", name},
                               {"EC2InstanceId", member.id.value},
                               {"LifecycleTransition", autoscaling::name(hook.transition)}});
    if (!hook.metadata.empty()) detail["NotificationMetadata"] = hook.metadata;
    add_ways(detail, launching);
    put_({.source = "aws.autoscaling",
          .detail_type = launching ? "EC2 Instance-launch Lifecycle Action"
                                   : "EC2 Instance-terminate Lifecycle Action",
          .resources = {group.arn},
          .detail = std::move(detail)});
  }
}

void AwsEvents::activity(const autoscaling::Activity& activity) {
  using autoscaling::ActivityStatus;
  const bool failed = activity.status == ActivityStatus::kFailed;
  if (!failed && activity.status != ActivityStatus::kSuccessful) return;
  const bool launching = activity.description.starts_with("Launching");
  if (!launching && !activity.description.starts_with("Terminating")) return;
  Json detail = json_object({{"StatusCode", autoscaling::name(activity.status)},
                             {"AutoScalingGroupName", activity.group},
                             {"ActivityId", activity.id},
                             {"Details", Json::parse(activity.details, nullptr, false)},
                             {"RequestId", activity.id},
                             {"StatusMessage", activity.message},
                             {"StartTime", iso_milliseconds(activity.start)},
                             {"EndTime", iso_milliseconds(activity.end.value_or(activity.start))},
                             {"EC2InstanceId", activity.instance.value},
                             {"Cause", activity.cause},
                             {"Description", activity.description}});
  add_ways(detail, launching);
  std::vector<std::string> resources{activity.group_arn};
  if (!activity.instance.empty())
    resources.push_back(arn("ec2", "instance/" + activity.instance.value));
  put_({.source = "aws.autoscaling",
        .detail_type = fmt::format("EC2 Instance {} {}", launching ? "Launch" : "Terminate",
                                   failed ? "Unsuccessful" : "Successful"),
        .resources = std::move(resources),
        .detail = std::move(detail)});
}

// ---- SageMaker

void AwsEvents::training_job(const sagemaker::Job& job) {
  Json detail =
      json_object({{"TrainingJobName", job.spec.name},
                   {"TrainingJobArn", job.arn},
                   {"TrainingJobStatus", sagemaker::name(job.status)},
                   {"SecondaryStatus", job.transitions.back().status},
                   {"HyperParameters", job.spec.hyperparameters},
                   {"ResourceConfig", json_object({{"InstanceType", "ml." + job.spec.instance_type},
                                                   {"InstanceCount", job.spec.instance_count}})},
                   {"EnableManagedSpotTraining", job.spec.spot},
                   {"CreationTime", epoch_milliseconds(job.created)},
                   {"LastModifiedTime", epoch_milliseconds(job.modified)},
                   {"SecondaryStatusTransitions", shown_transitions(job)}});
  if (job.training_start) detail["TrainingStartTime"] = epoch_milliseconds(*job.training_start);
  if (job.training_end) detail["TrainingEndTime"] = epoch_milliseconds(*job.training_end);
  if (!job.failure_reason.empty()) detail["FailureReason"] = job.failure_reason;
  put_({.source = "aws.sagemaker",
        .detail_type = "SageMaker Training Job State Change",
        .resources = {job.arn},
        .detail = std::move(detail)});
}

}  // namespace sim::messaging
