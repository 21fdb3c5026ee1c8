// Converts the model into the API's JSON.
#include <algorithm>

#include "fakes/ec2/network/host_names.h"
#include "fakes/spotinst/documents.h"

namespace fakes::spotinst {
namespace {

using sim::iso_milliseconds;
using namespace sim::elastigroup;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json show_instance(const sim::cloud::Instance& instance, const Group& group,
                   const Backend& backend) {
  const sim::cloud::Cloud& cloud = backend.cloud;
  // The description's examples: a spot instance shows its request's status, an on-demand one its
  // state.
  const auto request = cloud.spot_requests().find(instance.spot_request);
  const bool spot = request != cloud.spot_requests().end();
  return {{"spotInstanceRequestId", text_or_null(instance.spot_request.value)},
          {"instanceId", instance.id.value},
          {"instanceType", instance.spec.instance_type},
          {"product", group.spec.document["compute"]["product"]},
          {"groupId", group.id},
          {"availabilityZone", instance.spec.availability_zone},
          {"privateIp", instance.private_ip},
          {"createdAt", iso_milliseconds(instance.launched_at)},
          {"publicIp", text_or_null(ec2::public_ip(backend, instance))},
          {"status",
           spot ? request->second.status_code : std::string(sim::cloud::name(instance.state))}};
}

}  // namespace

Json show(const Group& group) {
  Json shown{{"id", group.id}};
  shown.update(group.spec.document);
  shown["createdAt"] = iso_milliseconds(group.created_at);
  shown["updatedAt"] = iso_milliseconds(group.updated_at);
  return shown;
}

Json show_capacity(const Group& group) {
  const Capacity& capacity = group.spec.capacity;
  return {{"minimum", capacity.minimum},
          {"maximum", capacity.maximum},
          {"target", capacity.target},
          {"unit", "instance"}};
}

Json show_status(const Group& group, const Backend& backend) {
  Json items = Json::array();
  for (const Member* member : group.members) {
    for (const auto& id : member->former)
      items.push_back(show_instance(backend.cloud.instance(id), group, backend));
    if (!member->instance.empty())
      items.push_back(show_instance(backend.cloud.instance(member->instance), group, backend));
  }
  return items;
}

Json show(const Member& member, const Group& group) {
  Json devices = Json::array();
  std::string image = group.spec.launch.image_id;
  for (const Device& device : member.devices) {
    if (!device.image.empty()) image = device.image.value;
    devices.push_back({{"deviceName", device.name},
                       {"volumeId", text_or_null(device.volume.value)},
                       {"snapshotId", text_or_null(device.snapshot.value)}});
  }
  return {{"id", member.id},
          {"instanceId", text_or_null(member.instance.value)},
          {"privateIp", text_or_null(member.private_ip)},
          {"imageId", image},
          {"state", name(member.state)},
          {"devices", std::move(devices)},
          {"launchedAt", member.launched_at ? Json(iso_milliseconds(*member.launched_at)) : Json()},
          {"createdAt", iso_milliseconds(member.created_at)}};
}

// The description has "Update" with a sub-event "scaleUp" that names new instances. The names of
// the other types are assumptions.
Json show_events(const Group& group, sim::Time since) {
  Json items = Json::array();
  for (const LogLine& line : group.log) {
    if (line.event.empty() || line.at < since) continue;
    Json item{{"groupId", group.id},
              {"eventType", line.resource.empty() ? line.event : "Update"},
              {"createdAt", iso_milliseconds(line.at)},
              {"subEvents", Json::array()}};
    if (!line.resource.empty())
      item["subEvents"].push_back(
          {{"type", line.event},
           {line.event == "scaleUp" ? "newInstances" : "terminatedInstances", {line.resource}}});
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace fakes::spotinst
