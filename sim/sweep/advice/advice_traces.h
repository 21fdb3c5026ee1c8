// Reads the trace of a job for advise: its zones, with prices.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/yaml_fields.h"
#include "sim/traces/availability.h"

namespace sim::sweep {

struct ZonesOfFile {
  traces::AvailabilityTrace pools;
  std::string format;
  std::vector<std::string> odd{};  // warnings of the files' readers
};

// Reads `trace: text`, `prices` and `zones` of the file, and keeps the pools of this type. Paths
// are relative to `folder`. Throws TraceError or std::filesystem::filesystem_error.
ZonesOfFile read_zones(const scenario::Value& trace, const std::string& text,
                       scenario::Fields& fields, const std::filesystem::path& folder,
                       const std::string& type, scenario::Errors& warnings);

}  // namespace sim::sweep
