#include "sim/report/market_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/market/usd.h"

namespace sim::report {

MarketHistory::Pool& MarketHistory::changed_pool(std::string_view type, std::string_view zone,
                                                 LineNumber line) {
  Pool& pool = pools_[fmt::format("{}/{}", type, zone)];
  pool.last = line;
  return pool;
}

void MarketHistory::listen(events::Listeners& log, const LineNumber& line) {
  log.on<events::Price>([this, &line](const events::Price& event) {
    const auto price = market::parse_usd(event.price);
    if (!price)
      throw std::runtime_error(fmt::format("found price \"{}\", expected dollars", event.price));
    changed_pool(event.instance_type, event.availability_zone, line)
        .prices.emplace_back(event.time, price->dollars());
  });
  log.on<events::Capacity>([this, &line](const events::Capacity& event) {
    changed_pool(event.instance_type, event.availability_zone, line)
        .slots.emplace_back(event.time, event.slots);
  });
}

Json MarketHistory::to_json(const std::string& name, const Pool& pool, bool used,
                            const Axis& axis) {
  Json prices = Json::array(), capacity = Json::array();
  for (const auto& [at, price] : pool.prices) prices.push_back({axis.at(at), price});
  for (const auto& [at, slots] : pool.slots)
    capacity.push_back({axis.at(at), slots ? Json(*slots) : Json(nullptr)});
  return {{"pool", name}, {"used", used}, {"prices", prices}, {"capacity", capacity}};
}

Json MarketHistory::all(const std::vector<std::string>& used, const Axis& axis) const {
  Json first = Json::array(), others = Json::array();
  for (const auto& [name, pool] : pools_) {
    const bool is_used = std::ranges::find(used, name) != used.end();
    (is_used ? first : others).push_back(to_json(name, pool, is_used, axis));
  }
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

Json MarketHistory::since(LineNumber after, const std::map<std::string, LineNumber>& used,
                          const Axis& axis) const {
  Json changed = Json::array();
  for (const auto& [name, pool] : pools_) {
    const auto use = used.find(name);
    if (pool.last > after || (use != used.end() && use->second > after))
      changed.push_back(to_json(name, pool, use != used.end(), axis));
  }
  return changed;
}

}  // namespace sim::report
