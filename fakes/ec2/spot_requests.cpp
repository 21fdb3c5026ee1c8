#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/launch.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::SpotRequest;
using Values = std::vector<std::string>;

constexpr FilterRow<SpotRequest> kSpotRequestFilters[] = {
    {"create-time",
     [](const SpotRequest& r, Backend&) { return Values{sim::iso_milliseconds(r.created_at)}; }},
    {"instance-id", [](const SpotRequest& r, Backend&) { return Values{r.instance.value}; }},
    {"launch.image-id", [](const SpotRequest& r, Backend&) { return Values{r.spec.image_id}; }},
    {"launch.instance-type",
     [](const SpotRequest& r, Backend&) { return Values{r.spec.instance_type}; }},
    {"spot-instance-request-id", [](const SpotRequest& r, Backend&) { return Values{r.id.value}; }},
    {"state", [](const SpotRequest& r, Backend&) { return Values{std::string(name(r.state))}; }},
    {"status-code", [](const SpotRequest& r, Backend&) { return Values{r.status_code}; }},
    {"type", [](const SpotRequest& r, Backend&) { return Values{r.type}; }},
};

const sim::cloud::Tags& tags_of(const SpotRequest& request) { return request.tags; }

const SpotRequest& find_request(const Call& call, const std::string& text) {
  const auto found = call.cloud.spot_requests().find(spot_request_id(text));
  if (found == call.cloud.spot_requests().end()) {
    throw ApiError("InvalidSpotInstanceRequestID.NotFound",
                   "The spot instance request ID '" + text + "' does not exist");
  }
  return found->second;
}

// Without a maximum price of its own a request may cost what on-demand costs.
std::string spot_price(const Call& call, const SpotRequest& request) {
  if (request.spec.max_price) return sim::market::format_usd(*request.spec.max_price);
  const auto on_demand = call.cloud.market().on_demand_price(request.spec.instance_type);
  return on_demand ? sim::market::format_usd(*on_demand) : "";
}

void render(Node out, const Call& call, const SpotRequest& request) {
  add_text(out, "spotInstanceRequestId", request.id.value);
  add_text(out, "spotPrice", spot_price(call, request));
  add_text(out, "type", request.type);
  add_text(out, "state", std::string(name(request.state)));
  Node status = out.append_child("status");
  add_text(status, "code", request.status_code);
  add_time(status, "updateTime", request.status_updated_at);
  add_text(status, "message", request.status_message);
  add_launch(out.append_child("launchSpecification"), call, request.spec);
  if (!request.instance.empty()) {
    add_text(out, "instanceId", request.instance.value);
    add_text(out, "launchedAvailabilityZone",
             call.cloud.instance(request.instance).spec.availability_zone);
  }
  add_time(out, "createTime", request.created_at);
  add_text(out, "productDescription", "Linux/UNIX");
  add_tags(out, request.tags);
  add_text(out, "instanceInterruptionBehavior", "terminate");
}

}  // namespace

void request_spot_instances(Call& call) {
  const auto count = call.in.integer("InstanceCount", 1, 1000).value_or(1);
  const std::string type = call.in.choice("Type", {"one-time", "persistent"});
  const auto price = call.in.price("SpotPrice");
  for (const char* name : {"AvailabilityZoneGroup", "BlockDurationMinutes", "LaunchGroup",
                           "ValidFrom", "ValidUntil"}) {
    call.in.refuse(name);
  }
  call.in.choice("InstanceInterruptionBehavior", {"terminate"});
  call.in.accept("ClientToken");
  auto specs = read_launch(call, call.in.structure("LaunchSpecification"),
                           {.network_interfaces = "NetworkInterface",
                            .security_group_ids = "SecurityGroupId",
                            .security_group_names = "SecurityGroup"});
  if (specs.size() != 1) {
    throw ApiError("InvalidParameterValue",
                   "RequestSpotInstances takes one Availability Zone or subnet.");
  }
  specs[0].max_price = price;
  const auto tags = read_tag_specification(call.in, "spot-instances-request");
  call.start();

  const auto ids = call.cloud.request_spot_instances(specs[0], static_cast<int>(count), type);
  Node set = call.out.append_child("spotInstanceRequestSet");
  for (const auto& id : ids) {
    if (!tags.empty()) call.cloud.create_tags({id.value}, tags);
    render(set.append_child("item"), call, call.cloud.spot_requests().at(id));
  }
}

void describe_spot_instance_requests(Call& call) {
  const auto ids = call.in.list("SpotInstanceRequestId");
  const Filters<SpotRequest> filters(call.in, kSpotRequestFilters, tags_of);
  const Page page(call.in, 5, 1000);
  page.refuse_with(ids, "spotInstanceRequestIds");
  call.start();

  std::vector<const SpotRequest*> requests;
  for (const auto& id : ids) requests.push_back(&find_request(call, id));
  if (ids.empty()) {
    for (const auto& [id, request] : call.cloud.spot_requests()) requests.push_back(&request);
  }
  std::erase_if(requests, [&](const SpotRequest* r) { return !filters.match(*r, call.backend); });
  page.cut(requests, call.out);
  Node set = call.out.append_child("spotInstanceRequestSet");
  for (const auto* request : requests) render(set.append_child("item"), call, *request);
}

void cancel_spot_instance_requests(Call& call) {
  const auto ids = call.in.required_list("SpotInstanceRequestId");
  call.start();

  std::vector<sim::cloud::SpotRequestId> known;  // all known or none is touched
  for (const auto& id : ids) known.push_back(find_request(call, id).id);
  Node set = call.out.append_child("spotInstanceRequestSet");
  for (const auto& id : known) {
    call.cloud.cancel_spot_request(id);
    Node item = set.append_child("item");
    add_text(item, "spotInstanceRequestId", id.value);
    add_text(item, "state", std::string(name(call.cloud.spot_requests().at(id).state)));
  }
}

}  // namespace fakes::ec2
