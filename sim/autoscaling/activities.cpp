// Records scaling activities: what a group does with an instance and why, in AWS's wording.
#include "sim/autoscaling/work.h"
#include "sim/events/event.h"
#include "sim/kernel/json_object.h"

namespace sim::autoscaling {
namespace {

// The maximum lengths in the API reference, Activity.
constexpr std::size_t kLongestCause = 1023, kLongestMessage = 255;

std::string details_of(const cloud::Instance& instance) {
  return json_object({{"Subnet ID", instance.spec.subnet_id},
                      {"Availability Zone", instance.spec.availability_zone}})
      .dump();
}

}  // namespace

Activity& Groups::begin(Work& work, Member* about, const std::string& description,
                        const std::string& cause) {
  Activity made{.id = unique("activity"),
                .group = work.group.name,
                .group_arn = work.group.arn,
                .instance = about ? about->id : cloud::InstanceId{},
                .description = description,
                .cause = cause.substr(0, kLongestCause),
                .details = "{}",
                .start = simulation_.now()};
  if (about) {
    made.details = details_of(cloud_.instance(about->id));
    about->activity = activities_.size();
  }
  activities_.push_back(std::move(made));
  log(activities_.back());
  return activities_.back();
}

void Groups::finish(Activity& activity, ActivityStatus status, const std::string& message) {
  activity.status = status;
  activity.message = message.substr(0, kLongestMessage);
  activity.progress = 100;
  activity.end = simulation_.now();
  if (const auto found = groups_.find(activity.group); found != groups_.end())
    found->second->scaled_at = activity.end;
  log(activity);
}

void Groups::log(const Activity& activity) {
  log_.append(events::AutoscalingActivity{.time = simulation_.now(),
                                          .activity = activity.id,
                                          .group = activity.group,
                                          .instance_id = activity.instance.value,
                                          .status = name(activity.status),
                                          .description = activity.description,
                                          .cause = activity.cause,
                                          .message = activity.message});
  for (GroupObserver* const observer : observers_) observer->activity(activity);
}

}  // namespace sim::autoscaling
