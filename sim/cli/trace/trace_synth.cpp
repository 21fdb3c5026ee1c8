#include "sim/cli/trace/trace_synth.h"

#include <fmt/format.h>

#include "sim/market/instance_types.h"
#include "sim/traces/trace_fields.h"

namespace sim::cli {
namespace {

using traces::TraceError;

// Parses a pool with a known type, in the form that scenarios use.
PoolOption pool_option(const std::string& text, const market::InstanceTypes& types) {
  const std::string_view view = text;
  const std::size_t slash = view.find('/'), equals = view.find('=');
  if (slash == view.npos || equals == view.npos || slash > equals ||
      !market::is_instance_type(view.substr(0, slash)) ||
      !market::is_zone(view.substr(slash + 1, equals - slash - 1))) {
    throw TraceError(
        fmt::format("--pool {}: expected TYPE/AZ=PRICE or TYPE/AZ=UP:DOWN such as "
                    "p3.2xlarge/us-west-2b=0.93 or p3.2xlarge/us-west-2b=5h:2h",
                    text));
  }
  const std::string type = text.substr(0, slash);
  if (!types.contains(type)) {
    throw TraceError(fmt::format("--pool {}: found \"{}\", expected {}", text, type,
                                 market::expected_instance_type(types, type)));
  }
  return {{type, text.substr(slash + 1, equals - slash - 1)}, view.substr(equals + 1), text};
}

std::shared_ptr<const market::InstanceTypes> types_for(const SynthTrace& command) {
  if (command.instance_type_file.empty()) return market::instance_types();
  try {
    return market::instance_types_with(command.instance_type_file);
  } catch (const market::InstanceTypeError& error) {
    throw TraceError(error.what());
  }
}

// True for an option of availability: it has durations with units, and prices have none.
bool is_availability(const PoolOption& option) {
  return option.value.find_first_of("smhd") != std::string_view::npos;
}

}  // namespace

std::pair<Time, Time> span_options(const SynthTrace& command, Time from, Time to) {
  if (!command.from.empty()) from = time_option("--from", command.from);
  if (!command.to.empty()) to = time_option("--to", command.to);
  from = std::chrono::floor<std::chrono::seconds>(from);
  to = std::chrono::floor<std::chrono::seconds>(to);
  if (from >= to) throw TraceError("--to: expected a time after --from");
  if (from < traces::kEarliestTime || to > traces::kLatestTime)
    throw TraceError("--from, --to: expected " + std::string(traces::kExpectedTimes));
  return {from, to};
}

void synth_trace(const SynthTrace& command) {
  if (!command.input.files.empty()) {
    return std::visit([&](const auto& source) { synth_like(source, command); },
                      read_traces(command.input).content);
  }
  if (command.input.pools.empty() || command.from.empty() || command.to.empty())
    throw TraceError("expected traces to fit, or --pool, --from and --to");
  const auto types = types_for(command);
  std::vector<PoolOption> pools;
  for (const std::string& text : command.input.pools) {
    pools.push_back(pool_option(text, *types));
    for (std::size_t i = 0; i + 1 < pools.size(); ++i)
      if (pools[i].pool == pools.back().pool)
        throw TraceError("--pool " + text + ": found the pool twice, expected each once");
    if (is_availability(pools.back()) != is_availability(pools.front()))
      throw TraceError("--pool " + text + ": expected all prices or all times up and down");
  }
  is_availability(pools.front()) ? synth_availability(command, pools)
                                 : synth_prices(command, pools);
}

}  // namespace sim::cli
