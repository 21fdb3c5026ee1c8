#include "sim/market/market.h"

#include <algorithm>
#include <cmath>

#include "sim/events/event.h"
#include "sim/kernel/check.h"

namespace sim::market {
namespace {

using Points = std::vector<PricePoint>;

// The point in force at t, or the first when t is before it.
Points::const_iterator first_from(const Points& points, Time t) {
  const PricePoint* const now = in_force(points, t);
  return now ? points.begin() + (now - points.data()) : points.begin();
}

// The first point at or after `from` in the list that changes the price in force before it.
std::size_t next_change(const Points& points, std::size_t from) {
  while (from && from < points.size() && points[from].price == points[from - 1].price) ++from;
  return from;
}

// The points that came into force earlier than that.
Points before(const Points& points, Time t) {
  return {points.begin(), std::lower_bound(points.begin(), points.end(), t,
                                           [](const PricePoint& p, Time at) { return p.at < at; })};
}

}  // namespace

std::string quota_group(std::string_view instance_type) {
  // The letters of the family: "g" of g5.2xlarge, "inf" of inf2.xlarge.
  const std::string_view family =
      instance_type.substr(0, instance_type.find_first_of("0123456789."));
  if (family == "p") return "P";
  for (const std::string_view alone : {"f", "x", "inf", "trn", "dl", "hpc", "u", "u-", "mac"})
    if (family == alone) return std::string(alone);
  if (family == "g" || family == "gr" || family == "vt") return "G and VT";
  return "Standard";
}

Market::Market(Simulation& simulation, EventLog& log, std::shared_ptr<const PriceHistory> history,
               PriceList on_demand)
    : simulation_(simulation),
      log_(log),
      history_(std::move(history)),
      on_demand_(std::move(on_demand)) {
  const auto earlier = [](const PricePoint& a, const PricePoint& b) { return a.at < b.at; };
  for (const auto& [pool, points] : history_->pools) {
    SIM_CHECK(std::is_sorted(points.begin(), points.end(), earlier));
    const PricePoint* const now = in_force(points, simulation_.now());
    std::size_t next = 0;
    if (now) {
      log_price(pool, now->price);
      next = static_cast<std::size_t>(now - points.data()) + 1;
    }
    schedule_next_price(pool, points, next_change(points, next));
  }
}

void Market::log_price(const Pool& pool, Usd price) {
  log_.append(events::Price{.time = simulation_.now(),
                            .instance_type = pool.instance_type,
                            .availability_zone = pool.availability_zone,
                            .price = format_usd(price)});
}

void Market::schedule_next_price(const Pool& pool, const Points& points, std::size_t index) {
  if (index >= points.size()) return;
  // The map's nodes do not move, so the references are valid as long as the market.
  next_change_[pool] = simulation_.at(points[index].at, [this, &pool, &points, index] {
    schedule_next_price(pool, points, next_change(points, index + 1));
    log_price(pool, points[index].price);
    notify(pool);
  });
}

void Market::notify(const Pool& pool) {
  for (const auto& observer : observers_) observer(pool);
}

const Points* Market::points_of(const Pool& pool) const {
  const auto changed = changed_prices_.find(pool);
  return changed == changed_prices_.end() ? usual_points_of(pool) : &changed->second;
}

const Points* Market::usual_points_of(const Pool& pool) const {
  if (const auto set = set_prices_.find(pool); set != set_prices_.end()) return &set->second;
  const auto found = history_->pools.find(pool);
  return found == history_->pools.end() ? nullptr : &found->second;
}

bool Market::offers(const Pool& pool) const {
  return spot_price(pool, simulation_.now()).has_value();
}

std::optional<Usd> Market::spot_price(const Pool& pool, Time t) const {
  const Points* points = points_of(pool);
  if (!points) return {};
  const PricePoint* const point = in_force(*points, t);
  return point ? std::optional(point->price) : std::nullopt;
}

std::optional<Time> Market::next_price(const Pool& pool, Time t) const {
  const Points* points = points_of(pool);
  if (!points) return {};
  const PricePoint* const point = in_force(*points, t);
  const auto after = point ? static_cast<std::size_t>(point - points->data()) + 1 : 0;
  const std::size_t next = next_change(*points, after);
  return next < points->size() ? std::optional((*points)[next].at) : std::nullopt;
}

Points Market::spot_prices(const Pool& pool, Time from, Time to) const {
  const Points* points = points_of(pool);
  if (!points || to < from) return {};
  const auto first = first_from(*points, from);
  const auto last = std::upper_bound(first, points->end(), to,
                                     [](Time at, const PricePoint& p) { return at < p.at; });
  return {first, last};
}

std::optional<Time> Market::first_above(const Pool& pool, Usd limit, Time from) const {
  const Points* points = points_of(pool);
  if (!points) return {};
  const auto first = first_from(*points, from);
  const auto above =
      std::find_if(first, points->end(), [limit](const PricePoint& p) { return p.price > limit; });
  if (above == points->end()) return {};
  return std::max(from, above->at);
}

std::optional<Time> Market::last_point(const Pool& pool) const {
  const Points* points = points_of(pool);
  if (!points || points->empty()) return {};
  return points->back().at;
}

std::vector<Pool> Market::pools() const {
  std::vector<Pool> pools;
  for (const auto& [pool, points] : history_->pools)
    if (!points.empty()) pools.push_back(pool);
  return pools;
}

std::optional<Usd> Market::on_demand_price(const std::string& instance_type) const {
  const InstanceType* type = find_instance_type(types(), instance_type);
  if (!type) return {};
  return market::on_demand_price(*type, on_demand_.region, on_demand_.at).per_hour;
}

int Market::capacity(const Pool& pool) const {
  const auto limit = limits_.find(pool);
  return limit == limits_.end() ? own_capacity(pool) : std::min(limit->second, own_capacity(pool));
}

int Market::own_capacity(const Pool& pool) const {
  const auto set = capacity_.find(pool);
  if (set != capacity_.end()) return set->second;
  const Points* points = points_of(pool);
  return points && !points->empty() ? kUnlimited : 0;
}

int Market::on_demand_capacity(const Pool& pool) const {
  const auto found = on_demand_capacity_.find(pool);
  return found == on_demand_capacity_.end() ? kUnlimited : found->second;
}

void Market::set_on_demand_capacity(const Pool& pool, int slots) {
  on_demand_capacity_[pool] = slots;
  notify(pool);
}

void Market::set_quotas(const Quotas& quotas) {
  quotas_ = quotas;
  for (const Pool& pool : pools()) notify(pool);
}

void Market::set_capacity(const Pool& pool, int slots) {
  SIM_CHECK(slots >= 0);
  const int before = capacity(pool);
  capacity_[pool] = slots;
  tell_capacity(pool, before);
}

void Market::limit_capacity(const Pool& pool, std::optional<int> slots) {
  SIM_CHECK(!slots || *slots >= 0);
  const int before = capacity(pool);
  if (slots)
    limits_[pool] = *slots;
  else
    limits_.erase(pool);
  tell_capacity(pool, before);
}

void Market::tell_capacity(const Pool& pool, int before) {
  const int slots = capacity(pool);
  if (slots == before) return;
  events::Capacity line{.time = simulation_.now(),
                        .instance_type = pool.instance_type,
                        .availability_zone = pool.availability_zone};
  if (slots != kUnlimited) line.slots = slots;
  log_.append(line);
  notify(pool);
}

void Market::set_price(const Pool& pool, Usd price) {
  const Points* const points = points_of(pool);
  SIM_CHECK(points && !points->empty());
  Points set = before(*points, simulation_.now());
  set.push_back({simulation_.now(), price});
  changed_prices_.try_emplace(pool, *points);  // the new price is compared to the one in force
  set_prices_[pool] = set;
  replace_points(pool, std::move(set));
}

void Market::raise_price(const Pool& pool, double factor, Time until) {
  const Time now = simulation_.now();
  SIM_CHECK(until > now && spot_price(pool, now));
  const Points& present = *points_of(pool);
  const auto raised = [factor](Usd price) {
    return Usd{std::llround(static_cast<double>(price.nano) * factor)};
  };
  Points points = before(present, now);
  const Points& usual = *usual_points_of(pool);
  points.push_back({now, raised(in_force(usual, now)->price)});
  for (const PricePoint& point : usual)
    if (point.at > now && point.at < until) points.push_back({point.at, raised(point.price)});
  points.push_back({until, in_force(present, until)->price});
  for (const PricePoint& point : present)
    if (point.at > until) points.push_back(point);
  replace_points(pool, std::move(points));
}

void Market::replace_points(const Pool& pool, Points points) {
  const Time now = simulation_.now();
  const std::optional<Usd> old = spot_price(pool, now);
  const Usd price = in_force(points, now)->price;
  if (const auto next = next_change_.find(pool); next != next_change_.end())
    simulation_.cancel(next->second);
  Points& kept = changed_prices_[pool];
  kept = std::move(points);
  const auto after = static_cast<std::size_t>(in_force(kept, now) - kept.data()) + 1;
  schedule_next_price(changed_prices_.find(pool)->first, kept, next_change(kept, after));
  if (old == price) return;
  log_price(pool, price);
  notify(pool);
}

void Market::schedule(const CapacityChange& change) {
  simulation_.at(change.at, [this, change] { set_capacity(change.pool, change.slots); });
}

void Market::subscribe(std::function<void(const Pool&)> observer) {
  observers_.push_back(std::move(observer));
}

}  // namespace sim::market
