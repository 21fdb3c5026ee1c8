#include "sim/scenario/command_value.h"

#include <vector>

#include "policies/checkpoint/words.h"

namespace sim::scenario {
namespace {

constexpr const char* kProgramExpected = "a program, or a list of it and its arguments";

}  // namespace

std::string read_command_policy(
    const Value& mapping, const std::function<std::filesystem::path(const std::string&)>& locate) {
  Fields fields(mapping);
  const auto command = fields.require("command", kProgramExpected);
  fields.finish();
  if (!command) return {};
  std::vector<std::string> words;
  if (command->is_list()) {
    for (const Value& word : command->list(kProgramExpected))
      words.push_back(word.text().value_or(""));
  } else {
    words.push_back(command->text(kProgramExpected).value_or(""));
  }
  if (words.empty() || words.front().empty()) {
    command->fail(kProgramExpected);
    return {};
  }
  if (words.front().find('/') != std::string::npos) {
    const std::string found = locate(words.front()).string();
    // A name without a slash would be searched on PATH.
    words.front() = found.find('/') == std::string::npos ? "./" + found : found;
  }
  return "command:" + policies::join_words(words);
}

}  // namespace sim::scenario
