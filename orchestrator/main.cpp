// spotrun: trains a job on spot instances. Operator: prepare, submit, wait, status. User data:
// instance, instance-prepare.
#include <fmt/format.h>

#include <span>
#include <string>
#include <variant>

#include "base/process/standard_output.h"
#include "client/production/curl_http.h"
#include "client/production/environment.h"
#include "orchestrator/aws/http_transport.h"
#include "orchestrator/command_line/read_command_line.h"
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
  return base::with_standard_output("spotrun", [&] {
    const auto line = read_arguments(std::span(argv, argc));
    if (const auto* status = std::get_if<ExitCode>(&line)) return static_cast<int>(*status);
    return static_cast<int>(run_here(std::get<CommandLine>(line)));
  });
}
