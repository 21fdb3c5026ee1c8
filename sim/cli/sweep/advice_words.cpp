#include "sim/cli/sweep/advice_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/time/duration.h"
#include "policies/checkpoint/words.h"

namespace sim::cli {
namespace {

// Policies with a description that says more than the name. {} is the argument.
struct PolicyWords {
  std::string_view name, words;
};
constexpr PolicyWords kPolicyWords[]{{"time", "every {}"},
                                     {"steps", "every {} steps"},
                                     {"epoch", "every epoch"},
                                     {"hourly", "before every full hour"},
                                     {"on-notice", "on notice"},
                                     {"grace", "what fits into a notice"},
                                     {"on-rebalance", "on a rebalance recommendation"},
                                     {"before-hop", "before a hop"},
                                     {"command", "when {} says so"}};

std::string words_for(std::string_view policy) {
  const auto colon = policy.find(':');
  const std::string_view name = policy.substr(0, colon);
  const auto argument = colon == policy.npos ? std::string_view() : policy.substr(colon + 1);
  const auto* const found = std::ranges::find(kPolicyWords, name, &PolicyWords::name);
  if (found == std::end(kPolicyWords)) return fmt::format("by {}", policy);
  return fmt::format(fmt::runtime(found->words), argument);
}

int decimals(double usd) { return std::abs(usd) < 1 ? 4 : 2; }

}  // namespace

std::string about(Duration duration) {
  const Duration unit = duration >= 10min ? Duration(1min) : Duration(1s);
  return base::format_duration((duration + unit / 2) / unit * unit);
}
std::string about_hours(double hours) { return about(from_seconds(hours * 3600)); }

std::string in_percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string dollars(double usd) { return fmt::format("${:.{}f}", usd, decimals(usd)); }
std::string dollars(const sweep::Distribution& cost) {
  if (!cost.half_width_95) return dollars(cost.mean);
  return fmt::format("{} ± {:.{}f}", dollars(cost.mean), *cost.half_width_95, decimals(cost.mean));
}

std::string difference(double usd, double of) {
  return fmt::format("{}${:.{}f}", usd < 0 ? "-" : "+", std::abs(usd), decimals(of));
}

std::string saving(std::string_view policies) {
  if (policies == "none" || policies.empty()) return "at the end only";
  if (policies == "on-notice") return "on notice only";
  std::string all;
  for (const std::string_view policy : policies::split_list(policies))
    if (policy != "none") all += (all.empty() ? "" : " and ") + words_for(policy);
  return all;
}

}  // namespace sim::cli
