#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "policies/checkpoint/policy.h"
#include "sim/guest/fiber/fiber_host.h"
#include "sim/guest/fiber/plain_script.h"
#include "sim/run/guests.h"
#include "sim/run/schedule.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;

guest::OperatorPlan plan_of(const scenario::Scenario& scenario) {
  try {
    return guest::plan_operator(scenario.operator_script, scenario.operator_folder);
  } catch (const guest::ScriptError& error) {
    throw RunError(fmt::format("{}:{}: operator.script: {}", scenario.operator_file,
                               scenario.operator_script_line + error.line - 1, error.what()));
  }
}

const guest::TrainerModel& trainer_of(const scenario::Scenario& scenario) {
  if (scenario.trainer) return *scenario.trainer;
  throw RunError(scenario.file.string() +
                 ": trainer: nothing, expected a mapping with steps, steps_per_epoch …, which the "
                 "fiber guest models the job's trainer by");
}

void check_one_region(const scenario::Scenario& scenario) {
  if (scenario.further_regions.empty()) return;
  throw RunError(scenario.file.string() + ": regions: found " +
                 scenario.further_regions.front().cloud.region +
                 ", expected no further region: fiber guests have one region "
                 "(`guest: {kind: process}`)");
}

bool has_oracle(const guest::TrainerModel& trainer) {
  return std::ranges::any_of(trainer.tiers, [&](const guest::CheckpointTier& tier) {
    return policies::CheckpointPolicies(trainer.policy_of(tier))
        .need(policies::Input::next_interruption);
  });
}

std::string_view assumption_of(guest::TierKind place) {
  switch (place) {
    case guest::TierKind::kMemory:
      return "checkpoints in memory are lost with the instance; its memory is always enough";
    case guest::TierKind::kSnapshot:
      return "the trainer has EBS snapshots of the job's volume made, which go on without it; the "
             "newest complete one stays";
    case guest::TierKind::kObjectStore:
      return "checkpoints go to an object store, whose requests are charged; its storage is free";
    case guest::TierKind::kVolume:
      break;
  }
  return {};
}

// Writes each machine's lines to a file of its own, like process guests.
guest::Console consoles_in(const fs::path& folder) {
  if (folder.empty()) return {};
  fs::create_directories(folder);
  const auto files = std::make_shared<std::map<std::string, std::ofstream>>();
  return [folder, files](const std::string& machine, const std::string& line) {
    auto found = files->find(machine);
    if (found == files->end())
      found = files->emplace(machine, std::ofstream(folder / (machine + ".log"))).first;
    found->second << line << '\n';
  };
}

bool wire_is_checked() { return std::getenv("SPOTSIM_CHECK_WIRE") != nullptr; }

}  // namespace

Guests fiber_guests(const scenario::Scenario& scenario) {
  need_no_files(scenario);
  const auto config = std::make_shared<guest::FiberConfig>();
  check_one_region(scenario);
  config->plan = plan_of(scenario);
  config->jobs = guest::KnownJobs(config->plan);
  config->trainer = trainer_of(scenario);
  config->os_grace = scenario.cloud.durations.os_grace;
  for (const auto& [url, folder] : scenario.code) config->repositories.insert(url);
  for (const auto& [name, image] : scenario.guest.images) config->images.insert(name);
  const bool oracle = has_oracle(config->trainer);
  GuestDescription description{.kind = "fiber", .level = "none", .lockstep = true};
  description.assumptions = {
      "the orchestrator is spotrun's own library, run as fibers; machines, volumes and the trainer "
      "are models, the trainer as the scenario states it (docs/fiber-guest.md)"};
  if (config->trainer.step_time)
    description.assumptions.emplace_back(
        "an instance of a group runs no user data but spotrun's: it trains at trainer.step_time, "
        "saves on the notice and deletes its group at the end (docs/fiber-guest.md)");
  for (const guest::CheckpointTier& tier : config->trainer.tiers) {
    const auto assumption = assumption_of(tier.to);
    if (!assumption.empty()) description.assumptions.emplace_back(assumption);
  }
  std::vector<std::string> told{"guests: fibers, models of machine and trainer"};
  const bool check_wire = wire_is_checked();
  if (check_wire)
    told.emplace_back("SPOTSIM_CHECK_WIRE: every call is also encoded and decoded, and compared");
  return {
      description, std::move(told),
      [shared = std::shared_ptr<const guest::FiberConfig>(config), oracle, check_wire](
          Simulation& simulation, EventLog& log, const Streams& streams, const RunOptions& options,
          guest::NextInterruption future) -> std::shared_ptr<guest::GuestHost> {
        const fs::path& output = options.output;
        return std::make_shared<guest::FiberHost>(
            simulation, log, streams, shared,
            guest::FiberOptions{
                .every_poll = options.every_poll,
                .check_wire = check_wire,
                .console = consoles_in(output.empty() ? output : output / "console"),
                .next_interruption = oracle ? std::move(future) : nullptr});
      }};
}

}  // namespace sim::run
