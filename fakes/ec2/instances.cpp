#include "fakes/ec2/instances.h"

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/vpc.h"
#include "fakes/iam_names.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::Instance;
using sim::cloud::InstanceState;
using Values = std::vector<std::string>;

bool is_spot(const Instance& i) { return i.lifecycle == sim::cloud::Lifecycle::kSpot; }

template <class Get>
Values of_volumes(const Instance& instance, Backend& backend, Get get) {
  Values values;
  for (const auto& [id, volume] : backend.cloud.volumes()) {
    if (volume.attachment && volume.attachment->instance == instance.id) {
      values.push_back(get(*volume.attachment));
    }
  }
  return values;
}

constexpr FilterRow<Instance> kInstanceFilters[] = {
    {"availability-zone",
     [](const Instance& i, Backend&) { return Values{i.spec.availability_zone}; }},
    {"block-device-mapping.device-name",
     [](const Instance& i, Backend& w) {
       return of_volumes(i, w, [](const auto& a) { return a.device; });
     }},
    {"block-device-mapping.status",
     [](const Instance& i, Backend& w) {
       return of_volumes(i, w, [](const auto& a) { return std::string(name(a.state)); });
     }},
    {"block-device-mapping.volume-id",
     [](const Instance& i, Backend& w) {
       return of_volumes(i, w, [](const auto& a) { return a.volume.value; });
     }},
    {"iam-instance-profile.arn",
     [](const Instance& i, Backend& w) {
       return i.spec.iam_instance_profile.empty() ? Values{} : Values{instance_profile_arn(w, i)};
     }},
    {"image-id", [](const Instance& i, Backend&) { return Values{i.spec.image_id}; }},
    {"instance-id", [](const Instance& i, Backend&) { return Values{i.id.value}; }},
    {"instance-lifecycle",
     [](const Instance& i, Backend&) { return is_spot(i) ? Values{"spot"} : Values{}; }},
    {"instance-state-code",
     [](const Instance& i, Backend&) { return Values{std::to_string(code(i.state))}; }},
    {"instance-state-name",
     [](const Instance& i, Backend&) { return Values{std::string(name(i.state))}; }},
    {"instance-type", [](const Instance& i, Backend&) { return Values{i.spec.instance_type}; }},
    {"instance.group-id", [](const Instance& i, Backend&) { return i.spec.security_group_ids; }},
    {"key-name", [](const Instance& i, Backend&) { return Values{i.spec.key_name}; }},
    {"launch-time",
     [](const Instance& i, Backend&) { return Values{sim::iso_milliseconds(i.launched_at)}; }},
    {"private-dns-name",
     [](const Instance& i, Backend& w) { return Values{private_dns_name(w, i)}; }},
    {"private-ip-address", [](const Instance& i, Backend&) { return Values{i.private_ip}; }},
    {"reservation-id", [](const Instance& i, Backend&) { return Values{reservation_id(i)}; }},
    {"spot-instance-request-id",
     [](const Instance& i, Backend&) { return Values{i.spot_request.value}; }},
    {"state-reason-code", [](const Instance& i, Backend&) { return Values{i.state_reason_code}; }},
    {"subnet-id", [](const Instance& i, Backend&) { return Values{i.spec.subnet_id}; }},
    {"vpc-id", [](const Instance&, Backend& w) { return Values{vpc_id(w)}; }},
};

const sim::cloud::Tags& tags_of(const Instance& instance) { return instance.tags; }

std::vector<const Instance*> select(Call& call, const std::vector<std::string>& ids,
                                    const Filters<Instance>& filters) {
  std::vector<const Instance*> instances;
  for (const auto& id : ids) instances.push_back(&find_instance(call, instance_id(id)));
  if (ids.empty()) {
    for (const auto& [id, instance] : call.cloud.instances()) {
      if (visible(call, instance)) instances.push_back(&instance);
    }
  }
  std::erase_if(instances, [&](const Instance* i) { return !filters.match(*i, call.backend); });
  return instances;
}

void add_block_devices(Node out, const Call& call, const Instance& instance) {
  Node set = out.append_child("blockDeviceMapping");
  for (const auto& [id, volume] : call.cloud.volumes()) {
    if (!volume.attachment || volume.attachment->instance != instance.id) continue;
    Node item = set.append_child("item");
    add_text(item, "deviceName", volume.attachment->device);
    Node ebs = item.append_child("ebs");
    add_text(ebs, "volumeId", id.value);
    add_text(ebs, "status", std::string(name(volume.attachment->state)));
    add_time(ebs, "attachTime", volume.attachment->attached_at);
    add_flag(ebs, "deleteOnTermination", volume.attachment->delete_on_termination);
  }
}

void add_addresses(Node out, const Call& call, const Instance& instance) {
  const bool gone = instance.state == InstanceState::kTerminated;  // its addresses are given back
  add_text(out, "privateDnsName", gone ? "" : private_dns_name(call.backend, instance));
  add_text(out, "dnsName", "");
  if (gone) return;
  add_text(out, "subnetId", instance.spec.subnet_id);
  add_text(out, "vpcId", vpc_id(call.backend));
  add_text(out, "privateIpAddress", instance.private_ip);
}

void add_status(Node out, const char* name, bool running, bool booted) {
  Node status = out.append_child(name);
  add_text(status, "status", !running ? "not-applicable" : booted ? "ok" : "initializing");
  if (!running) return;
  Node item = status.append_child("details").append_child("item");
  add_text(item, "name", "reachability");
  add_text(item, "status", booted ? "passed" : "initializing");
}

}  // namespace

std::string reservation_id(const Instance& instance) { return "r-" + instance.id.value.substr(2); }

std::string private_dns_name(const Backend& backend, const Instance& instance) {
  std::string host = "ip-" + instance.private_ip;
  std::replace(host.begin(), host.end(), '.', '-');
  return host + "." + backend.cloud.config().region + ".compute.internal";
}

void add_state(Node out, const char* name, InstanceState state) {
  Node element = out.append_child(name);
  add_integer(element, "code", code(state));
  add_text(element, "name", std::string(sim::cloud::name(state)));
}

void add_instance(Node out, const Call& call, const Instance& instance) {
  const auto& spec = instance.spec;
  add_text(out, "instanceId", instance.id.value);
  add_text(out, "imageId", spec.image_id);
  add_state(out, "instanceState", instance.state);
  add_addresses(out, call, instance);
  add_text(out, "reason", instance.state_reason_message);
  if (!spec.key_name.empty()) add_text(out, "keyName", spec.key_name);
  add_integer(out, "amiLaunchIndex", 0);
  out.append_child("productCodes");
  add_text(out, "instanceType", spec.instance_type);
  add_time(out, "launchTime", instance.launched_at);
  Node placement = out.append_child("placement");
  add_text(placement, "availabilityZone", spec.availability_zone);
  add_text(placement, "groupName", "");
  add_text(placement, "tenancy", "default");
  add_text(out.append_child("monitoring"), "state", "disabled");
  add_groups(out, spec.security_group_ids);
  add_flag(out, "sourceDestCheck", true);
  if (!instance.state_reason_code.empty()) {
    Node reason = out.append_child("stateReason");
    add_text(reason, "code", instance.state_reason_code);
    add_text(reason, "message", instance.state_reason_message);
  }
  add_text(out, "architecture", "x86_64");
  add_text(out, "rootDeviceType", "ebs");
  add_text(out, "rootDeviceName", "/dev/sda1");
  add_block_devices(out, call, instance);
  add_text(out, "virtualizationType", "hvm");
  if (is_spot(instance)) {
    add_text(out, "instanceLifecycle", "spot");
    add_text(out, "spotInstanceRequestId", instance.spot_request.value);
  }
  add_tags(out, instance.tags);
  add_text(out, "hypervisor", "xen");
  if (!spec.iam_instance_profile.empty()) {
    Node profile = out.append_child("iamInstanceProfile");
    add_text(profile, "arn", instance_profile_arn(call.backend, instance));
    add_text(profile, "id", instance_profile_id(call.backend, instance));
  }
  add_flag(out, "ebsOptimized", false);
  add_flag(out, "enaSupport", true);
  Node metadata = out.append_child("metadataOptions");
  add_text(metadata, "state", "applied");
  add_text(metadata, "httpTokens", spec.imds_v2_required ? "required" : "optional");
  add_integer(metadata, "httpPutResponseHopLimit", 1);
  add_text(metadata, "httpEndpoint", call.backend.imds_enabled ? "enabled" : "disabled");
}

void describe_instances(Call& call) {
  const auto ids = call.in.list("InstanceId");
  const Filters<Instance> filters(call.in, kInstanceFilters, tags_of);
  const Page page(call.in, 5, 1000);
  page.refuse_with(ids, "instancesSet");
  call.start();

  auto instances = select(call, ids, filters);
  page.cut(instances, call.out);
  Node set = call.out.append_child("reservationSet");
  for (const auto* instance : instances) {
    Node reservation = set.append_child("item");
    add_text(reservation, "reservationId", reservation_id(*instance));
    add_text(reservation, "ownerId", call.cloud.config().account_id);
    reservation.append_child("groupSet");
    add_instance(reservation.append_child("instancesSet").append_child("item"), call, *instance);
  }
}

void describe_instance_status(Call& call) {
  const auto ids = call.in.list("InstanceId");
  const bool all = call.in.boolean("IncludeAllInstances").value_or(false);
  const Filters<Instance> filters(call.in, kInstanceFilters, tags_of);
  const Page page(call.in, 5, 1000);
  page.refuse_with(ids, "instancesSet");
  call.start();

  auto instances = select(call, ids, filters);
  std::erase_if(instances,
                [&](const Instance* i) { return !all && i->state != InstanceState::kRunning; });
  page.cut(instances, call.out);
  Node set = call.out.append_child("instanceStatusSet");
  for (const auto* instance : instances) {
    const bool running = instance->state == InstanceState::kRunning;
    const bool booted = running && instance->running_at &&
                        call.now >= *instance->running_at + call.cloud.config().durations.boot.high;
    Node item = set.append_child("item");
    add_text(item, "instanceId", instance->id.value);
    add_text(item, "availabilityZone", instance->spec.availability_zone);
    add_state(item, "instanceState", instance->state);
    add_status(item, "systemStatus", running, booted);
    add_status(item, "instanceStatus", running, booted);
  }
}

void terminate_instances(Call& call) {
  const auto ids = call.in.required_list("InstanceId");
  call.start();

  std::vector<std::pair<sim::cloud::InstanceId, InstanceState>> before;
  for (const auto& id : ids) {
    const auto& instance = find_instance(call, instance_id(id));
    before.emplace_back(instance.id, instance.state);
  }
  std::vector<sim::cloud::InstanceId> doomed;
  for (const auto& [id, state] : before) doomed.push_back(id);
  call.cloud.terminate_instances(doomed);
  Node set = call.out.append_child("instancesSet");
  for (const auto& [id, state] : before) {
    Node item = set.append_child("item");
    add_text(item, "instanceId", id.value);
    add_state(item, "currentState", call.cloud.instance(id).state);
    add_state(item, "previousState", state);
  }
}

}  // namespace fakes::ec2
