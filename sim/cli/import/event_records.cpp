// Records of what happened: CloudTrail's log of calls and EventBridge's events.
#include <fmt/format.h>

#include <span>
#include <string_view>

#include "sim/cli/import/account_records.h"

namespace sim::cli {
namespace {

// Of RunInstances, as EC2 answered (EC2 API Reference, "RunInstances"; member names begin with a
// small letter in CloudTrail).
void run_instances(const Record& event, AccountRecords& account) {
  const Record answer = event.at("responseElements", "the answer with instancesSet");
  for (const Record& launched : answer.list("instancesSet")) {
    RecordedInstance& instance =
        account.instance(launched.required_text("instanceId", "an instance's ID"));
    instance.pool.instance_type = launched.required_text("instanceType", "an instance type");
    if (const auto placement = launched.find("placement"))
      instance.pool.availability_zone = placement->text("availabilityZone").value_or("");
    instance.spot = launched.text("instanceLifecycle") == "spot" ||
                    launched.has("spotInstanceRequestId") || instance.spot;
    const auto launch_time = launched.time("launchTime");
    account.note(instance.launched, launch_time ? launch_time : event.time("eventTime"));
  }
}

void terminate_instances(const Record& event, AccountRecords& account) {
  const Record request = event.at("requestParameters", "the request with instancesSet");
  for (const Record& ended : request.list("instancesSet"))
    account.note(account.instance(ended.required_text("instanceId", "an instance's ID")).ended,
                 event.required_time("eventTime"));
}

// EC2 User Guide, "Determine whether Amazon EC2 terminated a Spot Instance".
void bid_evicted(const Record& event, AccountRecords& account) {
  const Record details = event.at("serviceEventDetails", "details with instanceIdSet");
  for (const Record& id : details.at("instanceIdSet", "a list of IDs").items()) {
    if (!id.json().is_string()) id.fail("an instance's ID");
    RecordedInstance& instance = account.instance(id.json().get<std::string>());
    instance.spot = instance.interrupted = true;
    account.note(instance.ended, event.required_time("eventTime"));
  }
}

// The answer may be below a member with the action's name.
void request_spot_fleet(const Record& event, AccountRecords& account) {
  Record answer = event.at("responseElements", "the answer with spotFleetRequestId");
  if (const auto inner = answer.find("RequestSpotFleetResponse")) answer = *inner;
  const std::string id = answer.required_text("spotFleetRequestId", "a fleet's ID");
  account.fleets.try_emplace(id, event.required_time("eventTime"));
}

void create_volume(const Record& event, AccountRecords& account) {
  const Record answer = event.at("responseElements", "the answer with volumeId");
  account.note(account.volumes[answer.required_text("volumeId", "a volume's ID")].created,
               event.required_time("eventTime"));
}

void attach_volume(const Record& event, AccountRecords& account) {
  const Record request = event.at("requestParameters", "the request with volumeId");
  account.note(account.volumes[request.required_text("volumeId", "a volume's ID")].attach_called,
               event.required_time("eventTime"));
}

struct EventReader {
  std::string_view name;
  void (*read)(const Record& event, AccountRecords& account);
};

constexpr EventReader kCloudTrail[] = {
    {"RunInstances", run_instances},  {"TerminateInstances", terminate_instances},
    {"BidEvictedEvent", bid_evicted}, {"RequestSpotFleet", request_spot_fleet},
    {"CreateVolume", create_volume},  {"AttachVolume", attach_volume}};

std::string instance_of(const Record& event) {
  return event.at("detail", "details with instance-id")
      .required_text("instance-id", "an instance's ID");
}

// EC2 User Guide, "Amazon EC2 instance state change events".
void state_change(const Record& event, AccountRecords& account) {
  RecordedInstance& instance = account.instance(instance_of(event));
  const std::string state =
      event.at("detail", "details").required_text("state", "an instance's state");
  const Time at = event.required_time("time");
  if (state == "pending") account.note(instance.launched, at);
  if (state == "running") account.note(instance.running, at);
  if (state == "shutting-down") account.note(instance.ended, at);
  if (state == "terminated") account.note(instance.terminated, at);
}

// EC2 User Guide, "Spot Instance interruption notices".
void interruption_warning(const Record& event, AccountRecords& account) {
  RecordedInstance& instance = account.instance(instance_of(event));
  instance.spot = instance.interrupted = true;
  account.note(instance.noticed, event.required_time("time"));
}

// EBS User Guide, "Amazon EventBridge events for Amazon EBS": createVolume is sent when the volume
// is available.
void volume_notification(const Record& event, AccountRecords& account) {
  const Record detail = event.at("detail", "details with event and result");
  if (detail.text("event") != "createVolume" || detail.text("result") != "available") return;
  for (const Record& resource : event.list("resources")) {
    if (!resource.json().is_string()) resource.fail("a volume's ARN");
    const auto arn = resource.json().get<std::string>();
    account.note(account.volumes[arn.substr(arn.rfind('/') + 1)].available,
                 event.required_time("time"));
  }
}

constexpr EventReader kEventBridge[] = {
    {"EC2 Instance State-change Notification", state_change},
    {"EC2 Spot Instance Interruption Warning", interruption_warning},
    {"EBS Volume Notification", volume_notification}};

void read_event(std::span<const EventReader> readers, const std::string& service,
                const std::string& name, const Record& event, AccountRecords& account) {
  for (const EventReader& reader : readers) {
    if (reader.name != name) continue;
    ++account.used[service + " " + name];
    return reader.read(event, account);
  }
  ++account.unused[service + " " + name];
}

}  // namespace

void read_cloud_trail_event(const Record& event, AccountRecords& account) {
  const std::string name = event.required_text("eventName", "the name of an event");
  if (const auto error = event.text("errorCode")) {
    ++account.unused[fmt::format("CloudTrail {} that failed with {}", name, *error)];
    return;
  }
  read_event(kCloudTrail, "CloudTrail", name, event, account);
}

void read_event_bridge_event(const Record& event, AccountRecords& account) {
  // CloudTrail's events arrive through EventBridge, too.
  const std::string type = event.required_text("detail-type", "the type of an event");
  if (const auto detail = event.find("detail"); detail && detail->has("eventName"))
    return read_cloud_trail_event(*detail, account);
  read_event(kEventBridge, "EventBridge", type, event, account);
}

}  // namespace sim::cli
