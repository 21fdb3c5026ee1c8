// One service of a guest: starts, watches and stops its processes as systemd.service(5) says.
#pragma once

#include <sys/types.h>

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/guest/services/unit_file.h"

namespace sim::guest::services {

// What the manager provides to its services.
struct ServiceWorld {
  const Environment& environment;  // of programs on this machine
  std::function<void(const std::string& unit, const std::string& who, const std::string& line)> log;
};

// A state machine over the phases below. The manager calls it when a child process has ended, when
// the service's output is readable, and when due() has come. It never waits by itself.
class Service {
 public:
  // Called once, with the error that `systemctl start` or `stop` prints; empty: success.
  using Done = std::function<void(const std::string& error)>;

  Service(const std::string& name, ServiceWorld& world) : name_(name), world_(world) {}

  void set_file(UnitFile file) { file_ = std::move(file); }
  const UnitFile& file() const { return file_; }

  void start(Done done);
  void stop(Done done);
  void restart(Done done);
  void reload(Done done);
  void reset_failed();

  // Called when any child process of the manager has ended. It may not belong to this service.
  void ended(pid_t pid, int status);
  // Reads the service's output. The descriptor is -1 if there is no output to read.
  int output() const { return pipe_.get(); }
  void hear();
  // The time at which wake() must be called, in nanoseconds since 1970. Empty if the service only
  // waits for a child process.
  std::optional<long long> due() const { return due_; }
  void wake();

  bool active() const { return phase_ == Phase::kRunning || phase_ == Phase::kExited; }
  // The times of the last changes, in nanoseconds since 1970; 0: never.
  long long activated() const { return activated_; }
  long long deactivated() const { return deactivated_; }
  bool busy() const { return phase_ != Phase::kDead && phase_ != Phase::kFailed; }
  const char* state() const;   // "active", "inactive", "failed", "activating", …
  std::string status() const;  // the lines of `systemctl status` after "Loaded:"

 private:
  enum class Phase {
    kDead,
    kPre,
    kMain,
    kPost,
    kRunning,
    kExited,
    kReload,
    kStop,
    kTerm,
    kStopPost,
    kWait,
    kFailed
  };

  void begin();
  void enter(Phase phase, const std::vector<CommandLine>& commands);
  void advance();
  void phase_done();
  void main_started();
  void fail(const std::string& result);
  void terminate();
  void look_for_rest();
  void dead();
  bool shall_restart() const;
  bool starts_too_often();
  bool is_clean(int status) const;
  void settle(std::vector<Done>& waiting, const std::string& error);
  void say(const std::string& text);
  pid_t spawn(const CommandLine& command);
  Environment environment_for() const;
  void open_pipe();
  std::vector<pid_t> processes() const;

  std::string name_;
  ServiceWorld& world_;
  UnitFile file_;
  Phase phase_ = Phase::kDead;
  std::vector<CommandLine> commands_;
  std::size_t next_ = 0;
  pid_t main_ = 0, control_ = 0;
  bool control_may_fail_ = false;
  std::string invocation_, result_ = "success";
  int main_status_ = 0, invocations_ = 0;
  bool asked_to_stop_ = false, start_again_ = false;
  long long since_ = 0, activated_ = 0, deactivated_ = 0;
  std::optional<long long> due_;
  std::deque<long long> starts_;
  std::vector<Done> starting_, stopping_;
  base::FileDescriptor pipe_, pipe_in_;
  std::string unfinished_;  // an output line without its end
};

}  // namespace sim::guest::services
