// The output of aws-cli's describe commands.
#include <array>
#include <cmath>
#include <string_view>

#include "base/json/json_text.h"
#include "sim/cli/import/account_records.h"

namespace sim::cli {
namespace {

// The instant in "User initiated (2019-11-05 12:08:12 GMT)" (EC2 API Reference, "Instance",
// reason).
std::optional<Time> time_in_parentheses(const std::string& reason) {
  const auto open = reason.find('('), close = reason.find(" GMT)");
  if (open == reason.npos || close == reason.npos || close <= open) return {};
  return parse_time(reason.substr(open + 1, close - open - 1));
}

void read_instance(const Record& described, AccountRecords& account) {
  RecordedInstance& instance =
      account.instance(described.required_text("InstanceId", "an instance's ID"));
  ++account.used["described instance"];
  instance.pool.instance_type = described.required_text("InstanceType", "an instance type");
  if (const auto placement = described.find("Placement"))
    instance.pool.availability_zone = placement->text("AvailabilityZone").value_or("");
  instance.spot = described.text("InstanceLifecycle") == "spot" || instance.spot;
  account.note(instance.launched, described.time("LaunchTime"));
  if (const auto reason = described.text("StateTransitionReason"))
    account.note(instance.ended, time_in_parentheses(*reason));
  // EC2 User Guide, "Find interrupted Spot Instances".
  if (const auto reason = described.find("StateReason"))
    if (const auto code = reason->text("Code"); code && code->starts_with("Server.SpotInstance"))
      instance.spot = instance.interrupted = true;
}

// EC2 User Guide, "Get the status of a Spot Instance request".
constexpr std::array<std::string_view, 5> kInterruptions = {
    "instance-terminated-by-price", "instance-terminated-no-capacity",
    "instance-terminated-capacity-oversubscribed", "instance-terminated-by-service",
    "instance-terminated-launch-group-constraint"};

void read_status(const Record& status, RecordedInstance& instance, AccountRecords& account) {
  const std::string code = status.text("Code").value_or("");
  const auto at = status.time("UpdateTime");
  if (code == "fulfilled") account.note(instance.launched, at);
  if (code.starts_with("marked-for-")) {
    instance.interrupted = true;
    account.note(instance.noticed, at);
  }
  if (code.starts_with("instance-terminated-") || code.starts_with("spot-instance-terminated-"))
    account.note(instance.ended, at);
  for (const std::string_view by_ec2 : kInterruptions)
    if (code == by_ec2) instance.interrupted = true;
}

}  // namespace

// EC2 API Reference, "DescribeInstances".
void read_reservations(const Record& document, AccountRecords& account) {
  for (const Record& reservation : document.list("Reservations"))
    for (const Record& instance : reservation.list("Instances")) read_instance(instance, account);
}

// EC2 API Reference, "SpotInstanceRequest".
void read_spot_requests(const Record& document, AccountRecords& account) {
  for (const Record& request : document.list("SpotInstanceRequests")) {
    const auto id = request.text("InstanceId");
    if (!id) {
      ++account.unused["spot request without an instance"];
      continue;
    }
    ++account.used["spot request"];
    RecordedInstance& instance = account.instance(*id);
    instance.spot = true;
    if (const auto zone = request.text("LaunchedAvailabilityZone"))
      instance.pool.availability_zone = *zone;
    if (const auto spec = request.find("LaunchSpecification"))
      if (const auto type = spec->text("InstanceType")) instance.pool.instance_type = *type;
    if (const auto status = request.find("Status")) read_status(*status, instance, account);
  }
}

// EC2 API Reference, "HistoryRecord" and "EventInformation". A launch's description is a JSON text.
void read_fleet_history(const Record& document, AccountRecords& account) {
  const std::string fleet = document.text("SpotFleetRequestId").value_or("");
  for (const Record& entry : document.list("HistoryRecords")) {
    const Record information = entry.at("EventInformation", "the event");
    const std::string event = information.text("EventSubType").value_or("");
    const Time at = entry.required_time("Timestamp");
    const auto id = information.text("InstanceId");
    if (event == "submitted") account.fleets.try_emplace(fleet, at);
    if (!id || (event != "launched" && event != "terminated")) {
      ++(event == "submitted" ? account.used : account.unused)["fleet history: " + event];
      continue;
    }
    ++account.used["fleet history: " + event];
    RecordedInstance& instance = account.instance(*id);
    account.note(event == "launched" ? instance.launched : instance.ended, at);
    if (event != "launched") continue;
    instance.spot = true;
    const auto [first, is_new] = account.first_launches.try_emplace(fleet, at);
    first->second = std::min(first->second, at);
    const Json launch =
        base::parse_json(information.text("EventDescription").value_or(""), /*deepest=*/8);
    if (const auto type = base::text_of(launch, "instanceType"); !type.empty())
      instance.pool.instance_type = type;
    if (const auto zone = base::text_of(launch, "availabilityZone"); !zone.empty())
      instance.pool.availability_zone = zone;
  }
}

// EC2 API Reference, "DescribeVolumes".
void read_volumes(const Record& document, AccountRecords& account) {
  for (const Record& described : document.list("Volumes")) {
    RecordedVolume& volume = account.volumes[described.required_text("VolumeId", "a volume's ID")];
    ++account.used["described volume"];
    account.note(volume.created, described.time("CreateTime"));
    for (const Record& attachment : described.list("Attachments"))
      account.note(volume.attached, attachment.time("AttachTime"));
  }
}

// SageMaker API Reference, "DescribeTrainingJob".
void read_training_job(const Record& document, AccountRecords& account) {
  const Record resources = document.at("ResourceConfig", "the job's instances");
  RecordedJob job{
      .name = document.required_text("TrainingJobName", "a job's name"),
      .instance_type = resources.required_text("InstanceType", "a type such as ml.p3.2xlarge"),
      .status = document.required_text("TrainingJobStatus", "a status such as Completed"),
      .created = document.required_time("CreationTime"),
      .ended = document.time("TrainingEndTime"),
      .training_seconds = document.number("TrainingTimeInSeconds"),
      .billable_seconds = document.number("BillableTimeInSeconds")};
  const double count = resources.number("InstanceCount").value_or(1);
  if (!(count >= 1 && count <= 1000) || count != std::floor(count))
    resources.at("InstanceCount", "").fail("a whole number of instances from 1 to 1000");
  job.instances = static_cast<int>(count);
  if (const auto spot = document.find("EnableManagedSpotTraining")) {
    if (!spot->json().is_boolean()) spot->fail("true or false");
    job.spot = spot->json().get<bool>();
  }
  for (const Record& transition : document.list("SecondaryStatusTransitions"))
    job.transitions.push_back({transition.required_text("Status", "a secondary status"),
                               transition.required_time("StartTime")});
  std::ranges::stable_sort(job.transitions, {}, &RecordedTransition::from);
  ++account.used["training job"];
  account.jobs.push_back(std::move(job));
}

}  // namespace sim::cli
