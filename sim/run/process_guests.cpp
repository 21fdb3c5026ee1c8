#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "fakes/http/server.h"
#include "sim/guest/process/process_host.h"
#include "sim/guest/time/lockstep.h"
#include "sim/run/guest_level.h"
#include "sim/run/guests.h"
#include "sim/run/missing_programs.h"
#include "sim/run/uncommitted_code.h"

namespace sim::run {
namespace {

struct Lockstep {
  bool used = false;
  std::string obstacle{};  // why it is not used though the scenario permits it; may be empty
};

Lockstep lockstep_of(const scenario::Scenario& scenario, guest::Level level) {
  // Refuses lockstep where it is impossible. In a user namespace a guest may not use SCHED_FIFO.
  // Guests at level plain see the host's process IDs and paths, which differ in each run.
  if (scenario.guest.lockstep.value_or(false) && level != guest::Level::kRoot)
    throw RunError("guest.lockstep: found true at level " + std::string(guest::name(level)) +
                   ", expected level root");
  if (!scenario.guest.lockstep.value_or(level == guest::Level::kRoot)) return {.used = false};
  const std::string obstacle = guest::lockstep_obstacle();
  if (scenario.guest.lockstep.value_or(false) && !obstacle.empty())
    throw RunError("guest.lockstep: found true, but " + obstacle + " (or say auto)");
  return {.used = obstacle.empty(), .obstacle = obstacle};
}

guest::Image image_of(const scenario::GuestImage& image) {
  guest::Image out{.root = image.root,
                   .host_packages = image.host_packages,
                   .users = {},
                   .container = image.container};
  for (const scenario::GuestUser& user : image.users) out.users.push_back({user.name, user.uid});
  return out;
}

std::map<std::string, guest::Image> images_of(const scenario::Scenario& scenario) {
  std::map<std::string, guest::Image> out;
  for (const auto& [id, image] : scenario.guest.images) out[id] = image_of(image);
  return out;
}

// Names the features of the scenario that the level lacks. Empty if it has all.
std::string lacks_images(const guest::GuestConfig& config) {
  const auto has_files = [](const guest::Image& image) { return !image.root.empty(); };
  const bool any = has_files(config.other_image) ||
                   std::ranges::any_of(config.images | std::views::values, has_files);
  if (guest::has_namespaces(config.level) || !any) return {};
  return "guest.images: at level plain guests see this machine's own files, and none of an image's";
}

constexpr const char* kNoFiles =
    "keep: at level plain instances have this machine's files, and none are kept with the results";
constexpr const char* kUrls =
    "what guests download takes the time that the scenario's urls state, each answer by itself, "
    "and is free of charge";
constexpr const char* kNoUrls =
    "urls: at level plain names are the host's own, and what the scenario has at URLs is not "
    "served";

GuestDescription describe(const guest::GuestConfig& config) {
  GuestDescription description{.kind = "process",
                               .level = std::string(guest::name(config.level)),
                               .lockstep = config.lockstep};
  description.assumptions = {
      "the operator's script, the orchestrator and the trainer are real programs under virtual "
      "time",
      config.lockstep
          ? "guests ran in lockstep: the same seed gives the same log"
          : "guests ran without lockstep: runs with one seed draw the same random numbers and tell "
            "the same story, but times may differ by milliseconds (and costs by what that bills), "
            "and simultaneous events may change places, so their fingerprints differ"};
  if (const auto lacking = guest::lacks(config.level); !lacking.empty())
    description.assumptions.push_back(
        fmt::format("guests ran at level {}: {}", guest::name(config.level), lacking));
  if (const std::string lacking = lacks_images(config); !lacking.empty())
    description.assumptions.push_back(lacking);
  if (!config.urls.empty() && !guest::has_namespaces(config.level))
    description.assumptions.push_back(kNoUrls);
  else if (!config.urls.empty())
    description.assumptions.push_back(kUrls);
  return description;
}

std::vector<std::string> tell(const guest::GuestConfig& config, const std::string& why_level,
                              const std::string& why_free) {
  const std::string order = config.lockstep    ? "lockstep"
                            : why_free.empty() ? "free-running (no lockstep)"
                                               : "free-running: no lockstep, since " + why_free;
  std::vector<std::string> told{fmt::format("guests: level {}, {}{}", guest::name(config.level),
                                            order, why_level.empty() ? "" : "; " + why_level)};
  if (const auto lacking = guest::lacks(config.level); !lacking.empty())
    told.push_back(fmt::format("guests at this level: {}", lacking));
  if (const std::string lacking = lacks_images(config); !lacking.empty())
    told.push_back("warning: " + lacking);
  if (!config.urls.empty() && !guest::has_namespaces(config.level))
    told.push_back(fmt::format("warning: {}", kNoUrls));
  if (!config.keep.empty() && !guest::has_namespaces(config.level))
    told.push_back(fmt::format("warning: {}", kNoFiles));
  return told;
}

// The sockets must outlive the guests that connect to them.
struct ServedHost {
  ServedHost(Simulation& simulation, EventLog& log, const Streams& streams,
             const guest::GuestConfig& config)
      : server(simulation), host(simulation, log, streams, server, config) {}
  fakes::Server server;
  guest::ProcessHost host;
};

}  // namespace

std::string refusal_here(const scenario::Scenario& scenario, std::optional<guest::Level> level) {
  try {
    lockstep_of(scenario, level_for(scenario, level).level);
    return {};
  } catch (const RunError& error) {
    return error.what();
  }
}

Guests process_guests(const scenario::Scenario& scenario, const RunOptions& options) {
  const auto [level, why] = level_for(scenario, options.level);
  const Lockstep lockstep = lockstep_of(scenario, level);
  const guest::GuestConfig config{.level = level,
                                  .lockstep = lockstep.used,
                                  .region = scenario.cloud.region,
                                  .programs = options.programs,
                                  .output = options.output,
                                  .repositories = scenario.code,
                                  .images = images_of(scenario),
                                  .other_image = image_of(scenario.guest.other_image),
                                  .urls = scenario.urls,
                                  .durations = scenario.cloud.durations,
                                  .write_back = {.age = scenario.guest.write_back_age,
                                                 .look = scenario.guest.write_back_look,
                                                 .host_age = {}},
                                  .progress = scenario.progress,
                                  .checkpoint_copies = scenario.checkpoint_copies,
                                  .network = scenario.network,
                                  .warm_aws = scenario.guest.warm_aws,
                                  .keep = scenario.keep,
                                  .say = options.say};
  std::vector<std::string> told = tell(config, why, lockstep.obstacle);
  for (const std::string& program : missing_programs(scenario))
    told.push_back("warning: " + program);
  for (const std::string& code : uncommitted_code(scenario)) told.push_back("warning: " + code);
  return {describe(config), std::move(told),
          [config](Simulation& simulation, EventLog& log, const Streams& streams, const RunOptions&,
                   const guest::NextInterruption&) -> std::shared_ptr<guest::GuestHost> {
            const auto served = std::make_shared<ServedHost>(simulation, log, streams, config);
            return {served, &served->host};
          }};
}

}  // namespace sim::run
