// Completion for fish: a function finds the command that the words so far name, and each `complete`
// line offers a word or an option of one command.
#include <fmt/format.h>

#include "sim/cli/command_tree.h"
#include "sim/cli/help.h"

namespace sim::cli {
namespace {

// Quotes a text for fish.
std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string option_lines(const Command& command, const std::string& begin) {
  std::string lines;
  for (const CLI::Option* option : command.app->get_options()) {
    const auto words = choices(*option);
    const std::string values =
        words.empty() ? "" : fmt::format(" -x -a '{}'", fmt::join(words, " "));
    const std::string takes =
        values.empty() && option->get_items_expected_max() > 0 ? " -r" : values;
    for (const std::string& name : option->get_lnames())
      lines += fmt::format("{} -l {}{} -d {}\n", begin, name, takes,
                           fish_quoted(option->get_description()));
    if (option->get_positional() && !words.empty())
      lines += fmt::format("{} -f -a '{}'\n", begin, fmt::join(words, " "));
  }
  return lines;
}

}  // namespace

std::string fish_completion(const CLI::App& root) {
  std::string paths, lines;
  for (const Command& command : commands_below(root)) paths += " " + fish_quoted(command.path);
  for (const Command& command : commands_of(root)) {
    const std::string begin =
        fmt::format("complete -c spotsim -n \"__spotsim_at {}\"", fish_quoted(command.path));
    for (const CLI::App* word : command.words)
      lines += fmt::format("{} -f -a {} -d {}\n", begin, word->get_name(),
                           fish_quoted(word->get_description()));
    lines += option_lines(command, begin);
  }
  return fmt::format(R"(function __spotsim_at
  set -l command
  for word in (commandline -opc)[2..]
    set -l longer (string join ' ' $command $word)
    if contains -- "$longer"{}
      set command $command $word
    end
  end
  test "$command" = "$argv"
end
{})",
                     paths, lines);
}

}  // namespace sim::cli
