#include "sim/cli/run/run_files.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/files/text_file.h"

namespace sim::cli {

namespace fs = std::filesystem;

namespace {

// The folder with spotrun and spottrain: beside spotsim's own binary, as the build and the
// installation put them.
fs::path programs_folder() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* program : {"spotrun", "spottrain"}) {
    if (!fs::exists(folder / program)) {
      throw std::runtime_error("found no " + (folder / program).string() +
                               ", expected spotrun and spottrain next to spotsim");
    }
  }
  return folder;
}

}  // namespace

fs::path output_of(const RunCommand& command, const scenario::Scenario& scenario,
                   std::uint64_t seed) {
  const std::string own = fmt::format("{}-seed{}", scenario.name, seed);
  if (!command.out) return fs::path("out") / own;
  return command.scenarios.size() == 1 && command.seeds.empty() ? *command.out : *command.out / own;
}

std::string reproduce(const RunCommand& command, const scenario::Scenario& scenario,
                      std::uint64_t seed) {
  return fmt::format("spotsim run {}{} --seed {}{}{}", scenario.given_as.string(),
                     scenario::as_arguments(scenario::parse_overrides(command.set)), seed,
                     command.guest ? " --guest " + std::string(scenario::name(*command.guest)) : "",
                     command.level ? " --level " + std::string(guest::name(*command.level)) : "");
}

std::string replay(const RunCommand& command, const scenario::Scenario& scenario,
                   std::uint64_t seed, const fs::path& output) {
  return fmt::format("{} --out {}-again --check-against {}/events.jsonl",
                     reproduce(command, scenario, seed), output.string(), output.string());
}

void write_command(const fs::path& file, const RunCommand& command,
                   const scenario::Scenario& scenario, std::uint64_t seed) {
  base::write_text_file(file, reproduce(command, scenario, seed) + "\n");
}

fs::path programs_of(const RunCommand& command, const scenario::Scenario& scenario) {
  const bool fibers = command.guest.value_or(scenario.guest.kind) == scenario::GuestKind::kFiber;
  return fibers ? fs::path() : programs_folder();
}

}  // namespace sim::cli
