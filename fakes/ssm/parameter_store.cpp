#include "fakes/ssm/parameter_store.h"

#include <fmt/format.h>

#include "fakes/ssm/names.h"
#include "sim/cloud/error.h"

namespace fakes::ssm {
namespace {

using sim::cloud::ApiError;

// AWS General Reference, "AWS Systems Manager endpoints and quotas".
constexpr std::size_t kMostAdvancedParameters = 100'000, kMostVersions = 100, kMostLabels = 10;

ApiError no_version(std::string_view version, const std::string& name) {
  return {"ParameterVersionNotFound",
          fmt::format("Systems Manager could not find version {} of {}. Verify the version and "
                      "try again.",
                      version, name)};
}

// Makes room for another version (API reference, ParameterMaxVersionLimitExceeded).
void drop_oldest(StoredParameter& stored) {
  const auto oldest = stored.versions.begin();
  if (!oldest->second.labels.empty())
    throw ApiError(
        "ParameterMaxVersionLimitExceeded",
        fmt::format("You attempted to create a new version of {} by calling the PutParameter API "
                    "with the overwrite flag. Version {}, the oldest version, can't be deleted "
                    "because it has a label associated with it. Move the label to another version "
                    "of the parameter, and try again.",
                    stored.name, oldest->first));
  stored.versions.erase(oldest);
}

}  // namespace

const ParameterVersion* StoredParameter::selected(std::string_view selector) const {
  if (selector.empty()) return &newest();
  const std::string text(selector.substr(1));
  for (const auto& [number, version] : versions)
    if (text == std::to_string(number) || version.labels.contains(text)) return &version;
  return nullptr;
}

const StoredParameter* ParameterStore::find(const std::string& name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? nullptr : &found->second;
}

const StoredParameter& ParameterStore::parameter(const std::string& name) const {
  const StoredParameter* const found = find(name);
  if (found == nullptr) throw ApiError("ParameterNotFound", "");
  return *found;
}

StoredParameter& ParameterStore::find_stored(const std::string& name) {
  return const_cast<StoredParameter&>(parameter(name));
}

ParameterVersion& ParameterStore::find_version(const std::string& name, std::int64_t number) {
  StoredParameter& stored = find_stored(name);
  const auto found = stored.versions.find(number);
  if (found == stored.versions.end()) throw no_version(std::to_string(number), name);
  return found->second;
}

std::int64_t ParameterStore::put(const std::string& name, ParameterVersion version) {
  const std::size_t most =
      version.tier == kAdvanced ? kMostAdvancedParameters : kMostStandardParameters;
  const StoredParameter* const before = find(name);
  const bool is_added = before == nullptr || before->newest().tier != version.tier;
  if (is_added && in_tier_[version.tier] >= most)
    throw ApiError("ParameterLimitExceeded",
                   "You have exceeded the number of parameters for this Amazon Web Services "
                   "account. Delete one or more parameters and try again.");
  StoredParameter& stored = parameters_[name];
  stored.name = name;
  version.number = stored.versions.empty() ? 1 : stored.newest().number + 1;
  if (stored.versions.size() >= kMostVersions) drop_oldest(stored);
  if (is_added) ++in_tier_[version.tier];
  if (is_added && !stored.versions.empty()) --in_tier_[stored.newest().tier];
  version.serial = ++versions_made_;
  const std::int64_t number = version.number;
  stored.versions.emplace(number, std::move(version));
  return number;
}

void ParameterStore::finish_policy(const std::string& name, std::size_t index) {
  find_stored(name).versions.rbegin()->second.policies.at(index).finished = true;
}

bool ParameterStore::erase(const std::string& name) {
  const auto found = parameters_.find(name);
  if (found == parameters_.end()) return false;
  --in_tier_[found->second.newest().tier];
  parameters_.erase(found);
  return true;
}

void ParameterStore::label(const std::string& name, std::int64_t number,
                           const std::set<std::string>& labels) {
  std::set<std::string> all = find_version(name, number).labels;
  all.insert(labels.begin(), labels.end());
  if (all.size() > kMostLabels)
    throw ApiError("ParameterVersionLabelLimitExceeded",
                   "A parameter version can have a maximum of ten labels.");
  for (auto& [other, version] : find_stored(name).versions)
    for (const std::string& label : labels) version.labels.erase(label);
  find_version(name, number).labels = std::move(all);
}

bool ParameterStore::unlabel(const std::string& name, std::int64_t number,
                             const std::string& label) {
  return find_version(name, number).labels.erase(label) > 0;
}

void ParameterStore::tag(const std::string& name, const std::map<std::string, std::string>& tags) {
  std::map<std::string, std::string> all = tags;
  StoredParameter& stored = find_stored(name);
  all.insert(stored.tags.begin(), stored.tags.end());
  check_number_of_tags(all.size());
  stored.tags = std::move(all);
}

void ParameterStore::untag(const std::string& name, const std::string& key) {
  find_stored(name).tags.erase(key);
}

}  // namespace fakes::ssm
