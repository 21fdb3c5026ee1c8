#include "sim/report/report.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <string>

#include "sim/report/run_report.h"
#include "sim/report/sweep_report.h"

namespace sim::report {
namespace {

namespace fs = std::filesystem;

Json read(const fs::path& file, const char* kind) {
  std::ifstream in(file);
  Json json = Json::parse(in, nullptr, false);
  if (!json.is_object() || json.value("kind", "") != kind)
    throw std::runtime_error(fmt::format(
        "{}: found another file, expected what this version of `spotsim {}` writes: run it again",
        file.string(), std::string_view(kind) == "advice" ? "advise" : kind));
  return json;
}

Json advice_report(const fs::path& folder) { return read(folder / "advice.json", "advice"); }

// The findings of an exploration. `run` is the report of its run without a fault.
Json explore_report(const fs::path& folder) {
  Json json = read(folder / "explore.json", "explore");
  json["run"] = run_report(folder / json.at("fault_free").get<std::string>());
  return json;
}

struct Kind {
  const char* file;  // a folder with this file is of this kind
  Json (*report)(const fs::path& folder);
};
// A folder without any of these files is a run.
constexpr Kind kKinds[] = {
    {"results.db", sweep_report}, {"explore.json", explore_report}, {"advice.json", advice_report}};

}  // namespace

Json report_of(const fs::path& folder) {
  for (const Kind& kind : kKinds)
    if (fs::exists(folder / kind.file)) return kind.report(folder);
  return run_report(folder);
}

}  // namespace sim::report
