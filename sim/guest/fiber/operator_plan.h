// What an operator's script does, as commands that the fiber guest can carry out.
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
  std::map<std::string, std::string>
      files;  // those that spotrun's commands name and that are there
};

// Understands `set -e` (and -u), spotrun's commands, those of aws-cli in aws_command.h, the
// `spottrain synthesize` that makes what they upload, and curl as in curl_command.h; `folder` is
// the script's working folder. Throws ScriptError with the line of anything else: nothing is left
// out or guessed.
OperatorPlan plan_operator(const std::string& script, const std::filesystem::path& folder);

}  // namespace sim::guest
