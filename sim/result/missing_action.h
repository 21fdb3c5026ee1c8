// An AWS action that a run's scripts called and that the simulated AWS does not have. Such a run
// shows what a script does after the error, not what it does on AWS.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/time.h"

namespace sim::result {

// An action that a machine called, with the number of its calls.
struct MissingAction {
  std::string service, action;  // "ssm", "SendCommand"
  std::string caller;           // an instance's ID or "operator"
  Time first{};
  std::int64_t calls = 0;
};

// True for the errors by which the simulated AWS answers an action that it does not have.
bool is_of_missing_action(std::string_view error);

// An action without the prefix of JSON protocols: "SendCommand" of "AmazonSSM.SendCommand".
std::string bare_action(std::string_view action);

// "ssm SendCommand", or "CreateVpcEndpoint" for an action of EC2.
std::string action_of(std::string_view service, std::string_view action);

// The action, its machine and the line of its console with the error:
// "ssm SendCommand (i-1: console/i-1.log:12: An error occurred …)". `folder` is the run's. If it is
// empty, or if the script did not print the error, only the console's name is given.
std::string in_words(const MissingAction& missing, const std::filesystem::path& folder);

// What these actions mean for a run: "these calls returned an error, so …".
inline constexpr std::string_view kOfMissingActions =
    "these calls returned an error, so the run may show what the script does without them";

// A sentence that names the actions. Empty if there are none.
std::string sentence_on(const std::vector<MissingAction>& missing,
                        const std::filesystem::path& folder);

}  // namespace sim::result
