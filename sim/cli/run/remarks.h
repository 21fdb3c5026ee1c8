// Collects probable mistakes that do not fail a run: no instance was launched, IAM refused a call,
// a script called a missing command, cloud-init warned about user data, or progress lines of
// a guest are invalid. Or an alarm took a machine for idle whose programs report no progress.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/events/listeners.h"

namespace sim::cli {

// Owns the remarks about one run. It listens to the run's log, and the command prints the remarks
// at the end.
class Remarks {
 public:
  // Called at once for a missing command and for a failed clone. Each message comes once, whichever
  // machine has it.
  using Warn = std::function<void(const std::string& text)>;
  // The remarks must outlive the log's listeners.
  void listen(events::Listeners& log, Warn at_once = {});
  std::vector<std::string> all() const;  // a sentence each, for the end of the run

 private:
  void call(const events::ApiCall& event);
  void command_error(const events::GuestCommandError& event);

  Warn warn_;
  bool launched_ = false;                         // any instance
  std::map<std::string, std::string> user_data_;  // machine → cloud-init's first warning of it
  bool operator_failed_ = false;                  // reported with its status
  std::vector<std::string> refused_;       // calls of the operator: "RunInstances (its error code)"
  std::vector<std::string> denied_;        // permissions and callers: "ec2:AttachVolume (i-…)"
  std::vector<std::string> without_data_;  // alarms: "idle (AWS/EC2 NetworkIn)"
  std::set<std::string, std::less<>> cpu_alarms_;  // names of alarms on CPUUtilization
  std::vector<std::string> blind_;                 // of those that acted before any training
  bool trained_ = false;                           // any trainer has reported its start or a step
  std::set<std::string> command_errors_;           // messages
  std::int64_t bad_lines_ = 0;
  std::string first_bad_;  // "i-…: the line: why"
};

}  // namespace sim::cli
