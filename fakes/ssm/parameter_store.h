// The account's own parameters in Systems Manager's Parameter Store. The public ones, which name
// images, are in ec2/image_catalogue.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "fakes/ssm/parameter_policies.h"
#include "sim/kernel/time.h"

namespace fakes::ssm {

// The key of SecureStrings whose request names none.
inline constexpr std::string_view kDefaultKey = "alias/aws/ssm";

inline constexpr std::string_view kStandard = "Standard", kAdvanced = "Advanced";
// Of the standard tier (AWS General Reference, "AWS Systems Manager endpoints and quotas").
inline constexpr std::size_t kMostStandardParameters = 10'000;

struct ParameterVersion {
  std::int64_t number = 0;   // 1 for the first one
  std::uint64_t serial = 0;  // no other version has it, not even after the parameter was deleted
  std::string type;          // "String", "StringList" or "SecureString"
  std::string value;
  std::string data_type = "text";
  std::string tier = std::string(kStandard);
  std::string key_id = {};  // the key of a SecureString
  std::string description = {}, allowed_pattern = {};
  std::string modified_by = {};  // an ARN
  sim::Time modified{};
  std::set<std::string> labels = {};
  ParameterPolicies policies = {};  // of the advanced tier
};

struct StoredParameter {
  std::string name;
  std::map<std::int64_t, ParameterVersion> versions = {};  // never empty
  std::map<std::string, std::string> tags = {};

  const ParameterVersion& newest() const { return versions.rbegin()->second; }
  // The version that ":2" or ":LABEL" selects; an empty selector selects the newest one. Null if
  // there is none.
  const ParameterVersion* selected(std::string_view selector) const;
};

// Owns the parameters of a region. Each of their labels is at one version. All functions throw
// ApiError with Systems Manager's codes.
class ParameterStore {
 public:
  const std::map<std::string, StoredParameter>& all() const { return parameters_; }
  // Null if there is none.
  const StoredParameter* find(const std::string& name) const;
  // Throws ParameterNotFound, whose message AWS leaves empty.
  const StoredParameter& parameter(const std::string& name) const;

  // Adds a version, gives it a serial and a number, and returns the number. Deletes the oldest of
  // 100 versions; throws ParameterMaxVersionLimitExceeded if the oldest has a label.
  std::int64_t put(const std::string& name, ParameterVersion version);
  // A policy of the newest version has acted.
  void finish_policy(const std::string& name, std::size_t index);
  // False if there is none.
  bool erase(const std::string& name);

  // Moves labels to a version. Throws ParameterVersionNotFound, ParameterVersionLabelLimitExceeded.
  void label(const std::string& name, std::int64_t version, const std::set<std::string>& labels);
  // Returns whether the version had the label.
  bool unlabel(const std::string& name, std::int64_t version, const std::string& label);

  // Throws TooManyTagsError.
  void tag(const std::string& name, const std::map<std::string, std::string>& tags);
  void untag(const std::string& name, const std::string& key);

 private:
  StoredParameter& find_stored(const std::string& name);
  ParameterVersion& find_version(const std::string& name, std::int64_t number);

  std::map<std::string, StoredParameter> parameters_;
  std::map<std::string, std::size_t> in_tier_;  // the number of parameters
  std::uint64_t versions_made_ = 0;
};

}  // namespace fakes::ssm
