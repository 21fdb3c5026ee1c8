#include "sim/cli/command_tree.h"

#include <fmt/format.h>

namespace sim::cli {
namespace {

void add_commands(const CLI::App& app, const std::string& path, std::vector<Command>& commands) {
  const auto words = app.get_subcommands([](const CLI::App*) { return true; });
  commands.push_back({path, &app, words});
  for (const CLI::App* word : words)
    add_commands(*word, path.empty() ? word->get_name() : path + " " + word->get_name(), commands);
}

// The text between the brackets of CLI11's description of a type, "INT:INT in [1 - 9]".
std::string between(const std::string& text, char open, char close) {
  const std::size_t begin = text.find(open), end = text.find(close, begin);
  if (begin == std::string::npos || end == std::string::npos) return "";
  return text.substr(begin + 1, end - begin - 1);
}

}  // namespace

std::vector<Command> commands_of(const CLI::App& root) {
  std::vector<Command> commands;
  add_commands(root, "", commands);
  return commands;
}

std::vector<Command> commands_below(const CLI::App& root) {
  std::vector<Command> commands = commands_of(root);
  commands.erase(commands.begin());
  return commands;
}

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// "{best,markov}", or "{fiber->1,process->0}" of a transformed value.
std::vector<std::string> choices(const CLI::Option& option) {
  std::vector<std::string> words;
  for (const std::string& word : CLI::detail::split(between(option.get_type_name(), '{', '}'), ','))
    if (!word.empty()) words.push_back(word.substr(0, word.find("->")));
  return words;
}

std::string value_text(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.empty()) return "";
  if (const auto words = choices(option); !words.empty())
    return fmt::format("{}", fmt::join(words, ", "));
  const bool number = type.starts_with("FLOAT"), whole = type.find("INT") != std::string::npos;
  const std::string kind = number ? "number" : whole ? "whole number" : "text";
  const std::string range = between(type, '[', ']');
  if (range.empty()) return kind;
  const std::size_t dash = range.find(" - ");
  return fmt::format("{} from {} to {}", kind, range.substr(0, dash), range.substr(dash + 3));
}

}  // namespace sim::cli
