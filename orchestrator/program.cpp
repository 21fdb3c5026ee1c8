#include "orchestrator/program.h"

#include <fmt/format.h>

#include <array>

#include "orchestrator/acquire/fallback.h"
#include "orchestrator/acquire/prepare.h"
#include "orchestrator/acquire/strategy_run.h"
#include "orchestrator/acquire/submit.h"
#include "orchestrator/instance/instance.h"
#include "orchestrator/job/fleet_file.h"

namespace spotrun {
namespace {

// AWS's services, built on the seams.
struct Services {
  explicit Services(const Seams& seams)
      : imds(seams.http, seams.clock, client::metadata_endpoint(seams.environment)),
        credentials(seams.http, imds, seams.clock, seams.environment) {}

  aws::Client client(const Seams& seams, const std::string& region) {
    return aws::Client(seams.aws, seams.clock, credentials,
                       {.region = region, .max_attempts = aws::max_attempts(seams.environment)},
                       seams.random);
  }

  client::MetadataClient imds;
  client::Credentials credentials;
};

struct Operator {
  const Context& context;
  aws::Client& client;
  const Job& job;
  const CommandLine& line;
  const Seams& seams;
};
using OperatorCommand = ExitCode (*)(const Operator&);
using InstanceCommand = ExitCode (*)(InstanceContext&, const Job&, const client::Identity&);

ExitCode run_prepare(const Operator& o) {
  prepare(o.context, o.job);
  return ExitCode::kDone;
}

ExitCode run_submit(const Operator& o) {
  const CommandLine& line = o.line;
  if (!line.on_demand.empty()) {
    o.seams.print(submit_on_demand(o.context, o.job, line.on_demand));
    return ExitCode::kDone;
  }
  Fallback fallback(line.on_demand_after_failures, line.on_demand_after_waiting);
  const auto fleet =
      read_fleet(o.seams.read_file(line.fleet), line.fleet, o.job, line.fleet_options);
  const bool strategy = !line.strategy.strategy.empty();
  if (strategy) require_volume(o.job, "submit --strategy");
  if (fallback.has_rules()) require_volume(o.job, "submit --on-demand-after-…");
  if (strategy || fallback.has_rules()) check_on_demand(fleet, line.fleet);
  if (strategy) {
    const StrategyPlan plan = read_plan(line.strategy, fleet, line.fleet, o.job);
    return run_strategy(o.context, o.job, plan, o.seams.print);
  }
  const std::string id = submit_fleet(o.context, o.client, o.job, fleet, line.fleet);
  o.seams.print(id);
  if (!fallback.has_rules()) return ExitCode::kDone;
  return watch_fleet(o.context, o.job, fleet, id, std::move(fallback));
}

ExitCode run_wait(const Operator& o) { return wait_for_job(o.context, o.job); }

ExitCode run_status(const Operator& o) {
  return job_status(o.context, o.job).value_or(ExitCode::kStopped);
}

struct CommandRow {
  std::string_view name;
  OperatorCommand as_operator;
  InstanceCommand on_instance;
  bool needs_volume = true;
};
constexpr std::array<CommandRow, 6> kCommands{{
    {"prepare", run_prepare, nullptr},
    {"submit", run_submit, nullptr, false},
    {"wait", run_wait, nullptr},
    {"status", run_status, nullptr},
    {"instance", nullptr, run_instance, false},
    {"instance-prepare", nullptr, prepare_on_instance},
}};

ExitCode as_operator(const Seams& seams, const CommandLine& line, const CommandRow& row) {
  const Job job = seams.read_job(line.job);
  if (row.needs_volume) require_volume(job, row.name);
  Services services(seams);
  aws::Client client = services.client(seams, job.region);
  aws::Ec2 ec2(client);
  return row.as_operator({{seams.clock, seams.log, ec2}, client, job, line, seams});
}

ExitCode on_instance(const Seams& seams, const CommandLine& line, const CommandRow& row) {
  const Job job = seams.read_job(line.job);
  if (row.needs_volume) require_volume(job, row.name);
  Services services(seams);
  seams.log.phase("identify");
  const client::Identity self = client::identify(services.imds);
  seams.log.say(
      fmt::format("{} ({}) in {}", self.instance_id, self.instance_type, self.availability_zone));
  aws::Client client = services.client(seams, self.region);
  aws::Ec2 ec2(client);
  InstanceContext context{{seams.clock, seams.log, ec2}, seams.machine, services.imds};
  return row.on_instance(context, job, self);
}

}  // namespace

ExitCode run_program(const Seams& seams, const CommandLine& line) {
  const auto end = [&](ExitCode code, const std::string& why) {
    seams.log.say(why);
    return code;
  };
  try {
    for (const CommandRow& row : kCommands) {
      if (row.name != line.command) continue;
      return row.as_operator ? as_operator(seams, line, row) : on_instance(seams, line, row);
    }
    return end(ExitCode::kBadInput, "found no command \"" + line.command + "\"");
  } catch (const Failure& error) {
    return end(error.code, error.what());
  } catch (const Stopped& error) {
    return end(ExitCode::kStopped, error.what());
  } catch (const MachineError& error) {
    return end(ExitCode::kMachine, error.what());
  } catch (const std::exception& error) {  // ApiError, MetadataError, NoCredentials, TryAgain
    return end(ExitCode::kAws, error.what());
  }
}

}  // namespace spotrun
