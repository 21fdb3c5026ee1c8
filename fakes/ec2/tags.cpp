#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

// A tag as DescribeTags lists it.
struct TagEntry {
  std::string resource_id, resource_type;
  sim::cloud::Tags tag;  // exactly one
  const std::string& key() const { return tag.begin()->first; }
  const std::string& value() const { return tag.begin()->second; }
};

using Values = std::vector<std::string>;
constexpr FilterRow<TagEntry> kTagFilters[] = {
    {"key", [](const TagEntry& t, Backend&) { return Values{t.key()}; }},
    {"resource-id", [](const TagEntry& t, Backend&) { return Values{t.resource_id}; }},
    {"resource-type", [](const TagEntry& t, Backend&) { return Values{t.resource_type}; }},
    {"value", [](const TagEntry& t, Backend&) { return Values{t.value()}; }},
};

const sim::cloud::Tags& tag_of(const TagEntry& entry) { return entry.tag; }

void collect(std::vector<TagEntry>& entries, const std::string& id, const char* type,
             const sim::cloud::Tags& tags) {
  for (const auto& [key, value] : tags) entries.push_back({id, type, {{key, value}}});
}

std::vector<TagEntry> all_tags(const Call& call) {
  std::vector<TagEntry> entries;
  const auto& cloud = call.cloud;
  for (const auto& [id, instance] : cloud.instances()) {
    if (cloud.shows(instance)) collect(entries, id.value, "instance", instance.tags);
  }
  for (const auto& [id, image] : cloud.images()) {
    if (cloud.shows(image)) collect(entries, id.value, "image", image.tags);
  }
  for (const auto& [id, launch_template] : cloud.launch_templates()) {
    collect(entries, id.value, "launch-template", launch_template.tags);
  }
  for (const auto& [id, snapshot] : cloud.snapshots()) {
    if (cloud.shows(snapshot)) collect(entries, id.value, "snapshot", snapshot.tags);
  }
  for (const auto& [id, fleet] : cloud.fleets()) {
    const bool spot_fleet = fleet.kind == sim::cloud::FleetKind::kSpotFleet;
    collect(entries, id.value, spot_fleet ? "spot-fleet-request" : "fleet", fleet.tags);
  }
  for (const auto& [id, request] : cloud.spot_requests()) {
    if (cloud.shows(request)) collect(entries, id.value, "spot-instances-request", request.tags);
  }
  for (const auto& [id, volume] : cloud.volumes()) {
    if (cloud.shows(volume)) collect(entries, id.value, "volume", volume.tags);
  }
  auto& network = call.cloud.network();
  const auto collect_all = [&](const auto& table, const char* type) {
    for (const auto& [id, resource] : table.all()) collect(entries, id, type, resource.tags);
  };
  collect_all(network.vpcs.table, "vpc");
  collect_all(network.subnets.table, "subnet");
  collect_all(network.gateways.table, "internet-gateway");
  collect_all(network.route_tables.table, "route-table");
  collect_all(network.groups.table, "security-group");
  for (const auto& [id, group] : network.groups.table.all())
    for (const auto& rule : group.rules)
      collect(entries, rule.id, "security-group-rule", rule.tags);
  collect_all(network.interfaces.table, "network-interface");
  collect_all(network.addresses.table, "elastic-ip");
  collect_all(network.key_pairs.table, "key-pair");
  collect_all(network.placement_groups.table, "placement-group");
  collect_all(network.vpcs.dhcp_options, "dhcp-options");
  return entries;
}

// True if DeleteTags with `given` deletes the tag of `entry`. A given value, even an empty one,
// must equal the tag's. Without any tags, all tags except AWS's own are deleted.
bool goes(const TagEntry& entry, const api::List<aws::Tag>& doomed) {
  if (doomed.empty()) return !entry.key().starts_with("aws:");
  return std::ranges::any_of(doomed, [&](const aws::Tag& tag) {
    return text(tag.key) == entry.key() && (!tag.value || *tag.value == entry.value());
  });
}

}  // namespace

op::CreateTags::Response create_tags(Call& call, const aws::CreateTagsRequest& request) {
  check_given(request.resources, "resourceIdSet");
  const auto tags = read_tags(request.tags);
  if (tags.empty()) throw missing("Tag");
  call.cloud.create_tags(request.resources, tags);
  return {};
}

op::DeleteTags::Response delete_tags(Call& call, const aws::DeleteTagsRequest& request) {
  check_given(request.resources, "resourceIdSet");
  for (const auto& tag : request.tags) required(tag.key, "Tag.Key");
  for (const auto& resource : request.resources) {
    std::vector<std::string> keys;
    for (const auto& entry : all_tags(call))
      if (entry.resource_id == resource && goes(entry, request.tags)) keys.push_back(entry.key());
    call.cloud.delete_tags({resource}, keys);
  }
  return {};
}

aws::DescribeTagsResult describe_tags(Call& call, const aws::DescribeTagsRequest& request) {
  const Filters<TagEntry> filters(request.filters, kTagFilters, tag_of);
  const Page page(request, {.of = "tags", .low = 5, .high = 1000});
  auto entries = all_tags(call);
  std::erase_if(entries, [&](const TagEntry& t) { return !filters.match(t, call.backend); });
  aws::DescribeTagsResult response{.next_token = page.cut(entries)};
  response.tags.give();
  for (const auto& entry : entries)
    response.tags.push_back({.key = entry.key(),
                             .resource_id = entry.resource_id,
                             .resource_type = entry.resource_type,
                             .value = entry.value()});
  return response;
}

}  // namespace fakes::ec2
