// An operator's script as a list of commands that fiber guests can carry out.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "orchestrator/command_line.h"
#include "sim/guest/fiber/aws_command.h"
#include "sim/guest/fiber/curl_command.h"

namespace sim::guest {

struct OperatorPlan {
  struct Step {
    std::variant<spotrun::CommandLine, AwsCommand, CurlCommand> command;
    bool ends_on_failure = false;  // as after `set -e`
  };
  std::vector<Step> steps;
  std::map<std::string, std::string> files;  // existing files that spotrun's commands name
};

// Understands `set -e` (and -u), spotrun's commands, the aws-cli commands in aws_command.h,
// `spottrain synthesize` for uploads, and the curl commands in curl_command.h. `folder` is the
// script's working folder. Throws ScriptError with the line for anything else; nothing is skipped
// or guessed.
OperatorPlan plan_operator(const std::string& script, const std::filesystem::path& folder);

}  // namespace sim::guest
