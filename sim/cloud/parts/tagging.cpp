// The limits are those of the EC2 user guide, "Tag restrictions".
#include "sim/cloud/parts/tagging.h"

#include <algorithm>

#include "sim/cloud/error.h"
#include "sim/cloud/snapshot_rules.h"

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

void check_tags(const Tags& added, const Tags& present) {
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

Tags copied_tags(const Tags& tags) {
  Tags copied = tags;
  std::erase_if(copied, [](const auto& tag) { return reserved(tag.first); });
  return copied;
}

void Tagging::add(Kind kind) { kinds_.push_back(std::move(kind)); }

const Tagging::Kind& Tagging::kind_of(const std::string& id) const {
  for (const Kind& kind : kinds_)
    if (id.starts_with(kind.id_prefix)) return kind;
  throw ApiError("InvalidID", "The ID '" + id + "' is not valid");
}

void Tagging::before_change(const std::string& id) const {
  if (const Kind& kind = kind_of(id); kind.changes) kind.changes(id);
}

Duration Tagging::lag() const {
  return context_.pace ? context_.pace("tags-visible", {}) : Duration{};
}

void Tagging::create(const std::vector<std::string>& resource_ids, const Tags& tags) {
  for (const std::string& id : resource_ids) {
    const Kind& kind = kind_of(id);
    check_tags(tags, kind.tags(id));
    if (kind.check) kind.check(id, tags);
  }
  const Duration later = tags.empty() ? Duration{} : lag();
  for (const std::string& id : resource_ids)
    later > Duration{} ? add_later(id, tags, later) : add_now(id, tags);
}

void Tagging::remove(const std::vector<std::string>& resource_ids,
                     const std::vector<std::string>& keys) {
  for (const std::string& key : keys) check_key(key);
  for (const std::string& id : resource_ids) tags_of(id);
  for (const std::string& id : resource_ids) {
    Tags& present = tags_of(id);
    std::vector<std::string> deleted;
    for (const std::string& key : keys) {
      const auto found = present.find(key);
      if (found == present.end()) continue;
      take(id, present, found);
      deleted.push_back(key);
    }
    if (deleted.empty()) continue;
    context_.tell(&Observer::changed);
    context_.tell(&Observer::tags_deleted, id, deleted);
  }
}

void Tagging::announce(const std::string& id, const Tags& tags) {
  if (tags.empty()) return;
  if (const Duration later = lag(); later > Duration{}) {
    const Tags copy = tags;  // `tags` may be the resource's own, which are cleared here
    tags_of(id).clear();
    return add_later(id, copy, later);
  }
  show(id, tags);
  context_.tell(&Observer::tags_created, id, tags);
}

void Tagging::enter(const std::string& id, const Tags& tags) {
  for (const auto& tag : tags) index_[tag].insert(id);
}

void Tagging::add_now(const std::string& id, const Tags& tags) {
  put(id, tags);
  if (tags.empty()) return;
  show(id, tags);
  context_.tell(&Observer::tags_created, id, tags);
}

// Adds tags that become visible later. Observers get the tags at once, because they report the
// truth and not what a customer can see.
void Tagging::add_later(const std::string& id, const Tags& tags, Duration later) {
  context_.tell(&Observer::tags_created, id, tags);
  context_.simulation.after(later, [this, id, tags] {
    try {
      tags_of(id);
    } catch (const ApiError&) {
      return;  // EC2 no longer shows the resource
    }
    put(id, tags);
    show(id, tags);
  });
}

void Tagging::add_service_tags(const std::string& id, const Tags& tags) {
  put(id, tags);
  show(id, tags);
}

void Tagging::remove_service_tag(const std::string& id, const std::string& key) {
  Tags& present = tags_of(id);
  const auto found = present.find(key);
  if (found == present.end()) return;
  take(id, present, found);
  context_.tell(&Observer::changed);
}

void Tagging::put(const std::string& id, const Tags& tags) {
  Tags& present = tags_of(id);
  for (const auto& [key, value] : tags) {
    if (const auto old = present.find(key); old != present.end()) take(id, present, old);
    present.emplace(key, value);
  }
}

void Tagging::show(const std::string& id, const Tags& tags) {
  before_change(id);
  enter(id, tags);
  context_.tell(&Observer::changed);
}

void Tagging::take(const std::string& id, Tags& present, Tags::iterator tag) {
  const auto indexed = index_.find(*tag);
  SIM_CHECK(indexed != index_.end());
  before_change(id);
  indexed->second.erase(id);
  if (indexed->second.empty()) index_.erase(indexed);
  present.erase(tag);
}

}  // namespace sim::cloud
