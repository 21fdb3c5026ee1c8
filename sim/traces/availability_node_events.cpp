// Nodes that came and went: Bamboo's `ms,add|remove,nodeN` (Thorpe et al., NSDI'23) and Parcae's
// lines of JSON, [ms, "add"|"remove"|"no-op"|"migration", {"nodes": […]}] (Duan et al., NSDI'24).
#include <nlohmann/json.hpp>
#include <set>

#include "sim/traces/availability_formats.h"
#include "sim/traces/csv.h"

namespace sim::traces {
namespace {

constexpr std::string_view kExpectedMs = "milliseconds since the start, such as 480000";

// The nodes that are up, and the series of their number.
struct Nodes {
  std::set<std::string, std::less<>> up;
  CapacitySeries series;

  // Applies a change. Returns an empty text if the change is valid, else the expected change.
  std::string_view change(std::string_view node, bool comes) {
    if (comes) return up.emplace(node).second ? "" : "a node that is not there already";
    const auto found = up.find(node);
    if (found == up.end()) return "a node that was added before";
    up.erase(found);
    return "";
  }
  void count(Time at) { series.steps.push_back({at, static_cast<std::int64_t>(up.size())}); }
};

bool later_field_is_event(std::string_view text) {
  const std::string_view line = first_line(text);
  return line.find(",add,") != line.npos || line.find(",remove,") != line.npos;
}

AvailabilityTrace read_csv_events(const TraceFile& file) {
  Nodes nodes;
  Time last{};
  read_rows(file, 3, "ms,add|remove,node", [&](std::size_t line, auto fields) {
    const auto at = parse_offset(fields[0], 1ms);
    if (!at || *at < last) fail_at_line(file, line, "ms", fields[0], kExpectedMs);
    if (fields[1] != "add" && fields[1] != "remove")
      fail_at_line(file, line, "event", fields[1], "add or remove");
    const std::string_view expected = nodes.change(fields[2], fields[1] == "add");
    if (!expected.empty()) fail_at_line(file, line, "node", fields[2], expected);
    last = *at;
    nodes.count(*at);
  });
  return {{{pool_of_trace_name(file.path), std::move(nodes.series)}}};
}

AvailabilityTrace read_json_events(const TraceFile& file) {
  using nlohmann::json;
  constexpr std::string_view kExpected = R"([60000, "add", {"nodes": ["node-7"], …}])";
  Nodes nodes;
  Time last{};
  std::size_t number = 0;
  for (std::string_view rest = file.text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    ++number;
    if (line.find_first_not_of(" \r\t") == line.npos) continue;
    const json event = json::parse(std::string(line), nullptr, false);
    const bool shaped = event.is_array() && event.size() == 3 && event[0].is_number_integer() &&
                        event[1].is_string() && event[2].is_object() &&
                        event[2].contains("nodes") && event[2]["nodes"].is_array();
    if (!shaped) fail_at_line(file, number, "event", line, kExpected);
    const auto at = parse_offset(event[0].dump(), 1ms);
    if (!at || *at < last) fail_at_line(file, number, "ms", event[0].dump(), kExpectedMs);
    const std::string& kind = event[1].get_ref<const std::string&>();
    for (const json& node : event[2]["nodes"]) {
      if (!node.is_string()) fail_at_line(file, number, "node", line, kExpected);
      if (kind != "add" && kind != "remove") continue;
      const std::string& name = node.get_ref<const std::string&>();
      const std::string_view expected = nodes.change(name, kind == "add");
      if (!expected.empty()) fail_at_line(file, number, "node", name, expected);
    }
    last = *at;
    nodes.count(*at);
  }
  return {{{pool_of_trace_name(file.path), std::move(nodes.series)}}};
}

// Each line is an array that begins with a time. An array of objects is a list of prices.
bool begins_with_array_of_values(std::string_view text) {
  const std::string_view line = first_line(text);
  if (!line.starts_with("[")) return false;
  const std::size_t value = line.find_first_not_of(" \t\r", 1);
  return value != line.npos && line[value] != '{';
}

}  // namespace

const AvailabilityFormat kNodeEvents{"node-events", "480000,add,node1 (milliseconds)",
                                     Polarity::kInstancesAvailable, later_field_is_event,
                                     read_csv_events};

const AvailabilityFormat kNodeEventsJson{
    "node-events-json", R"([60000, "add", {"nodes": ["node-7"], …}] (milliseconds), one a line)",
    Polarity::kInstancesAvailable, begins_with_array_of_values, read_json_events};

}  // namespace sim::traces
