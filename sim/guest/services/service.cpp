#include "sim/guest/services/service.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/files/whole_file.h"
#include "base/process/process.h"
#include "sim/guest/services/clock.h"

namespace sim::guest::services {

void Service::start(Done done) {
  if (active()) return done("");
  starting_.push_back(std::move(done));
  if (phase_ == Phase::kStop || phase_ == Phase::kTerm || phase_ == Phase::kStopPost)
    start_again_ = true;
  else if (!busy() || phase_ == Phase::kWait)
    begin();
}

void Service::stop(Done done) {
  asked_to_stop_ = true;
  start_again_ = false;
  if (!busy() || phase_ == Phase::kWait) {
    if (phase_ == Phase::kWait) dead();
    return done("");
  }
  stopping_.push_back(std::move(done));
  if (active() || phase_ == Phase::kReload)
    enter(Phase::kStop, file_.stop);
  else if (phase_ < Phase::kRunning)
    terminate();
}

void Service::restart(Done done) {
  if (!busy() || phase_ == Phase::kWait) return start(std::move(done));
  stop([](const std::string&) {});
  start_again_ = true;
  starting_.push_back(std::move(done));
}

void Service::reload(Done done) {
  if (!active()) return done(name_ + " is not active, cannot reload.");
  if (file_.reload.empty())
    return done("Failed to reload " + name_ + ": Job type reload is not applicable for unit " +
                name_ + ".");
  starting_.push_back(std::move(done));
  enter(Phase::kReload, file_.reload);
}

void Service::reset_failed() {
  starts_.clear();
  if (phase_ == Phase::kFailed) phase_ = Phase::kDead;
  result_ = "success";
}

// ---- a start

void Service::begin() {
  due_.reset();
  asked_to_stop_ = start_again_ = false;
  since_ = activated_ = now();
  if (starts_too_often()) {
    say("Start request repeated too quickly.");
    result_ = "start-limit-hit";
    phase_ = Phase::kFailed;
    return settle(starting_, "Job for " + name_ + " failed.");
  }
  result_ = "success";
  main_status_ = 0;
  main_ = control_ = 0;
  invocation_ = name_ + "#" + std::to_string(++invocations_);
  if (file_.start.empty() && file_.type != "oneshot") {
    phase_ = Phase::kFailed;
    return settle(starting_,
                  "Failed to start " + name_ + ": Unit " + name_ + " has a bad unit file setting.");
  }
  enter(Phase::kPre, file_.start_pre);
}

bool Service::starts_too_often() {
  const long long window = file_.start_limit_interval.count();
  while (!starts_.empty() && since_ - starts_.front() > window) starts_.pop_front();
  starts_.push_back(since_);
  return file_.start_limit_burst > 0 &&
         starts_.size() > static_cast<std::size_t>(file_.start_limit_burst);
}

void Service::enter(Phase phase, const std::vector<CommandLine>& commands) {
  phase_ = phase;
  commands_ = commands;
  next_ = 0;
  if (phase == Phase::kStop) due_ = now() + file_.stop_timeout.count();
  advance();
}

void Service::advance() {
  if (next_ == commands_.size()) return phase_done();
  const CommandLine& command = commands_[next_++];
  control_may_fail_ = command.may_fail;
  control_ = spawn(command);
}

void Service::phase_done() {
  switch (phase_) {
    case Phase::kPre:
      if (file_.type != "simple") return enter(Phase::kMain, file_.start);
      main_ = spawn(file_.start[0]);
      return enter(Phase::kPost, file_.start_post);
    case Phase::kMain:
      return main_started();
    case Phase::kPost:
      say((file_.type == "oneshot" ? "Finished " : "Started ") + name_ +
          (file_.description.empty() ? "." : " - " + file_.description + "."));
      phase_ = Phase::kRunning;
      settle(starting_, "");
      if (main_ != 0) return;
      if (file_.remain_after_exit && result_ == "success") {
        phase_ = Phase::kExited;
        return;
      }
      return file_.type == "forking" ? terminate() : enter(Phase::kStop, file_.stop);
    case Phase::kReload:
      phase_ = main_ != 0 ? Phase::kRunning : Phase::kExited;
      return settle(starting_, "");
    case Phase::kStop:
      return terminate();
    case Phase::kStopPost:
      return dead();
    default:
      return;
  }
}

// A forking service's first process has ended: the processes that it left are the service.
void Service::main_started() {
  if (file_.type == "forking") {
    const std::string text =
        file_.pid_file.empty() ? "" : base::read_file(file_.pid_file).value_or("");
    main_ = std::atoi(text.c_str());
    if (main_ == 0)
      if (const auto left = processes(); !left.empty()) main_ = left.front();
  }
  enter(Phase::kPost, file_.start_post);
}

// ---- an end

void Service::ended(pid_t pid, int wait_status) {
  const int status = base::exit_status(wait_status);
  if (pid == control_) {
    control_ = 0;
    const bool bad = status != 0 && !control_may_fail_;
    if (bad && phase_ < Phase::kRunning) {
      main_status_ = status;
      return fail(status > 128 ? "signal" : "exit-code");
    }
    return phase_ == Phase::kTerm ? look_for_rest() : advance();
  }
  if (pid != main_ || main_ == 0) {
    if (phase_ == Phase::kTerm) look_for_rest();
    return;
  }
  main_ = 0;
  main_status_ = status;
  hear();
  if (!is_clean(status)) {
    say("Main process exited, code=" + std::string(status > 128 ? "killed" : "exited") +
        ", status=" + std::to_string(status > 128 ? status - 128 : status));
    result_ = status > 128 ? "signal" : "exit-code";
  }
  if (phase_ == Phase::kTerm) return look_for_rest();
  if (phase_ != Phase::kRunning) return;  // the phase's end notices that it is gone
  if (result_ != "success") return terminate();
  if (!file_.remain_after_exit) return enter(Phase::kStop, file_.stop);
  phase_ = Phase::kExited;
}

bool Service::is_clean(int status) const {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGPIPE})
    if (status == 128 + signal) return true;
  return status == 0 ||
         std::ranges::find(file_.clean_statuses, status) != file_.clean_statuses.end();
}

void Service::fail(const std::string& result) {
  result_ = result;
  say("Control process exited, code=" + std::string(main_status_ > 128 ? "killed" : "exited") +
      ", status=" + std::to_string(main_status_ > 128 ? main_status_ - 128 : main_status_));
  terminate();
}

void Service::terminate() {
  phase_ = Phase::kTerm;
  due_ = now() + file_.stop_timeout.count();
  if (file_.kill_mode == "control-group") {
    for (const pid_t process : processes()) kill(process, file_.kill_signal);
  } else if (file_.kill_mode != "none" && main_ != 0) {
    kill(main_, file_.kill_signal);
  }
  look_for_rest();
}

void Service::look_for_rest() {
  const bool only_main = file_.kill_mode == "process" || file_.kill_mode == "none";
  if (main_ != 0 || control_ != 0 || (!only_main && !processes().empty())) return;
  enter(Phase::kStopPost, file_.stop_post);
}

void Service::wake() {
  due_.reset();
  if (phase_ == Phase::kWait) return begin();
  if (phase_ == Phase::kStop || phase_ == Phase::kStopPost) {
    if (control_ != 0) kill(control_, SIGKILL);
    return;
  }
  if (phase_ != Phase::kTerm) return;
  say("State 'stop-sigterm' timed out. Killing.");
  result_ = "timeout";
  for (const pid_t process : processes()) kill(process, SIGKILL);
}

void Service::dead() {
  hear();
  due_.reset();
  since_ = deactivated_ = now();
  const bool failed = result_ != "success";
  phase_ = failed ? Phase::kFailed : Phase::kDead;
  if (failed) say("Failed with result '" + result_ + "'.");
  if (asked_to_stop_)
    say("Stopped " + name_ + (file_.description.empty() ? "." : " - " + file_.description + "."));
  settle(stopping_, "");
  if (start_again_) return begin();
  settle(starting_, failed ? "Job for " + name_ +
                                 " failed because the control process exited with error code.\nSee "
                                 "\"systemctl status " +
                                 name_ + "\" and \"journalctl -xeu " + name_ + "\" for details."
                           : "");
  if (asked_to_stop_ || !shall_restart()) return;
  phase_ = Phase::kWait;
  due_ = since_ + file_.restart_after.count();
}

bool Service::shall_restart() const {
  const std::string& when = file_.restart;
  if (when == "always") return true;
  const bool clean = result_ == "success";
  if (when == "on-success") return clean;
  if (when == "on-failure") return !clean;
  return (when == "on-abnormal" || when == "on-abort") &&
         (result_ == "signal" || result_ == "timeout");
}

// ---- messages

void Service::settle(std::vector<Done>& waiting, const std::string& error) {
  for (const Done& done : std::exchange(waiting, {})) done(error);
}

void Service::say(const std::string& text) {
  const bool of_it =
      text.starts_with("Started ") || text.starts_with("Stopped ") || text.starts_with("Finished ");
  world_.log(name_, "systemd[1]", of_it ? text : name_ + ": " + text);
}

const char* Service::state() const {
  switch (phase_) {
    case Phase::kDead:
      return "inactive";
    case Phase::kFailed:
      return "failed";
    case Phase::kRunning:
    case Phase::kExited:
      return "active";
    case Phase::kReload:
      return "reloading";
    case Phase::kStop:
    case Phase::kTerm:
    case Phase::kStopPost:
      return "deactivating";
    default:
      return "activating";
  }
}

std::string Service::status() const {
  const char* detail = "start";
  switch (phase_) {
    case Phase::kDead:
      detail = "dead";
      break;
    case Phase::kRunning:
      detail = "running";
      break;
    case Phase::kExited:
      detail = "exited";
      break;
    case Phase::kWait:
      detail = "auto-restart";
      break;
    case Phase::kFailed:
      detail = "";
      break;
    default:
      break;
  }
  std::string out = std::string("     Active: ") + state();
  out += *detail ? " (" + std::string(detail) + ")" : " (Result: " + result_ + ")";
  if (main_ != 0) out += "\n   Main PID: " + std::to_string(main_);
  if (main_ == 0 && main_status_ != 0)
    out += "\n    Process: (code=exited, status=" + std::to_string(main_status_) + ")";
  return out;
}

}  // namespace sim::guest::services
