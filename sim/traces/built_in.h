// The traces that come with spotsim, by name: `trace: skynomad-v100` in a job for `spotsim advise`,
// `spotsim trace inspect skynomad-v100`. `spotsim trace list` prints them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace sim::traces {

struct BuiltInTrace {
  std::string_view name;
  std::string_view path;     // below the folder scenarios/traces; a file or a folder
  std::string_view pools;    // "p3.2xlarge in nine zones of three regions"
  std::string_view time;     // "2023-02-15 to 2023-04-02"
  std::string_view content;  // "capacity, prices"
  std::string_view source;   // "recorded: SkyNomad"
  bool for_advice = true;    // false: it has more pools than `spotsim advise` compares
};

std::span<const BuiltInTrace> built_in_traces();

// The folder of the built-in traces: share/spotsim/scenarios/traces of an installation, or
// scenarios/traces of the checkout that built this program. Throws TraceError if there is neither.
std::filesystem::path built_in_folder();

// The file or folder that `text` names: the path below `folder`, or else a built-in trace's.
std::filesystem::path trace_named(const std::string& text, const std::filesystem::path& folder);

// The command that makes a price trace of this type from AWS's last 90 days (AWS CLI Command
// Reference, "describe-spot-price-history").
std::string price_history_command(std::string_view instance_type);

}  // namespace sim::traces
