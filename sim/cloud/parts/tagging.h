// Tags on resources of all kinds, and the index from a tag to the resources that have it (EC2 user
// guide, "Tag your Amazon EC2 resources").
//
// Each resource keeps its own tags in its record. A part that owns taggable resources registers
// them here as a Kind, so Tagging depends on none of these parts. A caller that makes a resource
// with tags calls announce() once the record is complete.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/cloud/parts/context.h"

namespace sim::cloud {

// Throws the errors of CreateTags. InvalidParameterValue is for a key or a value that EC2 forbids,
// and TagLimitExceeded for more than 50 tags, including `present`.
void check_tags(const Tags& added, const Tags& present);
// Throws InvalidParameterValue for a tag that instance metadata cannot show, if this instance shows
// its tags there.
void check_metadata_tags(const LaunchSpec&, const Tags&);

class Tagging {
 public:
  // One kind of resource, and how to access its tags.
  struct Kind {
    std::string id_prefix;  // "vol-"
    // The tags of a resource that EC2 shows. Throws Invalid*.NotFound.
    std::function<Tags&(const std::string& id)> tags;
    // Throws for tags that the resource cannot have. Empty if all tags are possible.
    std::function<void(const std::string& id, const Tags&)> check = {};
    // Called before a resource's tags change. May be empty.
    std::function<void(const std::string& id)> changes = {};
  };
  // Maps a tag's key and value to the IDs of all resources with this tag, including deleted ones.
  using Index = std::map<std::pair<std::string, std::string>, std::set<std::string>>;

  explicit Tagging(Context& context) : context_(context) {}
  void add(Kind);

  // CreateTags: adds all tags to all resources, or none if one of them cannot have them.
  void create(const std::vector<std::string>& resource_ids, const Tags&);
  // DeleteTags. A key that a resource does not have is ignored.
  void remove(const std::vector<std::string>& resource_ids, const std::vector<std::string>& keys);
  // Reports the tags of a new resource, which already has them. If `Context::pace` delays new tags
  // ("tags-visible"), the tags are hidden until that time is over.
  void announce(const std::string& resource_id, const Tags&);
  // Enters tags into the index without a report.
  void enter(const std::string& resource_id, const Tags&);

  // Tags of other AWS services, whose keys begin with "aws:". They cause no event: the log has the
  // call of the service itself.
  void add_service_tags(const std::string& resource_id, const Tags&);
  void remove_service_tag(const std::string& resource_id, const std::string& key);

  const Index& index() const { return index_; }

 private:
  const Kind& kind_of(const std::string& resource_id) const;
  Tags& tags_of(const std::string& resource_id) const {
    return kind_of(resource_id).tags(resource_id);
  }
  void before_change(const std::string& resource_id) const;
  Duration lag() const;  // from a call until its tags are visible
  void add_now(const std::string& resource_id, const Tags&);
  void add_later(const std::string& resource_id, const Tags&, Duration lag);
  void put(const std::string& resource_id, const Tags&);
  void show(const std::string& resource_id, const Tags&);
  void take(const std::string& resource_id, Tags& present, Tags::iterator);

  Context& context_;
  std::vector<Kind> kinds_;
  Index index_;
};

}  // namespace sim::cloud
