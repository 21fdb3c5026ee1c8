#include "base/command_line_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <regex>
#include <vector>

#include "base/nearest.h"

namespace base {
namespace {

std::string in_a_row(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

// In the order of the help.
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string expected_one(const CLI::App& app, const std::string& found) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  const auto meant = nearest(found, {names.begin(), names.end()});
  return "expected " + (meant ? "\"" + *meant + "\"; there are" : std::string("one of")) + " " +
         in_a_row(names) + " (--help says more)";
}

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

bool has_option(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, is_option);
}

std::string unexpected(const CLI::App& command, const std::vector<std::string>& words) {
  const auto option = std::ranges::find_if(words, is_option);
  if (option == words.end())
    return "found \"" + (words.empty() ? "" : words.front()) + "\", expected nothing more";
  std::set<std::string> names;
  for (const CLI::Option* known : command.get_options())
    for (const std::string& name : known->get_lnames()) names.insert("--" + name);
  const std::string found = option->substr(0, option->find('='));
  // A command takes what it knows: this one stood before it.
  if (names.contains(found))
    return "found " + found + " before \"" + command.get_name() + "\", expected it behind";
  const auto meant = nearest(found, names);
  return "found unknown option \"" + found + "\", expected " +
         (meant ? "\"" + *meant + "\"" : "one of " + in_a_row({names.begin(), names.end()})) +
         " (--help says more)";
}

// "1.500000" as "1.5", and nothing for a bound that is none.
std::string bound(std::string number) {
  if (number.size() > 20) return "";
  if (number.find('.') != number.npos) {
    while (number.ends_with('0')) number.pop_back();
    if (number.ends_with('.')) number.pop_back();
  }
  return number;
}

// "fiber->1,process->0" as "fiber, process".
std::string names_in(const std::string& set) {
  static const std::regex value("->[^,]*"), comma(",");
  return std::regex_replace(std::regex_replace(set, value, ""), comma, ", ");
}

// CLI11's sentences that do not say what was found and what is expected.
std::string reworded(const std::string& text) {
  static const std::regex conversion("Could not convert: (\\S+) = (.*)"),
      range("(\\S+): Value (.*) not in range (\\S+) to (\\S+)"),
      mapped("(\\S+): Check (.*) value in \\{(.*?)\\}.* FAILED"),
      member("(\\S+): (.*) not in \\{(.*)\\}");
  std::smatch match;
  const auto found = [&] {
    return match[1].str() + ": found \"" + match[2].str() + "\", expected ";
  };
  if (std::regex_match(text, match, conversion)) return found() + "a number";
  if (std::regex_match(text, match, range)) {
    const std::string most = bound(match[4]);
    return found() + "a number from " + bound(match[3]) + (most.empty() ? "" : " to " + most);
  }
  if (std::regex_match(text, match, mapped) || std::regex_match(text, match, member))
    return found() + "one of " + names_in(match[3]);
  return text;
}

}  // namespace

std::optional<std::string> unknown_command(const CLI::App& app,
                                           std::span<const char* const> words) {
  const CLI::App* at = &app;
  std::string name = app.get_name();
  for (const std::string word : words) {
    if (at->get_require_subcommand_min() == 0 || word.starts_with('-')) return {};
    const auto commands = commands_of(*at);
    const auto found = std::ranges::find(commands, word, &CLI::App::get_name);
    if (found == commands.end())
      return name + ": found unknown command \"" + word + "\", " + expected_one(*at, word);
    at = *found;
    name += " " + word;
  }
  if (at->get_require_subcommand_min() == 0) return {};
  return name + ": found no command, " + expected_one(*at, "");
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* at = &app;
  std::string name = app.get_name();
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    name += " " + at->get_name();
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error))
    return name + ": " + unexpected(*at, app.remaining(true));
  if (dynamic_cast<const CLI::RequiredError*>(&error) && has_option(app.remaining(true)))
    return name + ": " + unexpected(*at, app.remaining(true));
  if (dynamic_cast<const CLI::RequiredError*>(&error))
    return name + ": " + error.what() + " (--help says more)";
  return name + ": " + reworded(error.what());
}

}  // namespace base
