#include "sim/cli/trace/trace_input.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <set>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/traces/availability.h"
#include "sim/traces/built_in.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {
namespace {

using market::PriceHistory;
using traces::AvailabilityTrace;
using traces::TraceError;

bool asked_for(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

void add(AvailabilityTrace& all, const AvailabilityTrace& more, const std::filesystem::path& file) {
  for (const auto& [pool, series] : more.pools)
    if (!all.pools.emplace(pool, series).second)
      throw TraceError(file.string() + ": " + to_string(pool) + " is also in an earlier file");
}

std::vector<std::filesystem::path> files_of(const TraceInput& input) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& each : input.files) {
    const auto more = traces::trace_files(traces::trace_named(each.string(), {}));
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

// Throws for a name that the traces do not have; the message lists the names that they have.
void check_names(const char* option, const std::vector<std::string>& wanted,
                 const std::set<std::string>& there) {
  constexpr std::size_t kMostZones = 12;
  for (const std::string& name : wanted) {
    if (there.contains(name)) continue;
    const std::vector<std::string> some(
        there.begin(), std::next(there.begin(), std::min(kMostZones, there.size())));
    throw TraceError(fmt::format("{}: found no \"{}\", expected one of {}{}", option, name,
                                 fmt::join(some, ", "), there.size() > kMostZones ? " …" : ""));
  }
}

void check_selection(const TraceInput& input, const std::set<market::Pool>& pools) {
  std::set<std::string> names, types, zones;
  for (const market::Pool& pool : pools) {
    names.insert(to_string(pool));
    types.insert(pool.instance_type);
    zones.insert(pool.availability_zone);
  }
  check_names("--pool", input.pools, names);
  check_names("--type", input.types, types);
  check_names("--zone", input.zones, zones);
}

}  // namespace

void add_trace_input(CLI::App& app, TraceInput& input) {
  app.add_option("FILE", input.files,
                 "traces of any supported format, folders of them, or names (`trace list`)");
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* what) {
    app.add_option(name, values, what)->allow_extra_args(false)->delimiter(',');
  };
  list("--pool", input.pools, "only these pools, TYPE/AZ as `inspect` prints them");
  list("--type", input.types, "only these instance types");
  list("--zone", input.zones, "only these Availability Zones");
}

bool selects(const TraceInput& input, const market::Pool& pool) {
  return asked_for(input.pools, to_string(pool)) && asked_for(input.types, pool.instance_type) &&
         asked_for(input.zones, pool.availability_zone);
}

Traces read_traces(const TraceInput& input) {
  if (input.files.empty()) throw TraceError("FILE: found none, expected a trace's path");
  Traces all;
  PriceHistory prices;
  AvailabilityTrace availability;
  for (const std::filesystem::path& file : files_of(input)) {
    traces::Trace trace = traces::read_trace(file);
    for (const std::string& warning : trace.warnings) say(Style::kWarning, warning);
    if (const auto* history = std::get_if<PriceHistory>(&trace.content))
      merge(prices, *history);
    else
      add(availability, std::get<AvailabilityTrace>(trace.content), file);
    all.sources.push_back({file, trace.format, trace.meaning});
  }
  if (!availability.pools.empty() && !prices.pools.empty())
    traces::join_prices(availability, prices);
  if (availability.pools.empty())
    all.content = std::move(prices);
  else
    all.content = std::move(availability);
  std::visit(
      [&](auto& content) {
        std::set<market::Pool> pools;
        for (const auto& entry : content.pools) pools.insert(entry.first);
        check_selection(input, pools);
        std::erase_if(content.pools,
                      [&](const auto& entry) { return !selects(input, entry.first); });
        if (content.pools.empty())
          throw TraceError(
              "no pools are left: each of --pool, --type and --zone matches some, but no pool "
              "matches all");
      },
      all.content);
  return all;
}

Time time_option(const std::string& option, const std::string& value) {
  const auto time = parse_time(value);
  if (time) return *time;
  throw TraceError(
      fmt::format("{}: found \"{}\", expected a time such as 2019-11-05T10:00:00Z", option, value));
}

Duration duration_option(const std::string& option, const std::string& value) {
  const auto duration = parse_duration(value);
  if (duration && *duration >= 1s && *duration <= 366 * 24h && *duration % 1s == 0s)
    return *duration;
  throw TraceError(fmt::format(
      "{}: found \"{}\", expected whole seconds from 1s to a year, such as 10m", option, value));
}

}  // namespace sim::cli
