#include <map>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"

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
    if (visible(call, instance)) collect(entries, id.value, "instance", instance.tags);
  }
  for (const auto& [id, launch_template] : cloud.launch_templates()) {
    collect(entries, id.value, "launch-template", launch_template.tags);
  }
  for (const auto& [id, snapshot] : cloud.snapshots()) {
    if (visible(snapshot)) collect(entries, id.value, "snapshot", snapshot.tags);
  }
  for (const auto& [id, fleet] : cloud.fleets()) {
    collect(entries, id.value, "spot-fleet-request", fleet.tags);
  }
  for (const auto& [id, request] : cloud.spot_requests()) {
    collect(entries, id.value, "spot-instances-request", request.tags);
  }
  for (const auto& [id, volume] : cloud.volumes()) {
    if (visible(volume)) collect(entries, id.value, "volume", volume.tags);
  }
  return entries;
}

// Tag.N.Key with or without Tag.N.Value: a value, also an empty one, must be the tag's for it to
// go.
struct Doomed {
  std::string key;
  std::optional<std::string> value;
};

std::vector<std::string> keys_to_delete(const Call& call, const std::string& resource,
                                        const std::vector<Doomed>& doomed) {
  std::vector<std::string> keys;
  for (const auto& entry : all_tags(call)) {
    if (entry.resource_id != resource) continue;
    // No tag named: all of them, but those that AWS made.
    bool goes = doomed.empty() && !entry.key().starts_with("aws:");
    for (const auto& tag : doomed) {
      goes = goes || (tag.key == entry.key() && (!tag.value || *tag.value == entry.value()));
    }
    if (goes) keys.push_back(entry.key());
  }
  return keys;
}

}  // namespace

void create_tags(Call& call) {
  const auto resources = call.in.required_list("ResourceId");
  const auto tags = read_tags(call.in);
  if (tags.empty()) {
    throw sim::cloud::ApiError("MissingParameter", "The request must contain the parameter Tag");
  }
  call.start();

  call.cloud.create_tags(resources, tags);
  add_flag(call.out, "return", true);
}

void delete_tags(Call& call) {
  const auto resources = call.in.required_list("ResourceId");
  std::vector<Doomed> doomed;
  for (const auto& tag : call.in.structures("Tag")) {
    doomed.push_back({tag.required("Key"), tag.text("Value")});
  }
  call.start();

  for (const auto& resource : resources) {
    call.cloud.delete_tags({resource}, keys_to_delete(call, resource, doomed));
  }
  add_flag(call.out, "return", true);
}

void describe_tags(Call& call) {
  const Filters<TagEntry> filters(call.in, kTagFilters, tag_of);
  const Page page(call.in, 5, 1000);
  call.start();

  auto entries = all_tags(call);
  std::erase_if(entries, [&](const TagEntry& t) { return !filters.match(t, call.backend); });
  page.cut(entries, call.out);
  Node set = call.out.append_child("tagSet");
  for (const auto& entry : entries) {
    Node item = set.append_child("item");
    add_text(item, "resourceId", entry.resource_id);
    add_text(item, "resourceType", entry.resource_type);
    add_text(item, "key", entry.key());
    add_text(item, "value", entry.value());
  }
}

}  // namespace fakes::ec2
