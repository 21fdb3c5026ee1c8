// Tests only: every checkpoint policy but programs, with an argument where it takes one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "policies/checkpoint/policy.h"

namespace policies {

// `mean` is the argument of those that take M. A name of an argument that is new needs a row.
inline std::string example_of(const CheckpointPolicyKind& kind, std::string_view mean = "6h") {
  static const std::map<std::string_view, std::string_view> values{
      {"K", "50"},      {"N", "2"},       {"T", "10m"},
      {"BOUND", "0.1"}, {"SHARE", "0.2"}, {"SHAPE:MEAN", "0.7:1h"}};
  if (kind.argument.empty()) return std::string(kind.name);
  const std::string_view value = kind.argument == "M" ? mean : values.at(kind.argument);
  return std::string(kind.name) + ":" + std::string(value);
}

inline std::vector<std::string> example_policies(std::string_view mean = "6h") {
  std::vector<std::string> all;
  for (const CheckpointPolicyKind& kind : checkpoint_policy_kinds())
    if (kind.name != "command") all.push_back(example_of(kind, mean));
  return all;
}

}  // namespace policies
