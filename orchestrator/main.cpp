// spotrun: trains a job on spot instances. Operator: prepare, submit, wait, status. User data:
// instance, instance-prepare.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <span>
#include <string>

#include "base/command_line_error.h"
#include "client/production/curl_http.h"
#include "client/production/environment.h"
#include "orchestrator/aws/http_transport.h"
#include "orchestrator/job/job.h"
#include "orchestrator/production/file_log.h"
#include "orchestrator/production/linux_machine.h"
#include "orchestrator/production/stop_signals.h"
#include "orchestrator/production/system_clock.h"
#include "orchestrator/program.h"

namespace {

using namespace spotrun;

ExitCode run_here(const CommandLine& line) {
  const client::Environment environment = client::process_environment();
  StopSignals signals;
  SystemClock clock(signals);
  FileLog log(clock, environment("JOB_EVENTS"));
  client::CurlHttp http(client::ca_file_of(environment));
  aws::HttpTransport aws(http, environment);
  LinuxMachine machine(signals, environment("SPOTRUN_ROOT"));
  return run_program({.clock = clock,
                      .log = log,
                      .http = http,
                      .aws = aws,
                      .machine = machine,
                      .environment = environment,
                      .random = client::system_random(),
                      .read_file = read_text,
                      .read_job = load_job,
                      .print = [](const std::string& text) { fmt::print("{}\n", text); }},
                     line);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Trains a job on EC2 spot instances, across interruptions and Availability Zones"};
  CommandLine line;
  app.name("spotrun");
  app.set_version_flag("--version", "spotrun " SPOTSIM_VERSION);
  add_commands(app, line);
  if (const auto wrong = base::unknown_command(app, std::span(argv, argc).subspan(1))) {
    fmt::print(stderr, "{}\n", *wrong);
    return static_cast<int>(ExitCode::kBadInput);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "{}\n", base::usage_error(app, error));
    return static_cast<int>(ExitCode::kBadInput);
  }
  return static_cast<int>(run_here(line));
}
