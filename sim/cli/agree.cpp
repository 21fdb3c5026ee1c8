#include <fmt/format.h>

#include <filesystem>

#include "sim/cli/commands.h"
#include "sim/cli/terminal_style.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/agreement.h"
#include "sim/sweep/sweep_file.h"

namespace sim::cli {
namespace {

using sweep::Agreement;

std::vector<Agreement> agreements_of(const std::filesystem::path& file) {
  const run::SweepFile sweep = run::read_sweep(file);
  const auto* policies = dynamic_cast<const sweep::TickSweep*>(sweep.sweep.get());
  auto rows = policies ? sweep::agreements(policies->plan()) : std::vector<Agreement>{};
  if (rows.empty())
    throw run::ScenarioError({file.string() +
                              ":1:1: policies: found none that there is anything to compare with, "
                              "expected some of docs/agreement.md"});
  return rows;
}

bool print_agreement(const Agreement& row, const Styler& style) {
  const std::string published = row.published_usd ? fmt::format("{:.2f}", *row.published_usd) : "";
  const std::string line =
      fmt::format("  {:<31} {:>7} {:>7} {:>12.6f} {:>10.2f} {:>11}", row.policy, row.windows,
                  row.equal, row.largest_usd, row.mean_usd, published);
  fmt::print("{}  {}\n", line, row.agrees() ? "" : style(Style::kError, "differs"));
  return row.agrees();
}

// False where something differs.
bool print_agreements(const std::filesystem::path& file) {
  const Styler style(stdout);
  std::string setting;
  bool all = true;
  for (const Agreement& row : agreements_of(file)) {
    if (row.setting != setting) {
      fmt::print("\n{}\n{}\n", file.filename().string(), row.setting);
      print_heading(fmt::format("  {:<31} {:>7} {:>7} {:>12} {:>10} {:>11}\n", "policy", "windows",
                                "equal", "largest $", "mean $", "published $"));
    }
    setting = row.setting;
    all &= print_agreement(row, style);
  }
  return all;
}

}  // namespace

void add_agree_command(CLI::App& app, int& exit_code) {
  CLI::App* agree = app.add_subcommand(
      "agree",
      "Compare policies with their papers' simulators, window by window: exit 1 where they "
      "differ (docs/agreement.md)");
  auto sweeps = std::make_shared<std::vector<std::filesystem::path>>();
  agree
      ->add_option("SWEEP", *sweeps,
                   "sweeps of policies, such as scenarios/sweeps/cant-be-late.yaml and "
                   "scenarios/sweeps/skynomad*.yaml")
      ->required();
  agree->callback([sweeps, &exit_code] {
    for (const std::filesystem::path& file : *sweeps) {
      try {
        if (!print_agreements(file)) exit_code = std::max(exit_code, 1);
      } catch (const std::runtime_error& error) {  // ScenarioError, PolicyFailed
        say(Style::kError, error.what());
        exit_code = 2;
      }
    }
  });
}

}  // namespace sim::cli
