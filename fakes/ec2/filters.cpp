#include "fakes/ec2/filters.h"

#include <algorithm>

#include "base/text/wildcards.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {
using sim::cloud::ApiError;
constexpr std::size_t kMostValues = 200;
constexpr std::size_t kLongestValue = 1000;
constexpr std::string_view kTag = "tag:";
}  // namespace

std::vector<Filter> read_filters(const api::List<api::ec2::Filter>& given) {
  std::vector<Filter> filters;
  std::size_t values = 0;
  for (const auto& entry : given) {
    check_given(entry.values, "Filter.Value");
    Filter filter{required(entry.name, "Filter.Name"), entry.values};
    values += filter.values.size();
    for (const auto& value : filter.values) {
      if (value.size() <= kLongestValue) continue;
      throw ApiError("InvalidParameterValue",
                     "The filter '" + filter.name + "' has too long a value");
    }
    filters.push_back(std::move(filter));
  }
  if (values > kMostValues) {
    throw ApiError("FilterLimitExceeded",
                   "The maximum number of filter values specified on a single call is 200");
  }
  return filters;
}

bool wildcard_match(std::string_view pattern, std::string_view text) {
  return base::matches_wildcards(pattern, text, base::Wildcards::kStarAndQuestionMark);
}

bool is_exact(std::string_view pattern) {
  return pattern.find_first_of("*?\\") == std::string_view::npos;
}

std::optional<std::set<std::string>> narrowed(const std::vector<Filter>& filters,
                                              std::string_view id_filter, const Backend& backend) {
  for (const auto& filter : filters) {
    const bool of_tag = filter.name.starts_with(kTag);
    if ((!of_tag && filter.name != id_filter) || !std::ranges::all_of(filter.values, is_exact))
      continue;
    if (!of_tag) return std::set<std::string>(filter.values.begin(), filter.values.end());
    std::set<std::string> ids;
    for (const auto& value : filter.values) {
      const auto& tagged = backend.cloud.tagged(filter.name.substr(kTag.size()), value);
      ids.insert(tagged.begin(), tagged.end());
    }
    return ids;
  }
  return {};
}

bool matches(const Filter& filter, const std::vector<std::string>& values) {
  return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
    return std::any_of(filter.values.begin(), filter.values.end(),
                       [&](const std::string& pattern) { return wildcard_match(pattern, value); });
  });
}

bool is_tag_filter(const Filter& filter) {
  return filter.name == "tag-key" || filter.name == "tag-value" || filter.name.starts_with(kTag);
}

std::vector<std::string> tag_values(const Filter& filter, const sim::cloud::Tags& tags) {
  std::vector<std::string> values;
  if (filter.name.starts_with(kTag)) {
    const auto found = tags.find(filter.name.substr(kTag.size()));
    if (found != tags.end()) values.push_back(found->second);
    return values;
  }
  for (const auto& [key, value] : tags) values.push_back(filter.name == "tag-key" ? key : value);
  return values;
}

void unknown_filter(const Filter& filter) {
  throw ApiError("InvalidParameterValue", "The filter '" + filter.name + "' is invalid");
}

}  // namespace fakes::ec2
