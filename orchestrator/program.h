// The complete program on any seams. main() passes the seams of a Linux machine; the simulator
// passes its own.
#pragma once

#include <functional>
#include <string>

#include "client/environment.h"
#include "client/http.h"
#include "orchestrator/aws/transport.h"
#include "orchestrator/command_line.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/job.h"
#include "orchestrator/seams/clock.h"
#include "orchestrator/seams/log.h"
#include "orchestrator/seams/machine.h"

namespace spotrun {

struct Seams {
  Clock& clock;
  Log& log;
  client::Http& http;   // to the metadata service
  aws::Transport& aws;  // to all services
  Machine& machine;
  client::Environment environment;
  client::RandomBits random;
  std::function<std::string(const std::string& file)> read_file;  // throws Failure(kBadInput)
  std::function<Job(const std::string& file)> read_job;           // as load_job()
  std::function<void(const std::string& line)> print;             // on standard output
};

// Runs one command to its end. Errors are logged; the code is the program's exit status.
ExitCode run_program(const Seams& seams, const CommandLine& line);

}  // namespace spotrun
