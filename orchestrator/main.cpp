// spotrun: trains a job on spot instances. Operator: prepare, submit, wait, status. User data:
// instance, instance-prepare.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>

#include "orchestrator/instance.h"
#include "orchestrator/prepare.h"
#include "orchestrator/production/curl_http.h"
#include "orchestrator/production/file_log.h"
#include "orchestrator/production/linux_machine.h"
#include "orchestrator/production/stop_signals.h"
#include "orchestrator/production/system_clock.h"
#include "orchestrator/submit.h"

namespace {

using namespace spotrun;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

struct Options {
  std::string job, fleet, on_demand;
};

// The production side of all seams.
struct Production {
  StopSignals signals;
  SystemClock clock{signals};
  FileLog log{clock, environment("JOB_EVENTS")};
  CurlHttp http;
  LinuxMachine machine{signals, environment("SPOTRUN_ROOT")};
  aws::Imds imds{http, clock, aws::imds_endpoint()};
  aws::Credentials credentials{imds, clock};

  aws::Client client(const std::string& region) {
    return aws::Client(http, clock, credentials,
                       {.region = region,
                        .endpoint = aws::ec2_endpoint(region),
                        .max_attempts = aws::max_attempts_from_environment()});
  }
};

using OperatorCommand = ExitCode (*)(const Context&, aws::Client&, const Job&, const Options&);
using InstanceCommand = ExitCode (*)(InstanceContext&, const Job&, const Identity&);

ExitCode run_prepare(const Context& context, aws::Client&, const Job& job, const Options&) {
  prepare(context, job);
  return ExitCode::kDone;
}

ExitCode run_submit(const Context& context, aws::Client& client, const Job& job,
                    const Options& options) {
  const std::string id =
      options.on_demand.empty()
          ? submit_fleet(context, client, job, read_text(options.fleet), options.fleet)
          : submit_on_demand(context, job, options.on_demand);
  fmt::print("{}\n", id);
  return ExitCode::kDone;
}

ExitCode run_wait(const Context& context, aws::Client&, const Job& job, const Options&) {
  return wait_for_job(context, job);
}

ExitCode run_status(const Context& context, aws::Client&, const Job& job, const Options&) {
  return job_status(context, job).value_or(ExitCode::kStopped);
}

ExitCode as_operator(Production& production, const Options& options, OperatorCommand command) {
  const Job job = load_job(options.job);
  aws::Client client = production.client(job.region);
  aws::Ec2 ec2(client);
  return command({production.clock, production.log, ec2}, client, job, options);
}

ExitCode on_instance(Production& production, const Options& options, InstanceCommand command) {
  const Job job = load_job(options.job);
  production.log.phase("identify");
  const Identity self = identify(production.imds);
  production.log.say(
      fmt::format("{} ({}) in {}", self.instance_id, self.instance_type, self.availability_zone));
  aws::Client client = production.client(self.region);
  aws::Ec2 ec2(client);
  InstanceContext context{
      {production.clock, production.log, ec2}, production.machine, production.imds};
  return command(context, job, self);
}

template <class Run>
int guarded(Run run) {
  Production production;
  const auto end = [&production](ExitCode code, const std::string& why) {
    production.log.say(why);
    return static_cast<int>(code);
  };
  try {
    return static_cast<int>(run(production));
  } catch (const Failure& error) {
    return end(error.code, error.what());
  } catch (const Stopped& error) {
    return end(ExitCode::kStopped, error.what());
  } catch (const MachineError& error) {
    return end(ExitCode::kMachine, error.what());
  } catch (const std::exception& error) {  // ApiError, ImdsError, NoCredentials, TryAgain
    return end(ExitCode::kAws, error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Trains a job on EC2 spot instances, across interruptions and Availability Zones"};
  app.require_subcommand(1);
  Options options;
  int code = 0;
  const auto add = [&](const char* name, const char* what, auto command) {
    CLI::App* added = app.add_subcommand(name, what);
    added->add_option("--job", options.job, "The job file (docs/spotrun.md)")->required();
    added->callback([&options, &code, command] {
      code = guarded([&](Production& production) {
        if constexpr (std::is_convertible_v<decltype(command), OperatorCommand>) {
          return as_operator(production, options, command);
        } else {
          return on_instance(production, options, command);
        }
      });
    });
    return added;
  };
  add("prepare", "Makes the job's volume and has an instance fill it", run_prepare);
  CLI::App* submit =
      add("submit", "Starts the job; prints the fleet's or the instance's ID", run_submit);
  auto* how = submit->add_option_group("how")->require_option(1);
  how->add_option("--fleet", options.fleet, "A SpotFleetRequestConfig in JSON");
  how->add_option("--on-demand", options.on_demand, "TYPE/ZONE of one on-demand instance");
  add("wait", "Waits until the job is done (exit 0) or has failed (exit 1)", run_wait);
  add("status", "Says where the job stands: exit 0 done, 1 failed, 75 neither", run_status);
  add("instance", "On an instance: runs the job", run_instance);
  add("instance-prepare", "On an instance: prepares the volume", prepare_on_instance);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::kBadInput);
  }
  return code;
}
