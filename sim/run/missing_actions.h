// Collects the AWS actions that a run's scripts called and that the simulated AWS does not have.
// Such a run shows what the script does if these actions fail, not what the script does on AWS.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/events/listeners.h"

namespace sim::run {

struct MissingAction {
  std::string service, action, machine;  // `machine` as in the log: an instance's ID, or "operator"
  bool operator==(const MissingAction&) const = default;
};

// Owns the list for one run, which it collects from the run's log.
class MissingActions {
 public:
  // This object must outlive the log's listeners.
  void listen(events::Listeners& log);
  // In the order of their first calls, each action of a machine once.
  const std::vector<MissingAction>& all() const { return all_; }

 private:
  std::vector<MissingAction> all_;
};

// "ssm SendCommand", or "CreateVpcEndpoint" for an action of EC2.
std::string action_of(const std::string& service, const std::string& action);

// The action, its machine and the line of its console with the error:
// "ssm SendCommand (i-1: console/i-1.log:12: An error occurred …)". `folder` is the run's. If it is
// empty, or if the script did not print the error, only the console's name is given.
std::string in_words(const MissingAction& missing, const std::filesystem::path& folder);

}  // namespace sim::run
