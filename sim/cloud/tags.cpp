// Tags on resources of all kinds (EC2 user guide, "Tag restrictions").
#include <algorithm>

#include "sim/cloud/state.h"

namespace sim::cloud {
namespace {

constexpr std::size_t kTagsOfOneResource = 50;
constexpr std::size_t kKeyLength = 128, kValueLength = 256;

bool reserved(const std::string& key) { return key.starts_with("aws:"); }

void check_key(const std::string& key) {
  if (reserved(key))
    throw ApiError("InvalidParameterValue",
                   "Tag keys starting with 'aws:' are reserved for internal use");
  if (key.empty() || key.size() > kKeyLength)
    throw ApiError("InvalidParameterValue", "Tag key '" + key + "' has not 1 to 128 characters");
}

// Instance metadata makes paths of the keys (EC2 User Guide, "View tags for your EC2 instances
// using instance metadata").
void check_metadata_key(const std::string& key) {
  const bool plain = std::ranges::all_of(key, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("-_+=,.@:").find(c) != std::string_view::npos;
  });
  if (plain && key != "." && key != ".." && key != "_index") return;
  throw ApiError("InvalidParameterValue",
                 "'" + key +
                     "' is not a valid tag key. Tag keys must match pattern "
                     "([0-9a-zA-Z\\-_+=,.@:]{1,255}), and must not be a reserved name ('.', '..', "
                     "'_index')");
}

}  // namespace

void check_metadata_tags(const LaunchSpec& spec, const Tags& tags) {
  if (!spec.imds_tags) return;
  for (const auto& [key, value] : tags) check_metadata_key(key);
}

void Cloud::State::check_tags(const Tags& added, const Tags& present) const {
  Tags all = present;
  for (const auto& [key, value] : added) {
    check_key(key);
    if (value.size() > kValueLength)
      throw ApiError("InvalidParameterValue",
                     "The value of tag '" + key + "' exceeds 256 characters");
    all[key] = value;
  }
  const auto counted =
      std::ranges::count_if(all, [](const auto& tag) { return !reserved(tag.first); });
  if (static_cast<std::size_t>(counted) > kTagsOfOneResource)
    throw ApiError("TagLimitExceeded", "More than 50 tags on one resource");
}

void Cloud::State::touch_tagged(const std::string& resource_id) {
  if (resource_id.starts_with("vol-")) touch(find(VolumeId{resource_id}));
}

Duration Cloud::State::tags_lag() const { return pace ? pace("tags-visible", {}) : Duration{}; }

// That it has them is told at once, for whoever asks what is so and not what can be seen.
void Cloud::State::show_tags_later(const std::string& resource_id, const Tags& tags, Duration lag) {
  tell(&Observer::tags_created, resource_id, tags);
  simulation.after(lag, [this, resource_id, tags] {
    try {
      tags_of(resource_id);
    } catch (const ApiError&) {
      return;  // it is not shown any more
    }
    put_tags(resource_id, tags);
    show_tags(resource_id, tags);
  });
}

// Of a new resource, which has them already.
void Cloud::State::tell_tags(const std::string& resource_id, const Tags& tags) {
  if (tags.empty()) return;
  if (const Duration lag = tags_lag(); lag > Duration{}) {
    const Tags later = tags;  // which may be the resource's own
    tags_of(resource_id).clear();
    return show_tags_later(resource_id, later, lag);
  }
  show_tags(resource_id, tags);
  tell(&Observer::tags_created, resource_id, tags);
}

void Cloud::State::show_tags(const std::string& resource_id, const Tags& tags) {
  touch_tagged(resource_id);
  for (const auto& tag : tags) tagged[tag].insert(resource_id);
  tell(&Observer::changed);
}

void Cloud::State::remove_tag(const std::string& resource_id, Tags& present, Tags::iterator tag) {
  const auto indexed = tagged.find(*tag);
  SIM_CHECK(indexed != tagged.end());
  touch_tagged(resource_id);
  indexed->second.erase(resource_id);
  if (indexed->second.empty()) tagged.erase(indexed);
  present.erase(tag);
}

Tags& Cloud::State::tags_of(const std::string& id) {
  if (id.starts_with("i-")) return shown(InstanceId{id}).tags;
  if (id.starts_with("vol-")) return shown(VolumeId{id}).tags;
  if (id.starts_with("snap-")) return shown(SnapshotId{id}).tags;
  if (id.starts_with("sir-")) return find(SpotRequestId{id}).tags;
  if (id.starts_with("sfr-")) return find(FleetId{id}).tags;
  if (id.starts_with("lt-")) return find(LaunchTemplateId{id}).tags;
  throw ApiError("InvalidID", "The ID '" + id + "' is not valid");
}

void Cloud::create_tags(const std::vector<std::string>& resource_ids, const Tags& tags) {
  State& s = *state_;
  for (const std::string& id : resource_ids) {
    s.check_tags(tags, s.tags_of(id));
    if (id.starts_with("i-")) check_metadata_tags(shown(InstanceId{id}).spec, tags);
  }
  const Duration lag = tags.empty() ? Duration{} : s.tags_lag();
  for (const std::string& id : resource_ids)
    lag > Duration{} ? s.show_tags_later(id, tags, lag) : s.add_tags(id, tags);
}

void Cloud::State::put_tags(const std::string& id, const Tags& tags) {
  Tags& present = tags_of(id);
  for (const auto& [key, value] : tags) {
    if (const auto old = present.find(key); old != present.end()) remove_tag(id, present, old);
    present.emplace(key, value);
  }
}

void Cloud::State::add_tags(const std::string& id, const Tags& tags) {
  put_tags(id, tags);
  if (tags.empty()) return;
  show_tags(id, tags);
  tell(&Observer::tags_created, id, tags);
}

void Cloud::delete_tags(const std::vector<std::string>& resource_ids,
                        const std::vector<std::string>& keys) {
  State& s = *state_;
  for (const std::string& key : keys) check_key(key);
  for (const std::string& id : resource_ids) s.tags_of(id);
  for (const std::string& id : resource_ids) {
    Tags& present = s.tags_of(id);
    std::vector<std::string> deleted;
    for (const std::string& key : keys) {
      const auto found = present.find(key);
      if (found == present.end()) continue;
      s.remove_tag(id, present, found);
      deleted.push_back(key);
    }
    if (deleted.empty()) continue;
    s.tell(&Observer::changed);
    s.tell(&Observer::tags_deleted, id, deleted);
  }
}

}  // namespace sim::cloud
