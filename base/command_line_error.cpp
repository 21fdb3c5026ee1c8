#include "base/command_line_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text/nearest.h"

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
         in_a_row(names) + " (see --help)";
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
  // The argument is an option that this command knows, but it stood before the command.
  if (names.contains(found))
    return "found " + found + " before \"" + command.get_name() +
           "\", expected it after the command";
  const auto meant = nearest(found, names);
  return "found unknown option \"" + found + "\", expected " +
         (meant ? "\"" + *meant + "\"" : "one of " + in_a_row({names.begin(), names.end()})) +
         " (see --help)";
}

// "1.500000" as "1.5", and an empty text for a bound that is no limit.
std::string bound(std::string number) {
  if (number.size() > 20) return "";
  if (number.find('.') != number.npos) {
    while (number.ends_with('0')) number.pop_back();
    if (number.ends_with('.')) number.pop_back();
  }
  return number;
}

// "fiber->1,process->0" as "fiber, process".
std::string names_in(std::string_view set) {
  std::vector<std::string> names;
  while (!set.empty()) {
    const std::string_view entry = set.substr(0, set.find(','));
    names.emplace_back(entry.substr(0, entry.find("->")));
    set.remove_prefix(std::min(set.size(), entry.size() + 1));
  }
  return in_a_row(names);
}

// A sentence of CLI11's: the option's name, then what stands after each of these words. The value
// that a user typed may have the words in it, too, so all but the first are looked for from the
// end. Without std::regex, which needs a stack as deep as a value is long.
std::vector<std::string> parts_of(std::string_view text, std::vector<std::string_view> words) {
  const std::size_t first = text.find(words.front());
  if (first == text.npos) return {};
  const std::size_t value = first + words.front().size();
  std::vector<std::string> parts;
  std::size_t end = text.size();
  for (; words.size() > 1; words.pop_back()) {
    const std::size_t at = text.substr(0, end).rfind(words.back());
    if (at == text.npos || at < value) return {};
    const std::size_t begin = at + words.back().size();
    parts.emplace(parts.begin(), text.substr(begin, end - begin));
    end = at;
  }
  parts.emplace(parts.begin(), text.substr(value, end - value));
  parts.emplace(parts.begin(), text.substr(0, first));
  return parts;
}

// Rewords CLI11's sentences that lack the found or the expected value.
std::string reworded(const std::string& text) {
  const auto found = [](const std::string& option, const std::string& value) {
    return option + ": found \"" + value + "\", expected ";
  };
  constexpr std::string_view kConversion = "Could not convert: ";
  if (text.starts_with(kConversion))
    if (const auto parts = parts_of(std::string_view(text).substr(kConversion.size()), {" = "});
        !parts.empty())
      return found(parts[0], parts[1]) + "a number";
  if (const auto parts = parts_of(text, {": Value ", " not in range ", " to "}); !parts.empty()) {
    const std::string most = bound(parts[3]);
    return found(parts[0], parts[1]) + "a number from " + bound(parts[2]) +
           (most.empty() ? "" : " to " + most);
  }
  if (const auto parts = parts_of(text, {": Check ", " value in {", "} OR {"}); !parts.empty())
    return found(parts[0], parts[1]) + "one of " + names_in(parts[2]);
  if (const auto parts = parts_of(text, {": ", " not in {", "}"}); !parts.empty())
    return found(parts[0], parts[1]) + "one of " + names_in(parts[2]);
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
    return name + ": " + error.what() + " (see --help)";
  return name + ": " + reworded(error.what());
}

}  // namespace base
