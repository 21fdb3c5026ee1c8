// agree SWEEP…: compares the policies of sweeps with the transcriptions of their papers'
// simulators, window by window (docs/notes/agreement.md). Exit status: 1 for a difference, 2 for
// bad input.
#include <fmt/format.h>

#include <filesystem>
#include <span>

#include "base/process/standard_output.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/file/sweep_file.h"
#include "tests/agreement/agreement.h"

namespace sim::agreement {
namespace {

std::vector<Agreement> agreements_of(const std::filesystem::path& file) {
  const sweep::SweepFile sweep = sweep::read_sweep(file);
  const auto* policies = dynamic_cast<const TickSweep*>(sweep.sweep.get());
  auto rows = policies ? agreements(policies->plan()) : std::vector<Agreement>{};
  if (rows.empty())
    throw scenario::ScenarioError(
        {file.string() + ":1:1: policies: found none that there is anything to compare with, "
                         "expected some of docs/notes/agreement.md"});
  return rows;
}

void print_row(const Agreement& row) {
  const std::string published = row.published_usd ? fmt::format("{:.2f}", *row.published_usd) : "";
  fmt::print("  {:<31} {:>7} {:>7} {:>12.6f} {:>10.2f} {:>11}  {}\n", row.policy, row.windows,
             row.equal, row.largest_usd, row.mean_usd, published, row.agrees() ? "" : "differs");
}

// Returns false if something differs.
bool print_agreements(const std::filesystem::path& file) {
  std::string setting;
  bool all = true;
  for (const Agreement& row : agreements_of(file)) {
    if (row.setting != setting)
      fmt::print("\n{}\n{}\n  {:<31} {:>7} {:>7} {:>12} {:>10} {:>11}\n", file.filename().string(),
                 row.setting, "policy", "windows", "equal", "largest $", "mean $", "published $");
    setting = row.setting;
    print_row(row);
    all &= row.agrees();
  }
  return all;
}

int agree(std::span<char*> sweeps) {
  if (sweeps.empty()) {
    fmt::print(stderr, "usage: agree SWEEP... (such as scenarios/sweeps/cant-be-late.yaml)\n");
    return 2;
  }
  int exit_code = 0;
  for (const char* file : sweeps) {
    try {
      if (!print_agreements(file)) exit_code = std::max(exit_code, 1);
    } catch (const std::runtime_error& error) {  // ScenarioError, PolicyFailed
      fmt::print(stderr, "agree: {}\n", error.what());
      exit_code = 2;
    }
  }
  return exit_code;
}

}  // namespace
}  // namespace sim::agreement

int main(int argc, char** argv) {
  return base::with_standard_output(
      "agree", [&] { return sim::agreement::agree(std::span(argv, argc).subspan(1)); });
}
