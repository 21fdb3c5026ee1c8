// The pools that have prices, and the message about a pool that has none.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/scenario/blocks.h"

namespace sim::scenario {
namespace {

// The pools of the same type as this one, or else of the same zone, or else all.
std::set<market::Pool> like(const market::Pool& pool, const market::PriceHistory& prices) {
  std::set<market::Pool> of_type, of_zone, all;
  for (const auto& [other, points] : prices.pools) {
    all.insert(other);
    if (other.instance_type == pool.instance_type) of_type.insert(other);
    if (other.availability_zone == pool.availability_zone) of_zone.insert(other);
  }
  if (!of_type.empty()) return of_type;
  return of_zone.empty() ? all : of_zone;
}

}  // namespace

bool window_is_known(const Errors& errors) {
  constexpr std::array kKeys{"start", "limit", "region", "market.trace_start",
                             "market.instance_types"};
  return std::ranges::none_of(kKeys, [&](const char* key) { return errors.about(key); });
}

bool prices_are_known(const Scenario& s, const Errors& errors) {
  return !s.prices.pools.empty() && window_is_known(errors) && !errors.about("market.prices");
}

std::string in_words(const std::set<market::Pool>& pools) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> names;
  for (const market::Pool& pool : pools) {
    if (names.size() == kMostNamed) {
      names.push_back(fmt::format("… ({} in all)", pools.size()));
      break;
    }
    names.push_back(to_string(pool));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string others_than(const market::Pool& pool, const Scenario& s) {
  return in_words(like(pool, s.prices));
}

void require_prices(const Value& value, const market::Pool& pool, const Scenario& s) {
  if (!prices_are_known(s, value.errors()) || s.prices.pools.contains(pool)) return;
  value.reject(fmt::format("found {}, which has no prices, expected one that market.prices has: {}",
                           to_string(pool), others_than(pool, s)));
}

std::optional<market::Pool> read_pool(const Value& value, const Scenario& s) {
  auto pool = value.pool(*s.instance_types);
  if (pool) require_prices(value, *pool, s);
  return pool;
}

}  // namespace sim::scenario
