// The EC2 instances of a group's members: launched, replaced, ended.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/host.h"
#include "sim/elastigroup/markets.h"
#include "sim/elastigroup/work.h"

namespace sim::elastigroup {
namespace {

using cloud::ApiError;
using cloud::InstanceId;
using enum StatefulState;

std::string subnet_of(const GroupSpec& spec, const std::string& zone) {
  const auto found = std::ranges::find(spec.zones, zone, &Zone::name);
  return found == spec.zones.end() ? "" : found->subnet_id;
}

}  // namespace

void Elastigroups::wake(Work& work) {
  if (work.woken) return;
  work.woken = true;
  simulation_.after(Duration{}, [this, &work] {
    work.woken = false;
    advance(work);
  });
}

void Elastigroups::advance(Work& work) {
  switch (work.member.state) {
    case kResume:
      set_state(work, kResuming);
      start(work);
      break;
    case kRecycle:
      set_state(work, kRecycling);
      if (!work.member.instance.empty()) {  // asked for by the API: a pause, then a resume
        const InstanceId id = work.member.instance;
        let_go(work);
        attempt(work, "end instance " + id.value, [&] { cloud_.terminate_instances({id}); });
      }
      start(work);
      break;
    case kResuming:
    case kRecycling:
      work.member.instance.empty() ? start(work) : run(work);
      break;
    case kPause:
      stop(work, kPausing);
      break;
    case kDeallocate:
      stop(work, kDeallocating);
      break;
    case kPausing:
    case kDeallocating:
      stopped(work);
      break;
    case kActive:
    case kPaused:
    case kDeallocated:
    case kError:
      break;
  }
  drop_obsolete(work);
}

bool Elastigroups::attempt(Work& work, const std::string& what, const std::function<void()>& call) {
  try {
    call();
    return true;
  } catch (const ApiError& error) {
    const std::string message =
        fmt::format("Could not {}. {}: {}", what, error.code(), error.what());
    const auto& log = work.group->log;  // a launch that is retried every minute is logged once
    if (log.empty() || log.back().message != message) note(*work.group, "ERROR", message);
    return false;
  }
}

// ---- launching

// The vendor's guide: "nodes are launched, followed by the attachment of the volumes" (Reattach);
// "a new EBS volume is created from the latest snapshot" (snapshot backups). A kept address belongs
// to the former instance until its end, so the launch waits for that.
bool Elastigroups::may_launch(Work& work) {
  const Member& member = work.member;
  if (root_of(work) && !work.persistence().root_device) forget_root(work);
  const bool waits = member.after_end || !member.private_ip.empty();
  if (waits && !member.former.empty()) return false;
  if (!work.copies()) return true;
  if (!member.after_end) put_aside(work);
  if (!final_copies_made(work)) return false;
  make_root_image(work);
  return true;
}

void Elastigroups::start(Work& work) {
  if (!work.retry && may_launch(work)) launch(work);
}

cloud::LaunchSpec Elastigroups::launch_spec(const Work& work) const {
  const Member& member = work.member;
  cloud::LaunchSpec spec = work.group->spec.launch;
  spec.tags["spotinst:aws:ec2:group:id"] = work.group->id;
  spec.tags["spotinst:aws:ec2:group:name"] = work.group->spec.name;
  spec.tags["spotinst:aws:ec2:group:createdBy"] = "spotinst";
  spec.tags.emplace("Name", work.group->spec.name);
  spec.private_ip = member.private_ip;
  keep_root(work, spec);
  if (!work.persistence().block_devices) return spec;
  // The mappings of data volumes count for the first launch. Later ones have the volumes of the
  // stateful instance.
  if (member.launched_at)
    std::erase_if(spec.block_devices, [](const cloud::BlockDevice& device) {
      return !cloud::is_root_device(device.device);
    });
  for (const Device& device : member.devices) {
    if (device.root || !device.volume.empty()) continue;
    cloud::VolumeSpec volume = device.like;
    volume.from = device.snapshot;
    volume.tags.clear();
    spec.block_devices.push_back({.device = device.name, .volume = volume});
  }
  for (cloud::BlockDevice& device : spec.block_devices)
    if (!cloud::is_root_device(device.device)) device.delete_on_termination = false;
  return spec;
}

InstanceId Elastigroups::launch_in_best_market(Work& work, const std::string& only_zone) {
  const GroupSpec& group = work.group->spec;
  cloud::LaunchSpec spec = launch_spec(work);
  const auto market = work.member.on_demand ? std::nullopt : best_market(group, cloud_, only_zone);
  if (!market && !work.member.on_demand && !group.fallback_to_on_demand) return {};
  spec.instance_type = market ? market->instance_type : group.on_demand_type;
  spec.availability_zone = market              ? market->availability_zone
                           : only_zone.empty() ? group.zones.front().name
                                               : only_zone;
  spec.subnet_id = subnet_of(group, spec.availability_zone);
  if (market) return cloud_.run_spot_instances(spec, 1, 1).at(0);
  if (!work.member.on_demand)
    note(*work.group, "WARN",
         "No spot market is available: falling back to an on-demand " + spec.instance_type + ".");
  return cloud_.run_instances(spec, 1).at(0);
}

void Elastigroups::launch(Work& work) {
  Member& member = work.member;
  std::string only_zone = member.private_ip.empty() ? "" : member.zone;
  for (const Device& device : member.devices)
    if (!device.root && !device.volume.empty())
      only_zone = cloud_.volume(device.volume).availability_zone;
  InstanceId id;
  const bool asked =
      attempt(work, "launch an instance", [&] { id = launch_in_best_market(work, only_zone); });
  if (asked && id.empty() && !std::exchange(work.short_of_capacity, true))
    note(*work.group, "WARN", "Cannot launch: no spot market is available.");
  if (id.empty()) return try_later(work);
  const cloud::Instance& instance = cloud_.instance(id);
  work.short_of_capacity = false;
  member.instance = id;
  member.zone = instance.spec.availability_zone;
  member.launched_at = simulation_.now();
  if (work.persistence().private_ip) member.private_ip = instance.private_ip;
  of_instance_[id] = &work;
  note(*work.group, "INFO",
       fmt::format("Instance {} is launched: {} in {}, {}.", id.value, instance.spec.instance_type,
                   member.zone,
                   instance.lifecycle == cloud::Lifecycle::kSpot ? "spot" : "on-demand"),
       id.value, "scaleUp");
  const bool fallback = instance.lifecycle == cloud::Lifecycle::kOnDemand && !member.on_demand;
  if (fallback && work.group->spec.revert_to_spot)
    work.revert = simulation_.after(retry_interval(), [this, &work] { revert_to_spot(work); });
  const std::set<cloud::VolumeId> launched = cloud_.attached_to(id);  // a copy: tags change it
  for (const cloud::VolumeId& volume : launched)
    enter_device(work, *cloud_.volume(volume).attachment);
}

// The retry interval of a fleet without capacity; at least one second, so that time passes.
Duration Elastigroups::retry_interval() const {
  return std::max<Duration>(cloud_.config().durations.capacity_retry, std::chrono::seconds{1});
}

void Elastigroups::try_later(Work& work) {
  work.retry = simulation_.after(retry_interval(), [this, &work] {
    work.retry.reset();
    advance(work);
  });
}

// The vendor's API reference, strategy.revertToSpot: "always" is the default. It does not document
// how: here the stateful instance is recycled.
void Elastigroups::revert_to_spot(Work& work) {
  work.revert.reset();
  const bool reattaches = work.reattaches() &&
                          std::ranges::any_of(work.member.devices, [](auto& d) { return !d.root; });
  const std::string zone = reattaches || !work.member.private_ip.empty() ? work.member.zone : "";
  if (!work.is_in(kActive) || !best_market(work.group->spec, cloud_, zone)) {
    work.revert = simulation_.after(retry_interval(), [this, &work] { revert_to_spot(work); });
    return;
  }
  note(*work.group, "INFO",
       "Instance " + work.member.instance.value + " is replaced: a spot market is available.");
  work.member.after_end = true;
  set_state(work, kRecycle);
  wake(work);
}

// The instance is launched: its volumes are attached once it runs.
void Elastigroups::run(Work& work) {
  Member& member = work.member;
  if (cloud_.instance(member.instance).state != cloud::InstanceState::kRunning) return;
  if (work.reattaches() && !attach_all(work)) return;
  member.after_end = false;
  set_state(work, kActive);
  if (work.copies() && !work.backup)
    work.backup = simulation_.after(knobs_.backup_interval, [this, &work] { back_up(work); });
}

// ---- replacing and ending

void Elastigroups::let_go(Work& work) {
  Member& member = work.member;
  for (auto* event : {&work.backup, &work.drained, &work.revert})
    if (*event) simulation_.cancel(*std::exchange(*event, std::nullopt));
  member.former.insert(member.instance);
  member.instance = {};
}

void Elastigroups::replace(Work& work, const char* why) {
  const std::string id = work.member.instance.value;
  note(*work.group, "WARN", fmt::format("Instance {} {} and is replaced.", id, why), id,
       "scaleDown");
  let_go(work);
  // The root is copied once its instance has ended.
  if (work.persistence().root_device) work.member.after_end = true;
  set_state(work, kRecycle);
  wake(work);
}

// The vendor's API reference, strategy.drainingTimeout: "during a scale down operation".
void Elastigroups::stop(Work& work, StatefulState in_progress) {
  Member& member = work.member;
  const Duration draining = work.group->spec.draining_timeout;
  if (work.retry) simulation_.cancel(*std::exchange(work.retry, std::nullopt));
  if (!member.instance.empty() && work.drains && draining > Duration{}) {
    if (!work.drained)
      work.drained = simulation_.after(draining, [this, &work] {
        work.drains = false;
        work.drained.reset();
        advance(work);
      });
    return;
  }
  work.drains = false;
  set_state(work, in_progress);
  member.after_end = true;
  if (const InstanceId id = member.instance; !id.empty()) {
    let_go(work);
    attempt(work, "end instance " + id.value, [&] { cloud_.terminate_instances({id}); });
  }
  stopped(work);
}

void Elastigroups::stopped(Work& work) {
  if (!work.member.former.empty()) return;
  if (work.is_in(kPausing)) {
    if (!work.copies() || final_copies_made(work)) set_state(work, kPaused);
    return;
  }
  delete_kept(work);
  set_state(work, kDeallocated);
  std::erase(work.group->members, &work.member);
}

// ---- what the cloud does

void Elastigroups::instance_state(const cloud::Instance& instance,
                                  std::optional<cloud::InstanceState> /*from*/) {
  const auto found = of_instance_.find(instance.id);
  if (found == of_instance_.end()) return;
  Work& work = *found->second;
  const bool current = work.member.instance == instance.id;
  if (instance.state == cloud::InstanceState::kShuttingDown && current) {
    work.is_to_end() ? let_go(work) : replace(work, "ends");
  }
  if (instance.state == cloud::InstanceState::kTerminated) work.member.former.erase(instance.id);
  wake(work);
}

// The replacement is launched at the notice, two minutes before the end.
void Elastigroups::noticed(const cloud::Instance& instance, const std::string& /*reason*/) {
  const auto found = of_instance_.find(instance.id);
  if (found == of_instance_.end() || found->second->member.instance != instance.id) return;
  Work& work = *found->second;
  if (!work.is_to_end()) replace(work, "has an interruption notice");
}

}  // namespace sim::elastigroup
