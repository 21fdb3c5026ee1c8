#include "sim/sweep/advice/advice_traces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "sim/market/instance_types.h"
#include "sim/sweep/file/sweep_file_parts.h"
#include "sim/ticks/windows.h"
#include "sim/traces/built_in.h"
#include "sim/traces/trace.h"
#include "sim/traces/trace_file.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

// Throws TraceError.
void read_file(const fs::path& file, ZonesOfFile& zones) {
  traces::Trace trace = traces::read_trace(file);
  zones.format = trace.format;
  zones.odd.insert(zones.odd.end(), trace.warnings.begin(), trace.warnings.end());
  if (const auto* history = std::get_if<market::PriceHistory>(&trace.content))
    zones.pools.pools.merge(ticks::always_there(*history).pools);
  else
    zones.pools.pools.merge(std::get<traces::AvailabilityTrace>(trace.content).pools);
}

// Throws TraceError.
void join(ZonesOfFile& zones, const scenario::Value& prices, const fs::path& folder) {
  const auto text = prices.text("a price trace's path");
  if (!text) return;
  const traces::Trace trace = traces::read_trace(traces::trace_named(*text, folder));
  zones.odd.insert(zones.odd.end(), trace.warnings.begin(), trace.warnings.end());
  const auto* history = std::get_if<market::PriceHistory>(&trace.content);
  const bool has_prices = std::ranges::any_of(
      zones.pools.pools, [](const auto& entry) { return !entry.second.prices.empty(); });
  if (!history || has_prices)
    return prices.fail("a trace of prices, in addition to one of availability without prices");
  traces::join_prices(zones.pools, *history);
}

bool is_ec2_type(const market::Pool& pool) {
  return find_instance_type(*market::instance_types(), pool.instance_type) != nullptr;
}

// Keeps the pools of the job's type. If a trace names none of EC2's types, it keeps all.
void keep_type(traces::AvailabilityTrace& trace, const std::string& type,
               const scenario::Value& where) {
  std::set<std::string> types;
  for (const auto& [pool, series] : trace.pools)
    if (is_ec2_type(pool)) types.insert(pool.instance_type);
  if (types.empty()) return;
  if (!type.empty() && !types.contains(type))
    where.fail(fmt::format("a trace of {}; this one has {}", type, fmt::join(types, ", ")));
  std::erase_if(trace.pools, [&](const auto& entry) { return entry.first.instance_type != type; });
}

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// Warns if the pools have the name of a GPU (`v100_1`) that the job's type does not have, or a name
// that is not known. True in the first case.
bool warn_of_another_gpu(const traces::AvailabilityTrace& trace, const std::string& type,
                         const scenario::Value& where, scenario::Errors& warnings) {
  const auto types = market::instance_types();
  const market::InstanceType* const job = find_instance_type(*types, type);
  std::set<std::string> others, unknown;
  for (const auto& [pool, series] : trace.pools) {
    const std::string gpu = pool.instance_type.substr(0, pool.instance_type.find_first_of("_#"));
    const auto has_it = [&gpu](const market::InstanceType& one) {
      return in_small_letters(one.gpu).ends_with(" " + in_small_letters(gpu));
    };
    if (!job || is_ec2_type(pool) || has_it(*job)) continue;
    const bool known =
        std::ranges::any_of(*types, [&](const auto& entry) { return has_it(entry.second); });
    (known ? others : unknown).insert(gpu);
  }
  if (!unknown.empty())
    warnings.add(where.place(), "trace",
                 fmt::format("warning: found spot of {}, which is not a known instance type or "
                             "GPU; treated as spot of {}",
                             fmt::join(unknown, ", "), type));
  if (!others.empty())
    warnings.add(
        where.place(), "trace",
        fmt::format("warning: found spot of {}; {} has {}, whose capacity may differ",
                    fmt::join(others, ", "), type, job->gpu.empty() ? "no GPU" : job->gpu));
  return !others.empty();
}

// Another type's capacity may be used as an estimate, but its prices may not.
void forget_prices(traces::AvailabilityTrace& trace) {
  for (auto& [pool, series] : trace.pools) series.prices.clear();
}

void keep_zones(traces::AvailabilityTrace& trace, const scenario::Value& zones) {
  std::set<std::string> known, wanted;
  for (const auto& [pool, series] : trace.pools) known.insert(pool.availability_zone);
  for (const scenario::Value& value : one_or_more(zones)) {
    const auto zone = value.text("an Availability Zone");
    if (zone && !known.contains(*zone))
      value.fail(fmt::format("a zone of the trace: {}", fmt::join(known, ", ")));
    if (zone) wanted.insert(*zone);
  }
  std::erase_if(trace.pools,
                [&](const auto& entry) { return !wanted.contains(entry.first.availability_zone); });
}

}  // namespace

ZonesOfFile read_zones(const scenario::Value& trace, const std::string& text,
                       scenario::Fields& fields, const fs::path& folder, const std::string& type,
                       scenario::Errors& warnings) {
  const auto prices = fields.take("prices"), zones = fields.take("zones");
  ZonesOfFile found;
  for (const fs::path& file : traces::trace_files(traces::trace_named(text, folder)))
    read_file(file, found);
  if (prices) join(found, *prices, folder);
  keep_type(found.pools, type, trace);
  if (warn_of_another_gpu(found.pools, type, trace, warnings)) forget_prices(found.pools);
  if (zones) keep_zones(found.pools, *zones);
  return found;
}

}  // namespace sim::sweep
