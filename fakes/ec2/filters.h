// The filters of Describe actions: Filter.N.Name and Filter.N.Value.M. A resource matches if, for
// every filter, one of its values matches one of the filter's. In a filter's value * matches any
// text, ? matches any character, and \ escapes the next one. Each kind of resource has a table of
// filters; tag:KEY and tag-key apply to all kinds with tags.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/ec2.h"
#include "fakes/backend.h"
#include "sim/cloud/resources.h"

namespace fakes::ec2 {

struct Filter {
  std::string name;
  std::vector<std::string> values;
};

// Throws MissingParameter for a filter without a name, FilterLimitExceeded for more than 200
// values.
std::vector<Filter> read_filters(const api::List<api::ec2::Filter>& given);
bool wildcard_match(std::string_view pattern, std::string_view text);
// True if `pattern` matches exactly one text.
bool is_exact(std::string_view pattern);
// The IDs that can match, if a filter with only exact values determines them. Such a filter is the
// one with the name `id_filter`, or one for a tag. Empty if there is no such filter.
std::optional<std::set<std::string>> narrowed(const std::vector<Filter>& filters,
                                              std::string_view id_filter, const Backend& backend);
// True if one of `values` matches one of the filter's values.
bool matches(const Filter& filter, const std::vector<std::string>& values);
// The values that a tag filter compares.
std::vector<std::string> tag_values(const Filter& filter, const sim::cloud::Tags& tags);
bool is_tag_filter(const Filter& filter);
[[noreturn]] void unknown_filter(const Filter& filter);

template <class T>
struct FilterRow {
  std::string_view name;
  std::vector<std::string> (*values)(const T&, Backend&);
};

// For resources that have a member `tags`.
template <class T>
const sim::cloud::Tags& resource_tags(const T& resource) {
  return resource.tags;
}

// The row of a filter that AWS has for a property that no resource has here. Nothing matches it.
template <class T>
std::vector<std::string> no_value(const T&, Backend&) {
  return {};
}

template <class T>
class Filters {
 public:
  using Rows = std::span<const FilterRow<T>>;
  using TagsOf = const sim::cloud::Tags& (*)(const T&);

  // Throws InvalidParameterValue for a filter that is not in `rows`. Without `tags`, tag filters
  // are refused, too.
  Filters(const api::List<api::ec2::Filter>& given, Rows rows, TagsOf tags = nullptr)
      : filters_(read_filters(given)), rows_(rows), tags_(tags) {
    for (const auto& filter : filters_) {
      if (!row(filter) && !(tags_ && is_tag_filter(filter))) unknown_filter(filter);
    }
  }

  // The matching resources, in order of ID. IDs and tags in filters are looked up in indexes. So
  // the cost depends on the number of matches, not on the number of resources. `id_filter` is the
  // name of the filter for IDs.
  template <class Id>
  std::vector<const T*> of(const std::map<Id, T>& all, std::string_view id_filter,
                           Backend& backend) const {
    std::vector<const T*> found;
    const auto take = [&](const T& resource) {
      if (match(resource, backend)) found.push_back(&resource);
    };
    if (const auto ids = narrowed(filters_, id_filter, backend)) {
      for (const auto& id : *ids)
        if (const auto at = all.find(Id{id}); at != all.end()) take(at->second);
    } else {
      for (const auto& [id, resource] : all) take(resource);
    }
    return found;
  }
  // The resources with these IDs, or all resources if there are no IDs. `find` throws for an
  // unknown ID.
  template <class Id, class Find>
  std::vector<const T*> of(const std::map<Id, T>& all, std::string_view id_filter, Backend& backend,
                           const api::List<std::string>& ids, Find find) const {
    if (ids.empty()) return of(all, id_filter, backend);
    std::vector<const T*> found;
    for (const auto& id : ids)
      if (const T& resource = find(id); match(resource, backend)) found.push_back(&resource);
    return found;
  }

  bool match(const T& resource, Backend& backend) const {
    for (const auto& filter : filters_) {
      const auto* known = row(filter);
      if (!matches(filter, known ? known->values(resource, backend)
                                 : tag_values(filter, tags_(resource)))) {
        return false;
      }
    }
    return true;
  }

 private:
  const FilterRow<T>* row(const Filter& filter) const {
    for (const auto& candidate : rows_) {
      if (candidate.name == filter.name) return &candidate;
    }
    return nullptr;
  }

  std::vector<Filter> filters_;
  Rows rows_;
  TagsOf tags_;
};

}  // namespace fakes::ec2
