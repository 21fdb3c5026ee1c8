#include "sim/report/pools.h"

#include <algorithm>
#include <stdexcept>

#include "sim/market/usd.h"
#include "sim/report/marks.h"

namespace sim::report {

void Pools::take(const Event& event, LineNumber line) {
  const bool is_price = event.kind == "price";
  if (!is_price && event.kind != "capacity") return;
  Pool& pool = pools_[field_text(event.fields, "instance_type") + "/" +
                      field_text(event.fields, "availability_zone")];
  pool.last = line;
  if (is_price) {
    const std::string text = field_text(event.fields, "price");
    const auto price = market::parse_usd(text);
    if (!price) throw std::runtime_error("found price \"" + text + "\", expected dollars");
    pool.prices.emplace_back(event.time, price->dollars());
    return;
  }
  const auto slots = event.fields.find("slots");
  const bool limited = slots != event.fields.end() && slots->is_number_integer();
  pool.slots.emplace_back(event.time,
                          limited ? std::optional(slots->get<std::int64_t>()) : std::nullopt);
}

Json Pools::to_json(const std::string& name, const Pool& pool, bool used, const Axis& axis) {
  Json prices = Json::array(), capacity = Json::array();
  for (const auto& [at, price] : pool.prices) prices.push_back({axis.at(at), price});
  for (const auto& [at, slots] : pool.slots)
    capacity.push_back({axis.at(at), slots ? Json(*slots) : Json(nullptr)});
  return {{"pool", name}, {"used", used}, {"prices", prices}, {"capacity", capacity}};
}

Json Pools::all(const std::vector<std::string>& used, const Axis& axis) const {
  Json first = Json::array(), others = Json::array();
  for (const auto& [name, pool] : pools_) {
    const bool is_used = std::ranges::find(used, name) != used.end();
    (is_used ? first : others).push_back(to_json(name, pool, is_used, axis));
  }
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

Json Pools::since(LineNumber after, const std::map<std::string, LineNumber>& used,
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
