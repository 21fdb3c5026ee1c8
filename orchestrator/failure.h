// The program's exit codes and the exceptions that end a command. docs/spotrun.md explains each
// code to users.
#pragma once

#include <stdexcept>
#include <string>

namespace spotrun {

enum class ExitCode : int {
  kDone = 0,        // success
  kJobFailed = 1,   // the trainer's or the preparation's command failed
  kBadInput = 2,    // options, job file, fleet file
  kVolume = 3,      // no volume, several volumes, or one in an unusable state
  kVolumeHeld = 4,  // another instance has the volume and does not end
  kAws = 5,         // AWS refuses or does not answer
  kMachine = 6,     // device, filesystem, mount, git
  kStopped = 75,    // interrupted; another instance continues (EX_TEMPFAIL of sysexits.h)
};

// Ends the command with this code. The message says what was found and what was expected.
class Failure : public std::runtime_error {
 public:
  Failure(ExitCode exit_code, const std::string& message)
      : std::runtime_error(message), code(exit_code) {}
  const ExitCode code;
};

// The resources changed during a step. The same command may succeed if it begins again.
struct TryAgain : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace spotrun
