#include "fakes/ec2/instances.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/text/base64.h"
#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/instance_filters.h"
#include "fakes/ec2/network/host_names.h"
#include "fakes/ec2/network/network_interfaces.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "fakes/iam_names.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::Instance;
using sim::cloud::InstanceState;
using Values = std::vector<std::string>;

bool is_spot(const Instance& i) { return i.lifecycle == sim::cloud::Lifecycle::kSpot; }

const sim::cloud::Tags& tags_of(const Instance& instance) { return instance.tags; }

// The instances that a request to DescribeInstances or DescribeInstanceStatus names.
template <class Request>
std::vector<const Instance*> select(Call& call, const Request& request,
                                    const Filters<Instance>& filters) {
  std::vector<const Instance*> instances;
  if (request.instance_ids.empty()) {
    instances = filters.of(call.cloud.instances(), "instance-id", call.backend);
    std::erase_if(instances, [&](const Instance* i) { return !call.cloud.shows(*i); });
  } else {
    instances = named_instances(call, request.instance_ids);
    std::erase_if(instances, [&](const Instance* i) { return !filters.match(*i, call.backend); });
  }
  return instances;
}

// Groups instances by reservation. The instances of a reservation are in launch order, and the
// group is at the position of its first instance.
void by_reservation(std::vector<const Instance*>& instances) {
  std::map<std::string_view, std::size_t> first;
  for (const Instance* i : instances) first.emplace(i->reservation.value, first.size());
  const auto place = [&](const Instance* i) {
    return std::pair(first.at(i->reservation.value), i->launch_index);
  };
  if (first.size() < instances.size()) std::ranges::stable_sort(instances, {}, place);
}

template <class Request>
Page page_of(const Request& request) {
  const Page page(request, {.of = "instances", .low = 5, .high = 1000});
  page.refuse_with(request.instance_ids, "instancesSet");
  return page;
}

void add_addresses(aws::Instance& out, const Call& call, const Instance& instance) {
  const bool gone = instance.state == InstanceState::kTerminated;  // its addresses are released
  out.private_dns_name = gone ? "" : private_dns_name(call.backend, instance);
  out.public_dns_name = public_dns_name(call.backend, instance);
  if (gone) return;
  if (auto address = public_ip(call.backend, instance); !address.empty())
    out.public_ip_address = address;
  out.subnet_id = instance.spec.subnet_id;
  out.vpc_id = vpc_of(call.backend, instance);
  out.private_ip_address = instance.private_ip;
  out.network_interfaces = shown_interfaces(call, instance);
}

void add_placement_group(aws::Instance& out, const Call& call, const sim::cloud::LaunchSpec& spec) {
  if (spec.placement_group.empty()) return;
  const auto* const group = call.cloud.network().placement_groups.named(spec.placement_group);
  if (group != nullptr) out.placement->group_id = group->id;
  if (spec.partition > 0) out.placement->partition_number = spec.partition;
}

aws::InstanceStatusSummary status_summary(const Backend& backend, const Instance& instance) {
  aws::InstanceStatusSummary out{.status = check_status(backend, instance)};
  if (auto detail = reachability(backend, instance); !detail.empty())
    out.details = {{.name = "reachability", .status = std::move(detail)}};
  return out;
}

// A week after its end an event is no longer described (EC2 API reference, InstanceStatusEvent).
api::List<aws::InstanceStatusEvent> shown_events(const Call& call, const Instance& instance) {
  api::List<aws::InstanceStatusEvent> events;
  for (const auto* event : described_maintenance(call.backend, instance)) {
    aws::InstanceStatusEvent shown{.code = std::string(name(event->code)),
                                   .description = maintenance_description(*event),
                                   .instance_event_id = event->id,
                                   .not_before = timestamp(event->not_before)};
    if (event->not_after) shown.not_after = timestamp(*event->not_after);
    events.push_back(std::move(shown));
  }
  return events;
}

aws::InstanceStatus shown_status(const Call& call, const Instance& instance) {
  return {.availability_zone = instance.spec.availability_zone,
          .events = shown_events(call, instance),
          .instance_id = instance.id.value,
          .instance_state = shown_state(instance.state),
          .instance_status = status_summary(call.backend, instance),
          .system_status = status_summary(call.backend, instance)};
}

}  // namespace

std::vector<const Instance*> named_instances(const Call& call, const Values& ids) {
  std::vector<const Instance*> found;
  Values unknown;
  for (const std::string& id : ids) {
    const auto at = call.cloud.instances().find(instance_id(id));
    if (at != call.cloud.instances().end() && call.cloud.shows(at->second))
      found.push_back(&at->second);
    else
      unknown.push_back(id);
  }
  if (unknown.empty()) return found;
  const bool one = unknown.size() == 1;
  throw sim::cloud::ApiError("InvalidInstanceID.NotFound",
                             fmt::format("The instance ID{} '{}' do{} not exist", one ? "" : "s",
                                         fmt::join(unknown, ", "), one ? "es" : ""));
}

aws::InstanceState shown_state(InstanceState state) {
  return {.code = code(state), .name = std::string(name(state))};
}

std::string maintenance_description(const sim::cloud::MaintenanceEvent& event) {
  using State = sim::cloud::MaintenanceState;
  if (event.state == State::kActive) return event.description;
  return (event.state == State::kCompleted ? "[Completed] " : "[Canceled] ") + event.description;
}

std::vector<const sim::cloud::MaintenanceEvent*> described_maintenance(const Backend& backend,
                                                                       const Instance& instance) {
  constexpr auto kDescribed = std::chrono::days{7};
  std::vector<const sim::cloud::MaintenanceEvent*> events;
  for (const auto& event : instance.maintenance)
    if (event.state == sim::cloud::MaintenanceState::kActive ||
        backend.simulation.now() < event.changed_at + kDescribed)
      events.push_back(&event);
  return events;
}

std::string check_status(const Backend& backend, const Instance& instance) {
  if (instance.state != InstanceState::kRunning) return "not-applicable";
  const sim::Duration boot = backend.cloud.config().durations.boot.high;
  const bool booted =
      instance.running_at && backend.simulation.now() >= *instance.running_at + boot;
  return booted ? "ok" : "initializing";
}

std::string reachability(const Backend& backend, const Instance& instance) {
  const std::string status = check_status(backend, instance);
  if (status == "not-applicable") return "";
  return status == "ok" ? "passed" : status;
}

const char* monitoring_state(const Instance& instance) {
  if (!instance.spec.detailed_monitoring) return "disabled";
  return instance.state == InstanceState::kPending ? "pending" : "enabled";
}

bool checks_source_dest(const Backend& backend, const Instance& instance) {
  const auto* const own = backend.cloud.network().interfaces.of(instance.id.value);
  return own == nullptr || own->source_dest_check;
}

api::List<aws::GroupIdentifier> shown_groups(Backend& backend,
                                             const std::vector<std::string>& ids) {
  api::List<aws::GroupIdentifier> groups;
  groups.give();
  for (const auto& id : ids)
    groups.push_back({.group_id = id, .group_name = security_group_name(backend, id)});
  return groups;
}

api::List<aws::InstanceBlockDeviceMapping> shown_block_devices(const Call& call,
                                                               const Instance& instance) {
  api::List<aws::InstanceBlockDeviceMapping> devices;
  devices.give();
  for (const auto& id : call.cloud.attached_to(instance.id)) {
    const auto& volume = call.cloud.volume(id);
    aws::InstanceBlockDeviceMapping shown{
        .device_name = volume.attachment->device,
        .ebs = aws::EbsInstanceBlockDevice{
            .attach_time = timestamp(whole_second(volume.attachment->attached_at)),
            .delete_on_termination = volume.attachment->delete_on_termination,
            .status = std::string(name(volume.attachment->state)),
            .volume_id = id.value}};
    // The root comes first, as on an instance without other volumes.
    devices.insert(volume.root ? devices.begin() : devices.end(), std::move(shown));
  }
  return devices;
}

aws::InstanceMetadataOptionsResponse shown_metadata_options(const Backend& backend,
                                                            const sim::cloud::LaunchSpec& spec) {
  const bool enabled = backend.imds_enabled && !spec.imds_disabled;
  return {.http_endpoint = enabled ? "enabled" : "disabled",
          .http_protocol_ipv6 = "disabled",
          .http_put_response_hop_limit = spec.imds_hop_limit,
          .http_tokens = spec.imds_v2_required ? "required" : "optional",
          .instance_metadata_tags = spec.imds_tags ? "enabled" : "disabled",
          .state = "applied"};
}

aws::Instance shown(const Call& call, const Instance& instance) {
  const auto& spec = instance.spec;
  aws::Instance out{.ami_launch_index = instance.launch_index,
                    .architecture = "x86_64",
                    .block_device_mappings = shown_block_devices(call, instance),
                    .ebs_optimized = spec.ebs_optimized,
                    .ena_support = true,
                    .hibernation_options = aws::HibernationOptions{.configured = spec.hibernation},
                    .hypervisor = "xen",
                    .image_id = spec.image_id,
                    .instance_id = instance.id.value,
                    .instance_type = spec.instance_type,
                    .launch_time = timestamp(whole_second(instance.launched_at)),
                    .metadata_options = shown_metadata_options(call.backend, spec),
                    .monitoring = aws::Monitoring{.state = monitoring_state(instance)},
                    .placement = aws::Placement{.availability_zone = spec.availability_zone,
                                                .group_name = spec.placement_group,
                                                .tenancy = "default"},
                    .product_codes = api::List<aws::ProductCode>().give(),
                    .root_device_name = kRootDeviceName,
                    .root_device_type = "ebs",
                    .security_groups = shown_groups(call.backend, spec.security_group_ids),
                    .source_dest_check = checks_source_dest(call.backend, instance),
                    .state = shown_state(instance.state),
                    .state_transition_reason = instance.state_reason_message,
                    .tags = shown_tags(instance.tags),
                    .virtualization_type = "hvm"};
  add_addresses(out, call, instance);
  add_placement_group(out, call, spec);
  if (!spec.key_name.empty()) out.key_name = spec.key_name;
  if (!instance.state_reason_code.empty())
    out.state_reason = aws::StateReason{.code = instance.state_reason_code,
                                        .message = instance.state_reason_message};
  if (is_spot(instance)) {
    out.instance_lifecycle = "spot";
    out.spot_instance_request_id = instance.spot_request.value;
  }
  if (!spec.iam_instance_profile.empty())
    out.iam_instance_profile =
        aws::IamInstanceProfile{.arn = instance_profile_arn(call.backend, instance),
                                .id = instance_profile_id(call.backend, instance)};
  return out;
}

aws::DescribeInstancesResult describe_instances(Call& call,
                                                const aws::DescribeInstancesRequest& request) {
  const Page page = page_of(request);
  auto instances = select(call, request, {request.filters, instance_filters(), tags_of});
  by_reservation(instances);
  aws::DescribeInstancesResult response{.next_token = page.cut(instances)};
  auto& reservations = response.reservations.give();
  for (const auto* instance : instances) {
    const std::string& id = instance->reservation.value;
    if (reservations.empty() || reservations.back().reservation_id != id)
      reservations.push_back({.groups = api::List<aws::GroupIdentifier>().give(),
                              .owner_id = call.cloud.config().account_id,
                              .reservation_id = id});
    reservations.back().instances.push_back(shown(call, *instance));
  }
  return response;
}

aws::DescribeInstanceStatusResult describe_instance_status(
    Call& call, const aws::DescribeInstanceStatusRequest& request) {
  const Page page = page_of(request);
  auto instances = select(call, request, {request.filters, instance_status_filters()});
  const bool all = request.include_all_instances.value_or(false);
  std::erase_if(instances,
                [&](const Instance* i) { return !all && i->state != InstanceState::kRunning; });
  aws::DescribeInstanceStatusResult response{.next_token = page.cut(instances)};
  response.instance_statuses.give();
  for (const auto* instance : instances)
    response.instance_statuses.push_back(shown_status(call, *instance));
  return response;
}

aws::RebootInstancesResponse reboot_instances(Call& call,
                                              const aws::RebootInstancesRequest& request) {
  if (request.instance_ids.empty())
    throw sim::cloud::ApiError("InvalidParameterCombination", "No instances specified");
  std::vector<sim::cloud::InstanceId> ids;
  for (const auto* instance : named_instances(call, request.instance_ids))
    ids.push_back(instance->id);
  call.cloud.reboot_instances(ids);
  return {};
}

// The last 64 KiB so far, as for a Nitro instance, with or without `Latest`. Other instances would
// show the state some minutes ago (EC2 user guide, "Instance console output").
aws::GetConsoleOutputResult get_console_output(Call& call,
                                               const aws::GetConsoleOutputRequest& request) {
  constexpr std::size_t kMost = 64 << 10;
  const auto& id = call.cloud.shown(instance_id(required(request.instance_id, "InstanceId"))).id;
  aws::GetConsoleOutputResult response{.instance_id = id.value, .timestamp = timestamp(call.now)};
  if (const std::string text = call.cloud.console(id, kMost); !text.empty())
    response.output = base::base64_encode(text);
  return response;
}

}  // namespace fakes::ec2
