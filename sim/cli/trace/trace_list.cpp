#include <fmt/format.h>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/cli/terminal/text_columns.h"
#include "sim/cli/trace/trace_commands.h"
#include "sim/events/event.h"
#include "sim/traces/built_in.h"

namespace sim::cli {
namespace {

Json listed_as_json() {
  Json list = Json::array();
  for (const traces::BuiltInTrace& trace : traces::built_in_traces())
    list.push_back({{"name", trace.name},
                    {"pools", trace.pools},
                    {"time", trace.time},
                    {"content", trace.content},
                    {"source", trace.source},
                    {"path", (traces::built_in_folder() / trace.path).string()}});
  return list;
}

}  // namespace

void list_traces(const ListTraces& command) {
  if (command.json) return fmt::print("{}\n", listed_as_json().dump(2));
  std::vector<std::vector<std::string>> rows;
  for (const traces::BuiltInTrace& trace : traces::built_in_traces())
    rows.push_back({std::string(trace.name), std::string(trace.content), std::string(trace.time),
                    fmt::format("{}; {}{}", trace.pools, trace.source,
                                trace.for_advice ? "" : "; for sweeps")});
  for (const std::string& line : aligned(rows, {{}, {}, {}, {}})) fmt::print("{}\n", line);
  fmt::print(
      "\nA name stands for a trace's path: `trace: {0}` in a job for `spotsim advise`, `spotsim "
      "trace"
      " inspect {0}`.\nAWS's prices of the last 90 days:\n  {1}\n",
      traces::built_in_traces().front().name, traces::price_history_command("p3.2xlarge"));
}

}  // namespace sim::cli
