#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "sim/cli/trace/trace_commands.h"
#include "sim/ticks/windows.h"
#include "sim/traces/availability_formats.h"

namespace sim::cli {
namespace {

using traces::AvailabilityTrace;
using traces::TraceError;
using traces::TraceFile;

// A window as a line of bits: 1 means unavailable, as in the windows of "Can't Be Late".
std::string line_of(const ticks::Window& window) {
  std::string line;
  for (const auto instances : window.pools.pools.front().spot.available)
    line += instances > 0 ? '0' : '1';
  return line + "\n";
}

// The index beside the windows. An existing index must be equal, except for the starts, which a
// folder with several sets of windows does not have.
TraceFile index_of(const std::vector<std::string>& markets, Duration tick,
                   const std::vector<std::int64_t>& starts, const std::filesystem::path& windows) {
  const auto path = windows.parent_path() / traces::kWindowsIndex;
  nlohmann::ordered_json index = {
      {"zones_in_order", markets}, {"gap_seconds", tick / 1s}, {"polarity", "1 is unavailable"}};
  if (!starts.empty()) index[traces::kWindowStarts] = starts;
  const auto text = [&] { return index.dump() + "\n"; };
  if (!std::filesystem::exists(path)) return {path, text()};
  const std::string there = traces::load_trace_file(path).text;
  if (there == text()) return {path, there};
  auto other = nlohmann::ordered_json::parse(there, nullptr, false);
  for (auto* json : {&index, &other})
    if (json->is_object()) json->erase(traces::kWindowStarts);
  if (other != index)
    throw TraceError(path.string() + ": found the index of other windows, expected no such file");
  return {path, text()};
}

// The ticks at which each market's windows start. Empty if markets differ, because their traces
// have different lengths.
std::vector<std::int64_t> common_starts(const std::vector<ticks::Window>& windows,
                                        const ticks::Cut& cut) {
  const auto each = static_cast<std::size_t>(cut.count);
  std::vector<std::int64_t> starts;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::int64_t start = windows[i].place.from / cut.tick;
    if (i < each)
      starts.push_back(start);
    else if (starts[i % each] != start)
      return {};
  }
  return starts;
}

}  // namespace

void trace_windows(const TraceWindows& command) {
  const Traces traces = read_traces(command.input);
  const auto* trace = std::get_if<AvailabilityTrace>(&traces.content);
  if (!trace) throw TraceError("found prices, expected availability to cut windows from");
  const ticks::Cut cut{.tick = duration_option("--tick", command.tick),
                       .instances = command.instances,
                       .length = duration_option("--length", command.length),
                       .count = command.count,
                       .seed = command.seed};
  if (cut.length < cut.tick) throw TraceError("--length: expected at least a tick");
  for (const auto& [pool, series] : trace->pools) {
    if (pool.instance_type.find('#') != std::string::npos)
      throw TraceError(to_string(pool) + ": is already a window, expected a complete trace");
    if (series.end - series.steps.front().at < cut.length)
      throw TraceError(to_string(pool) + ": is shorter than --length " + command.length);
  }
  std::vector<std::string> markets;
  std::string text;
  const std::vector<ticks::Window> windows = ticks::cut(*trace, cut);
  for (const ticks::Window& window : windows) {
    if (markets.empty() || markets.back() != window.market) markets.push_back(window.market);
    text += line_of(window);
  }
  const TraceFile index = index_of(markets, cut.tick, common_starts(windows, cut), command.out);
  traces::write_trace_files(std::array{TraceFile{command.out, text}, index});
}

}  // namespace sim::cli
