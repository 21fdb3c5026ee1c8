// Every policy, rule and strategy except programs, with an argument if it takes one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policies/acquisition/bid_rule.h"
#include "policies/acquisition/pool_rule.h"
#include "policies/acquisition/strategy.h"

namespace sim::ticks {

template <typename Kind>
std::string written(const Kind& kind) {
  if (kind.argument.empty()) return std::string(kind.name);
  const std::string_view what = kind.argument;
  const std::string_view value = what == "N"                      ? "3"
                                 : what == "T"                    ? "2h"
                                 : what == "USD"                  ? "0.9"
                                 : what == "Q" || what == "SHARE" ? "0.4"
                                                                  : "0.05";
  return std::string(kind.name) + ":" + std::string(value);
}

inline std::vector<std::string> all_strategies() {
  std::vector<std::string> all;
  for (const auto& kind : policies::strategy_kinds())
    if (kind.name != "command") all.push_back(written(kind));
  for (const auto& policy : policies::acquisition_policy_kinds()) {
    all.push_back(written(policy));
    for (const auto& pool : policies::pool_rule_kinds())
      all.push_back(written(policy) + "+" + written(pool));
    for (const auto& bid : policies::bid_rule_kinds())
      all.push_back(written(policy) + "+lowest-price+" + written(bid));
  }
  return all;
}

// True for policies that meet the deadline by themselves.
inline bool heeds_deadline(std::string_view text) {
  return !text.starts_with("spot-only") && !text.starts_with("fallback-");
}

}  // namespace sim::ticks
