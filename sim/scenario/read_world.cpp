#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/blocks.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_file.h"

namespace sim::scenario {
namespace {

struct MarketFilter {
  std::set<std::string> instance_types;  // empty: all types of the trace
  std::optional<Time> trace_start;       // the run's start in the trace's time
};

// The time before the start for which DescribeSpotPriceHistory returns prices.
constexpr Duration kPricesBeforeStart = std::chrono::hours{24 * 90};

// Shifts a pool's points to the run's time, and keeps those in force until the limit and before the
// start.
std::vector<market::PricePoint> onto_run(const std::vector<market::PricePoint>& points,
                                         const Scenario& s, const MarketFilter& filter) {
  const Duration shift = filter.trace_start ? s.start - *filter.trace_start : Duration{};
  std::vector<market::PricePoint> kept;
  for (market::PricePoint point : points) {
    point.at += shift;
    if (point.at > s.start + s.limit) break;
    if (point.at <= s.start - kPricesBeforeStart) kept.clear();
    kept.push_back(point);
  }
  return kept;
}

// A remedy, if there is one.
std::string moved(Time begin, Time end, const MarketFilter& filter, const Scenario& s) {
  if (filter.trace_start || end - begin < s.limit) return "";
  return fmt::format("; `trace_start: {}` next to `prices` makes the trace begin with the run",
                     iso_seconds(begin));
}

// False if the trace cannot be used at all.
bool check_covers(const market::PriceHistory& trace, const Scenario& s, const MarketFilter& filter,
                  const Value& file) {
  Time begin = Time::max(), end = Time::min();
  for (const auto& [pool, points] : trace.pools) {
    if (points.empty()) continue;
    begin = std::min(begin, points.front().at);
    end = std::max(end, points.back().at);
  }
  if (begin > end) return file.reject("found a trace without prices, expected some"), false;
  if (!in_range(begin) || !in_range(end)) {
    file.reject(fmt::format("found a trace with prices from {} to {}, expected 1970 to 2099",
                            iso_seconds(begin), iso_seconds(end)));
    return false;
  }
  const Duration shift = filter.trace_start ? s.start - *filter.trace_start : Duration{};
  const Time limit = s.start + s.limit;
  if (begin + shift > s.start) {
    file.reject(fmt::format("found a trace that begins at {}, expected prices from the start, {}{}",
                            iso_seconds(begin + shift), iso_seconds(s.start),
                            moved(begin, end, filter, s)));
  }
  if (end + shift < limit) {
    file.reject(
        fmt::format("found a trace that ends at {}, expected prices until the run's limit, {}{}",
                    iso_seconds(end + shift), iso_seconds(limit), moved(begin, end, filter, s)));
  }
  return true;
}

// Reads a trace of prices. `seen` receives all pools of the trace, also those that the market does
// not take.
void read_trace(const Value& entry, const MarketFilter& filter, std::set<market::Pool>& seen,
                Scenario& s) {
  const auto text = entry.text("a trace file such as traces/us-west-2-gpu.json");
  if (!text) return;
  const std::filesystem::path file = beside(s, *text);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    const bool folder = std::filesystem::is_directory(file, ignored);
    return entry.fail(folder ? "a trace file, but this is a folder: name the files in it"
                             : "a trace file, but there is no " + file.string());
  }
  try {
    const auto [trace, warnings] = traces::read_prices(file);
    s.warnings.insert(s.warnings.end(), warnings.begin(), warnings.end());
    for (const auto& [pool, points] : trace.pools) seen.insert(pool);
    if (!window_is_known(entry.errors()) || !check_covers(trace, s, filter, entry)) return;
    for (const auto& [pool, points] : trace.pools) {
      if (!pool.availability_zone.starts_with(s.cloud.region)) continue;
      if (!filter.instance_types.empty() && !filter.instance_types.count(pool.instance_type)) {
        continue;
      }
      std::vector<market::PricePoint> kept = onto_run(points, s, filter);
      if (kept.empty()) continue;
      if (!s.prices.pools.emplace(pool, std::move(kept)).second) {
        entry.reject("two traces have prices of " + to_string(pool));
      }
    }
  } catch (const traces::TraceError& error) {
    entry.reject(error.what());
  }
}

void read_prices(const Value& list, const MarketFilter& filter, Scenario& s) {
  const std::vector<Value> files = list.list("a list of trace files");
  if (list.is_list() && files.empty())
    return list.reject("found an empty list, expected at least one trace file");
  std::set<market::Pool> seen;
  for (const Value& file : files) read_trace(file, filter, seen, s);
  const Errors& errors = list.errors();
  if (!s.prices.pools.empty() || !window_is_known(errors) || errors.about(list.key())) return;
  list.reject(fmt::format(
      "found prices of {}, expected prices in the region {}{}", in_words(seen), s.cloud.region,
      filter.instance_types.empty()
          ? ""
          : fmt::format(" of {} (instance_types)", fmt::join(filter.instance_types, ", "))));
}

void read_capacity(const Value& entry, Scenario& s) {
  Fields fields(entry);
  CapacityChange step;
  const auto pool = fields.require("pool", "a pool such as p3.2xlarge/us-west-2b");
  const auto parsed = pool ? pool->pool(*s.instance_types) : std::nullopt;
  if (const auto v = fields.take("at")) step.after = v->duration().value_or(Duration{});
  if (const auto v = fields.take("reclaim")) step.reclaim = v->flag().value_or(false);
  const auto slots = fields.require("slots", "a whole number of instances");
  const auto count = slots ? slots->integer(0, kMostSlots) : std::nullopt;
  fields.finish();
  if (!parsed || !count) return;
  step.pool = *parsed, step.slots = static_cast<int>(*count);
  require_prices(*pool, step.pool, s);
  s.capacity.push_back(step);
}

void read_on_demand(const Value& entry, Scenario& s) {
  Fields fields(entry);
  CapacityChange step;
  const auto pool = fields.require("pool", "a pool such as p3.2xlarge/us-west-2b");
  const auto parsed = pool ? pool->pool(*s.instance_types) : std::nullopt;
  if (const auto v = fields.take("at")) step.after = v->duration().value_or(Duration{});
  const auto slots = fields.require("slots", "a whole number of instances");
  const auto count = slots ? slots->integer(0, kMostSlots) : std::nullopt;
  fields.finish();
  if (!parsed || !count) return;
  step.pool = *parsed, step.slots = static_cast<int>(*count);
  s.on_demand_capacity.push_back(step);
}

void read_quotas(const Value& block, Scenario& s) {
  Fields fields(block);
  for (const auto& [key, quota] : {std::pair{"spot_vcpus", &s.quotas.spot_vcpus},
                                   std::pair{"spot_requests", &s.quotas.spot_requests},
                                   std::pair{"on_demand_vcpus", &s.quotas.on_demand_vcpus}})
    if (const auto v = fields.take(key))
      *quota = static_cast<int>(v->integer(0, kMostSlots).value_or(0));
  fields.finish();
}

void read_market(const Value& block, Scenario& s) {
  Fields fields(block);
  MarketFilter filter;
  if (const auto v = fields.take("instance_types")) {
    for (const Value& type : v->list("a list of instance types")) {
      if (const auto name = type.instance_type(*s.instance_types))
        filter.instance_types.insert(*name);
    }
  }
  if (const auto v = fields.take("trace_start")) filter.trace_start = v->time();
  if (const auto v = fields.require("prices", "a list of trace files")) read_prices(*v, filter, s);
  if (const auto v = fields.take("capacity")) {
    for (const Value& entry : v->list("a list such as [{pool: …, slots: 0}]")) {
      read_capacity(entry, s);
    }
  }
  if (const auto v = fields.take("on_demand")) {
    for (const Value& entry : v->list("a list such as [{pool: …, slots: 0}]"))
      read_on_demand(entry, s);
  }
  if (const auto v = fields.take("quotas")) read_quotas(*v, s);
  if (const auto v = fields.take("availability")) {
    for (const Value& entry : v->list("a list such as [{file: …, instance_type: p3.2xlarge}]")) {
      read_availability(entry, s);
    }
  }
  fields.finish();
}

void read_instance_type_file(const Value& value, Scenario& s) {
  const auto path = value.text("a file of instance types (CSV)");
  if (!path) return;
  try {
    s.instance_types = market::instance_types_with(beside(s, *path));
  } catch (const market::InstanceTypeError& error) {
    value.reject(error.what());
  }
}

void read_zones(const Value& block, Scenario& s) {
  for (const Value& entry : block.list("a list of Availability Zones")) {
    const auto zone = entry.text("an Availability Zone");
    if (!zone) continue;
    const bool ours = zone->size() == s.cloud.region.size() + 1 &&
                      zone->starts_with(s.cloud.region) && zone->back() >= 'a' &&
                      zone->back() <= 'z';
    if (!ours) {
      entry.fail(fmt::format("a zone of {0}, such as {0}a", s.cloud.region));
    } else if (std::count(s.cloud.availability_zones.begin(), s.cloud.availability_zones.end(),
                          *zone)) {
      entry.fail("each zone once");
    } else {
      s.cloud.availability_zones.push_back(*zone);
    }
  }
}

// Reads names of resources that exist in the account before any launch.
std::vector<std::string> read_names(const Value& block, const char* list, const char* one) {
  std::vector<std::string> names;
  for (const Value& entry : block.list(list))
    if (const auto name = entry.text(one)) names.push_back(*name);
  return names;
}

// Zones and market of a region. Without a list of zones, it has those with prices.
void read_zones_and_market(Fields& fields, const std::optional<Value>& zones, Scenario& s) {
  const auto market = fields.require("market", "a mapping with prices");
  if (market) read_market(*market, s);
  if (!zones) {
    std::set<std::string> found;
    for (const auto& [pool, points] : s.prices.pools) found.insert(pool.availability_zone);
    s.cloud.availability_zones.assign(found.begin(), found.end());
  }
  std::sort(s.cloud.availability_zones.begin(), s.cloud.availability_zones.end());
}

bool has_region(const Scenario& s, const std::string& name) {
  return s.cloud.region == name ||
         std::ranges::any_of(s.further_regions,
                             [&](const Region& region) { return region.cloud.region == name; });
}

// Reads a further region like the first one of a scenario. Whatever it does not state is as in the
// first one.
void read_further_region(const Value& block, Scenario& s) {
  Scenario there;
  there.file = s.file;
  there.start = s.start, there.limit = s.limit;
  there.instance_types = s.instance_types;
  there.cloud = s.cloud;
  there.cloud.availability_zones.clear();
  Fields fields(block);
  if (const auto v = fields.require("region", "a region such as us-east-1")) {
    there.cloud.region = v->name().value_or("");
    if (!market::is_region(there.cloud.region))
      v->fail("a region such as us-east-1");
    else if (has_region(s, there.cloud.region))
      v->fail("each region once");
  }
  const auto zones = fields.take("availability_zones");
  if (zones) read_zones(*zones, there);
  if (const auto v = fields.take("prices")) read_bill_prices(*v, there.cloud.prices);
  read_zones_and_market(fields, zones, there);
  if (const auto v = fields.take("interruptions")) read_interruptions(*v, there);
  if (const auto v = fields.take("faults")) read_faults(*v, there);
  fields.finish();
  s.inputs.merge(there.inputs);
  s.warnings.insert(s.warnings.end(), there.warnings.begin(), there.warnings.end());
  s.further_regions.push_back(std::move(static_cast<Region&>(there)));
}

}  // namespace

std::filesystem::path beside(Scenario& s, const std::string& path) {
  s.inputs.insert(path);
  return (s.file.parent_path() / path).lexically_normal();
}

void read_world(Fields& fields, Scenario& s) {
  if (const auto v = fields.take("region")) {
    s.cloud.region = v->name().value_or(s.cloud.region);
  }
  const auto zones = fields.take("availability_zones");
  if (zones) read_zones(*zones, s);
  if (const auto v = fields.take("key_pairs"))
    s.cloud.key_pairs = read_names(*v, "a list of key pairs", "a key pair's name");
  if (const auto v = fields.take("security_groups"))
    s.cloud.security_groups =
        read_names(*v, "a list of security groups", "a security group's ID or name");
  read_knobs(fields, s);
  if (const auto v = fields.take("instance_type_file")) read_instance_type_file(*v, s);
  read_zones_and_market(fields, zones, s);
  if (const auto v = fields.take("regions"))
    for (const Value& entry : v->list("a list such as [{region: us-east-1, market: …}]"))
      read_further_region(entry, s);
  if (const auto v = fields.take("iam")) read_iam(*v, s);
  if (const auto v = fields.take("interruptions")) read_interruptions(*v, s);
  if (const auto v = fields.take("faults")) read_faults(*v, s);
  if (const auto v = fields.take("swarm")) read_swarm(*v, s);
}

}  // namespace sim::scenario
