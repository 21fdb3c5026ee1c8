#include "policies/acquisition/strategy.h"

#include <algorithm>
#include <stdexcept>

#include "policies/acquisition/composed.h"

namespace policies {
namespace {

constexpr std::string_view kDefaultPool = "first-pool";
constexpr std::string_view kDefaultBid = "bid-on-demand";

// "name" or "name:ARGUMENT".
struct Part {
  std::string_view text, name;
  std::optional<std::string_view> argument;

  explicit Part(std::string_view whole) : text(whole), name(whole.substr(0, whole.find(':'))) {
    if (name.size() < whole.size()) argument = whole.substr(name.size() + 1);
  }
};

template <typename Kind>
const Kind* find(const std::vector<Kind>& kinds, const Part& part) {
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const Kind& kind) { return kind.name == part.name; });
  return found == kinds.end() ? nullptr : &*found;
}

template <typename Kind>
void list(std::string& text, std::string_view title, const std::vector<Kind>& kinds) {
  text.append("; ").append(title);
  for (const Kind& kind : kinds) {
    text.append(&kind == &kinds.front() ? ": " : ", ").append(kind.name);
    if (!kind.argument.empty()) text.append(":").append(kind.argument);
  }
}

[[noreturn]] void reject_strategy(std::string text) {
  list(text, "whole strategies", strategy_kinds());
  list(text, "pool rules", pool_rule_kinds());
  list(text, "bid rules", bid_rule_kinds());
  throw std::invalid_argument(text);
}

std::string about(const Part& part, std::string_view why) {
  return "strategy part '" + std::string(part.text) + "': " + std::string(why);
}

[[noreturn]] void reject_strategy(const Part& part, std::string_view why) {
  reject_strategy(about(part, why));
}

NamedAcquisitionPolicy make_policy(std::string_view text) {
  try {
    return make_acquisition_policy(text);
  } catch (const std::invalid_argument& error) {
    reject_strategy(error.what());
  }
}

template <typename Kind>
auto make(const Kind& kind, const Part& part) {
  if (part.argument && kind.argument.empty()) reject_strategy(part, "takes no argument");
  if (!part.argument && !kind.argument.empty()) reject_strategy(part, "needs an argument");
  try {
    return kind.make(part.argument.value_or(std::string_view()));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(about(part, error.what()));
  }
}

std::vector<Part> parts_of(std::string_view text) {
  std::vector<Part> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('+', at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// With the argument in the place of its name.
template <typename Kind>
std::string meaning_of(const Kind& kind, const Part& part) {
  std::string meaning(kind.meaning);
  const std::size_t at = kind.argument.empty() ? meaning.npos : meaning.find(kind.argument);
  if (at != meaning.npos) meaning.replace(at, kind.argument.size(), *part.argument);
  return meaning;
}

}  // namespace

NamedStrategy make_strategy(std::string_view text) {
  const Part whole(text);
  const StrategyKind* const to_the_end = find(strategy_kinds(), whole);
  if (to_the_end && to_the_end->to_the_end)
    return {std::string(text), false, make(*to_the_end, whole)};
  const std::vector<Part> parts = parts_of(text);
  if (const StrategyKind* const kind = find(strategy_kinds(), parts.front())) {
    if (parts.size() > 1) reject_strategy(parts[1], "the strategy before it takes no rules");
    return {std::string(text), false, make(*kind, parts.front())};
  }
  NamedAcquisitionPolicy policy = make_policy(parts.front().text);
  std::unique_ptr<PoolRule> pool;
  std::unique_ptr<BidRule> bid;
  bool in_first_pool = true;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (const PoolRuleKind* const kind = find(pool_rule_kinds(), parts[i])) {
      if (pool) reject_strategy(parts[i], "is the second pool rule");
      pool = make(*kind, parts[i]);
      in_first_pool = kind->name == kDefaultPool;
    } else if (const BidRuleKind* const rule = find(bid_rule_kinds(), parts[i])) {
      if (bid) reject_strategy(parts[i], "is the second bid rule");
      bid = make(*rule, parts[i]);
    } else {
      reject_strategy(parts[i], parts[i].text.empty() ? "is empty" : "is unknown");
    }
  }
  const Part first(kDefaultPool), on_demand(kDefaultBid);
  if (!pool) pool = make(*find(pool_rule_kinds(), first), first);
  if (!bid) bid = make(*find(bid_rule_kinds(), on_demand), on_demand);
  return {std::string(text), policy.oracle,
          compose(std::move(policy.policy), std::move(pool), std::move(bid)), in_first_pool};
}

void try_strategy(std::string_view text) {
  using std::chrono::hours, std::chrono::minutes;
  const NamedStrategy named = make_strategy(text);
  const PoolQuote quote{.instances = 1, .spot = 1, .on_demand = 3};
  const PoolMove move{};
  named.strategy->begin(
      {.work = hours(1), .deadline = hours(2), .changeover = minutes(5), .tick = minutes(10)}, 1,
      {});
  named.strategy->decide({.job = {}, .pools = {&quote, 1}, .moves = {&move, 1}});
}

std::string meaning_of(std::string_view strategy) {
  if (const StrategyKind* const whole = find(strategy_kinds(), Part(strategy)))
    return meaning_of(*whole, Part(strategy));
  std::string all;
  for (const Part& part : parts_of(strategy)) {
    if (const auto* const policy = find(acquisition_policy_kinds(), part))
      all += meaning_of(*policy, part);
    if (const auto* const pool = find(pool_rule_kinds(), part))
      all += "; pool: " + meaning_of(*pool, part);
    if (const auto* const bid = find(bid_rule_kinds(), part))
      all += "; bid: " + meaning_of(*bid, part);
  }
  return all;
}

bool is_acquisition_policy(std::string_view text) {
  return !find(strategy_kinds(), Part(text)) && text.find('+') == text.npos;
}

}  // namespace policies
