#include "sim/guest/fiber/operator_plan.h"

#include <stdexcept>

#include "base/files/whole_file.h"
#include "orchestrator/command_line/read_command_line.h"
#include "sim/guest/fiber/plain_script.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The options of `set`. -u has no effect, because the scripts use no variables.
bool read_set(const SimpleCommand& command, bool& errexit) {
  if (command.words[0] != "set") return false;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const std::string& word = command.words[i];
    if (word == "-o" && i + 1 < command.words.size() && command.words[i + 1] == "pipefail") {
      ++i;
    } else if (word == "-e" || word == "-eu" || word == "-ue" || word == "+e") {
      errexit = word[0] == '-';
    } else if (word != "-u") {
      throw ScriptError(command.line, "found `" + text_of(command.words) +
                                          "`, expected set with -e, -u or -o pipefail");
    }
  }
  return true;
}

spotrun::CommandLine read_spotrun(const SimpleCommand& command) {
  spotrun::CommandLine line;
  try {
    line = spotrun::read_command_line({command.words.begin() + 1, command.words.end()});
  } catch (const std::invalid_argument& error) {
    throw ScriptError(command.line, "found `" + text_of(command.words) + "`: " + error.what());
  }
  if (line.command.starts_with("instance")) {
    throw ScriptError(command.line, "found `" + text_of(command.words) +
                                        "`, which runs on an instance, expected an operator's "
                                        "command");
  }
  return line;
}

// If a file is missing, the command itself reports it.
void keep_file(const fs::path& folder, const std::string& name, OperatorPlan& plan) {
  if (name.empty() || plan.files.contains(name)) return;
  if (const auto text = base::read_file(folder / name)) plan.files[name] = *text;
}

}  // namespace

OperatorPlan plan_operator(const std::string& script, const fs::path& folder) {
  OperatorPlan plan;
  bool errexit = false;
  DataFolders data;
  for (const SimpleCommand& command : read_plain_script(script)) {
    if (read_set(command, errexit)) continue;
    const std::string& program = command.words[0];
    if (program == "spottrain") {
      read_spottrain(command, data);
    } else if (program == "aws") {
      plan.steps.push_back({read_aws(command, folder, data), errexit});
    } else if (program == "curl") {
      plan.steps.push_back({read_curl(command, folder), errexit});
    } else if (program == "spotrun") {
      const spotrun::CommandLine line = read_spotrun(command);
      keep_file(folder, line.job, plan);
      keep_file(folder, line.fleet, plan);
      plan.steps.push_back({line, errexit});
    } else {
      throw ScriptError(command.line,
                        "found `" + text_of(command.words) +
                            "`, expected spotrun's commands, aws or curl: the fiber guest "
                            "runs no other programs (guest: process does)");
    }
  }
  return plan;
}

}  // namespace sim::guest
