#include "fakes/ssm/filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "fakes/ssm/names.h"
#include "sim/cloud/error.h"

namespace fakes::ssm {
namespace {

using sim::cloud::ApiError;
using Filter = api::ssm::ParameterStringFilter;
using Words = std::string_view;  // separated by ", "

struct FilterRow {
  std::string_view key;
  Words options;  // the first one is the default
  Words values;   // the only valid ones; empty: any
  bool describes, selects_paths;
};
constexpr Words kCompared = "Equals, BeginsWith";
constexpr FilterRow kRows[] = {
    {"Path", "OneLevel, Recursive", "", true, false},
    {"Name", "Equals, BeginsWith, Contains", "", true, false},
    {"Type", kCompared, "String, StringList, SecureString", true, true},
    {"KeyId", kCompared, "", true, true},
    {"Tier", kCompared, "Standard, Advanced, Intelligent-Tiering", true, false},
    {"DataType", kCompared, "text, aws:ec2:image, aws:ssm:integration", true, false},
    {"Label", kCompared, "", false, true}};
constexpr FilterRow kTag = {"tag:", kCompared, "", true, false};

bool is_one_of(Words words, const std::string& word) {
  return (", " + std::string(words) + ",").find(", " + word + ",") != std::string::npos;
}

std::string option_of(const Filter& filter, const FilterRow& row) {
  return filter.option.value_or(std::string(row.options.substr(0, row.options.find(','))));
}

const FilterRow* row_of(const std::string& key) {
  if (key.starts_with(kTag.key) && key.size() > kTag.key.size()) return &kTag;
  const auto found = std::ranges::find(kRows, key, &FilterRow::key);
  return found == std::end(kRows) ? nullptr : &*found;
}

[[noreturn]] void refuse_key(const std::string& key, FiltersOf of) {
  throw ApiError(
      "InvalidFilterKey",
      fmt::format("The following filter key is not valid: {}. Valid filter keys "
                  "include: [{}].",
                  key, of == FiltersOf::kPath ? "Type, KeyId" : "Path, Name, Type, KeyId, Tier"));
}

void check_values(const Filter& filter, const FilterRow& row) {
  const std::string& key = filter.key.value();
  if (filter.values.empty() && &row != &kTag)
    throw ApiError("InvalidFilterValue",
                   "The following filter values are missing : null for filter key " + key);
  // "BeginsWith" compares with the beginning of a valid value.
  const bool is_whole = option_of(filter, row) == "Equals";
  for (const std::string& value : filter.values) {
    if (key == "Path") {
      checked_path(value);
      if (has_reserved_prefix(value.substr(1)))
        throw ApiError("ValidationException",
                       "Filters for common parameters can't be prefixed with \"aws\" or \"ssm\" "
                       "(case-insensitive). When using global parameters, please specify within a "
                       "global namespace.");
    }
    if (is_whole && !row.values.empty() && !is_one_of(row.values, value))
      throw ApiError("InvalidFilterValue",
                     fmt::format("The following filter value is not valid: {}. Valid values "
                                 "include: [{}].",
                                 value, row.values));
  }
}

void check_filter(const Filter& filter, std::size_t place, FiltersOf of) {
  const std::string& key = filter.key.value();
  const FilterRow* const row = row_of(key);
  if (row == nullptr)
    throw ApiError("ValidationException",
                   fmt::format("1 validation error detected: Value '{}' at "
                               "'parameterFilters.{}.member.key' failed to satisfy constraint: "
                               "Member must satisfy regular expression pattern: "
                               "tag:.+|Name|Type|KeyId|Path|Label|Tier|DataType",
                               key, place));
  if (!(of == FiltersOf::kPath ? row->selects_paths : row->describes)) refuse_key(key, of);
  if (filter.option && !is_one_of(row->options, *filter.option))
    throw ApiError(
        "InvalidFilterOption",
        fmt::format("The following filter option is not valid: {}. Valid options "
                    "include: [{}].",
                    *filter.option, key == "Path" ? "Recursive, OneLevel" : "BeginsWith, Equals"));
  check_values(filter, *row);
}

bool compares(const std::string& text, const std::string& value, const std::string& option) {
  return option == "BeginsWith" ? text.starts_with(value) : text == value;
}

// True if the name fits. Names with and without a slash in front are the same to this filter.
bool fits_name(const std::string& name, const std::string& value, const std::string& option) {
  if (option == "Contains") return rooted(name).find(value) != std::string::npos;
  return compares(rooted(name), rooted(value), option);
}

bool fits_value(const StoredParameter& parameter, const ParameterVersion& version,
                const std::string& key, const std::string& option, const std::string& value) {
  if (key == "Path") return is_below(parameter.name, checked_path(value), option == "Recursive");
  if (key == "Name") return fits_name(parameter.name, value, option);
  if (key == "Type") return compares(version.type, value, option);
  if (key == "KeyId") return compares(version.key_id, value, option);
  if (key == "Tier") return compares(version.tier, value, option);
  if (key == "DataType") return compares(version.data_type, value, option);
  if (key == "Label")
    return std::ranges::any_of(
        version.labels, [&](const std::string& label) { return compares(label, value, option); });
  const auto tag = parameter.tags.find(key.substr(kTag.key.size()));
  return tag != parameter.tags.end() && compares(tag->second, value, option);
}

}  // namespace

void check_filters(const Filters& filters, FiltersOf of) {
  std::set<std::string> seen;
  std::size_t place = 0;
  for (const Filter& filter : filters) check_filter(filter, ++place, of);
  for (const Filter& filter : filters)
    if (!seen.insert(filter.key.value()).second)
      throw ApiError("InvalidFilterKey",
                     fmt::format("The following filter is duplicated in the request: {}. A request "
                                 "can contain only one occurrence of a specific filter.",
                                 *filter.key));
}

bool fits(const StoredParameter& parameter, const ParameterVersion& version,
          const Filters& filters) {
  return std::ranges::all_of(filters, [&](const Filter& filter) {
    const std::string& key = filter.key.value();
    if (filter.values.empty()) return parameter.tags.contains(key.substr(kTag.key.size()));
    const std::string option = option_of(filter, *row_of(key));
    return std::ranges::any_of(filter.values, [&](const std::string& value) {
      return fits_value(parameter, version, key, option, value);
    });
  });
}

const ParameterVersion* fitting_version(const StoredParameter& parameter, const Filters& filters) {
  const bool by_label = std::ranges::any_of(
      filters, [](const Filter& filter) { return filter.key.value() == "Label"; });
  for (auto it = parameter.versions.rbegin(); it != parameter.versions.rend(); ++it) {
    if (fits(parameter, it->second, filters)) return &it->second;
    if (!by_label) return nullptr;
  }
  return nullptr;
}

}  // namespace fakes::ssm
