#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::SpotRequest;
using Values = std::vector<std::string>;

template <class Get>
Values of_devices(const SpotRequest& request, Get get) {
  Values values;
  for (const sim::cloud::BlockDevice& device : request.spec.block_devices)
    values.push_back(get(device));
  return values;
}

Values time_value(const std::optional<sim::Time>& at) {
  return at ? Values{sim::iso_milliseconds(*at)} : Values{};
}

Values group_names(const SpotRequest& request, Backend& backend) {
  Values names;
  for (const auto& id : request.spec.security_group_ids)
    if (const auto name = security_group_name(backend, id)) names.push_back(*name);
  return names;
}

constexpr FilterRow<SpotRequest> kSpotRequestFilters[] = {
    {"launch.block-device-mapping.delete-on-termination",
     [](const SpotRequest& r, Backend&) {
       return of_devices(r, [](const auto& d) {
         return std::string(d.delete_on_termination ? "true" : "false");
       });
     }},
    {"launch.block-device-mapping.device-name",
     [](const SpotRequest& r, Backend&) {
       return of_devices(r, [](const auto& d) { return d.device; });
     }},
    {"launch.block-device-mapping.snapshot-id",
     [](const SpotRequest& r, Backend&) {
       return of_devices(r, [](const auto& d) { return d.volume.from.value; });
     }},
    {"launch.block-device-mapping.volume-size",
     [](const SpotRequest& r, Backend&) {
       return of_devices(r, [](const auto& d) { return std::to_string(d.volume.size_gib); });
     }},
    {"launch.block-device-mapping.volume-type",
     [](const SpotRequest& r, Backend&) {
       return of_devices(r, [](const auto& d) { return d.volume.type; });
     }},
    {"launch.group-name", group_names},
    {"network-interface.group-id",
     [](const SpotRequest& r, Backend&) { return r.spec.security_group_ids; }},
    {"create-time",
     [](const SpotRequest& r, Backend&) { return Values{sim::iso_milliseconds(r.created_at)}; }},
    {"instance-id", [](const SpotRequest& r, Backend&) { return Values{r.instance.value}; }},
    {"launch.image-id", [](const SpotRequest& r, Backend&) { return Values{r.spec.image_id}; }},
    {"launch.instance-type",
     [](const SpotRequest& r, Backend&) { return Values{r.spec.instance_type}; }},
    {"spot-instance-request-id", [](const SpotRequest& r, Backend&) { return Values{r.id.value}; }},
    {"state", [](const SpotRequest& r, Backend&) { return Values{std::string(name(r.state))}; }},
    {"status-code", [](const SpotRequest& r, Backend&) { return Values{r.status_code}; }},
    {"status-message", [](const SpotRequest& r, Backend&) { return Values{r.status_message}; }},
    {"type", [](const SpotRequest& r, Backend&) { return Values{r.type}; }},
    {"launch.group-id", [](const SpotRequest& r, Backend&) { return r.spec.security_group_ids; }},
    {"launch.key-name", [](const SpotRequest& r, Backend&) { return Values{r.spec.key_name}; }},
    {"launch.monitoring-enabled",
     [](const SpotRequest& r, Backend&) {
       return Values{r.spec.detailed_monitoring ? "true" : "false"};
     }},
    {"launched-availability-zone",
     [](const SpotRequest& r, Backend& w) {
       return r.instance.empty() ? Values{}
                                 : Values{w.cloud.instance(r.instance).spec.availability_zone};
     }},
    {"launched-availability-zone-id",
     [](const SpotRequest& r, Backend& w) {
       return r.instance.empty()
                  ? Values{}
                  : Values{zone_id(w.cloud.instance(r.instance).spec.availability_zone)};
     }},
    {"network-interface.subnet-id",
     [](const SpotRequest& r, Backend&) { return Values{r.spec.subnet_id}; }},
    {"product-description", [](const SpotRequest&, Backend&) { return Values{"Linux/UNIX"}; }},
    {"spot-price",
     [](const SpotRequest& r, Backend&) {
       return r.spec.max_price ? Values{six_decimals(*r.spec.max_price)} : Values{};
     }},
    {"valid-from", [](const SpotRequest& r, Backend&) { return time_value(r.validity.from); }},
    {"valid-until", [](const SpotRequest& r, Backend&) { return time_value(r.validity.until); }},
    // Properties that no request has here.
    {"availability-zone-group", no_value<SpotRequest>},
    {"fault-code", no_value<SpotRequest>},
    {"fault-message", no_value<SpotRequest>},
    {"launch-group", no_value<SpotRequest>},
    {"launch.kernel-id", no_value<SpotRequest>},
    {"launch.ramdisk-id", no_value<SpotRequest>},
    {"network-interface.addresses.primary", no_value<SpotRequest>},
    {"network-interface.delete-on-termination", no_value<SpotRequest>},
    {"network-interface.description", no_value<SpotRequest>},
    {"network-interface.device-index", no_value<SpotRequest>},
    {"network-interface.network-interface-id", no_value<SpotRequest>},
    {"network-interface.private-ip-address", no_value<SpotRequest>},
};

const sim::cloud::Tags& tags_of(const SpotRequest& request) { return request.tags; }

// A request without a maximum price may cost as much as on-demand.
std::string spot_price(const Call& call, const SpotRequest& request) {
  if (request.spec.max_price) return six_decimals(*request.spec.max_price);
  const auto on_demand = call.cloud.market().on_demand_price(request.spec.instance_type);
  return on_demand ? six_decimals(*on_demand) : "";
}

aws::SpotInstanceRequest shown(const Call& call, const SpotRequest& request) {
  aws::SpotInstanceRequest out{
      .create_time = timestamp(request.created_at),
      .instance_interruption_behavior = sim::cloud::interruption_behavior(request.spec),
      .product_description = "Linux/UNIX",
      .spot_instance_request_id = request.id.value,
      .spot_price = spot_price(call, request),
      .state = std::string(name(request.state)),
      .status = aws::SpotInstanceStatus{.code = request.status_code,
                                        .message = request.status_message,
                                        .update_time = timestamp(request.status_updated_at)},
      .tags = shown_tags(request.tags),
      .type = request.type};
  if (request.validity.from) out.valid_from = timestamp(*request.validity.from);
  if (request.validity.until) out.valid_until = timestamp(*request.validity.until);
  show_launch(out.launch_specification.emplace(), call, request.spec);
  if (!request.instance.empty()) {
    out.instance_id = request.instance.value;
    out.launched_availability_zone = call.cloud.instance(request.instance).spec.availability_zone;
  }
  return out;
}

}  // namespace

aws::RequestSpotInstancesResult request_spot_instances(
    Call& call, const aws::RequestSpotInstancesRequest& request) {
  check_range(request.instance_count, "InstanceCount", 1, 1000);
  const std::string type = choice(request.type, "Type", {"one-time", "persistent"});
  if (!request.launch_specification) throw missing("LaunchSpecification");
  auto specs = read_launch(call, *request.launch_specification);
  if (specs.size() != 1)
    throw ApiError("InvalidParameterValue",
                   "RequestSpotInstances takes one Availability Zone or subnet.");
  read_interruption_behavior(request.instance_interruption_behavior, "InstanceInterruptionBehavior",
                             type, specs[0]);
  specs[0].max_price = price(request.spot_price, "SpotPrice");
  const auto tags = read_tag_specifications(request.tag_specifications, "spot-instances-request");
  const int count = static_cast<int>(request.instance_count.value_or(1));
  sim::cloud::Validity validity;
  if (request.valid_from) validity.from = time(*request.valid_from);
  if (request.valid_until) validity.until = time(*request.valid_until);

  aws::RequestSpotInstancesResult response;
  for (const auto& id : call.cloud.request_spot_instances(specs[0], count, type, validity)) {
    if (!tags.empty()) call.cloud.create_tags({id.value}, tags);
    response.spot_instance_requests.push_back(shown(call, call.cloud.spot_requests().at(id)));
  }
  return response;
}

aws::DescribeSpotInstanceRequestsResult describe_spot_instance_requests(
    Call& call, const aws::DescribeSpotInstanceRequestsRequest& request) {
  const auto& ids = request.spot_instance_request_ids;
  const Filters<SpotRequest> filters(request.filters, kSpotRequestFilters, tags_of);
  const Page page(request, {.of = "requests", .low = 5, .high = 1000});
  page.refuse_with(ids, "spotInstanceRequestIds");

  auto requests = filters.of(
      call.cloud.spot_requests(), "spot-instance-request-id", call.backend, ids,
      [&](const auto& id) -> const SpotRequest& { return call.cloud.shown(spot_request_id(id)); });
  std::erase_if(requests, [&](const SpotRequest* r) { return !call.cloud.shows(*r); });
  aws::DescribeSpotInstanceRequestsResult response{.next_token = page.cut(requests)};
  response.spot_instance_requests.give();
  for (const auto* found : requests) response.spot_instance_requests.push_back(shown(call, *found));
  return response;
}

aws::CancelSpotInstanceRequestsResult cancel_spot_instance_requests(
    Call& call, const aws::CancelSpotInstanceRequestsRequest& request) {
  check_given(request.spot_instance_request_ids, "SpotInstanceRequestId");
  std::vector<sim::cloud::SpotRequestId> known;  // if one is unknown, none is cancelled
  for (const auto& id : request.spot_instance_request_ids)
    known.push_back(call.cloud.shown(spot_request_id(id)).id);
  aws::CancelSpotInstanceRequestsResult response;
  for (const auto& id : known) {
    call.cloud.cancel_spot_request(id);
    response.cancelled_spot_instance_requests.push_back(
        {.spot_instance_request_id = id.value,
         .state = std::string(name(call.cloud.spot_requests().at(id).state))});
  }
  return response;
}

}  // namespace fakes::ec2
