// Completion: a shell function that first finds the command that the words so far name, and then
// offers what may come next.
#include <fmt/format.h>

#include "sim/cli/command_tree.h"
#include "sim/cli/help.h"

namespace sim::cli {
namespace {

// Quotes a text for a shell.
std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The case patterns of all commands: "run"|"trace synth".
std::string command_patterns(const CLI::App& root) {
  std::vector<std::string> patterns;
  for (const Command& command : commands_below(root))
    patterns.push_back("\"" + command.path + "\"");
  return fmt::format("{}", fmt::join(patterns, "|"));
}

// The options with few possible values, as shell code: 'best markov'.
template <typename Add>
void each_choice(const Command& command, const Add& add) {
  for (const CLI::Option* option : command.app->get_options()) {
    const auto words = choices(*option);
    if (words.empty()) continue;
    if (option->get_positional()) add("", words);
    for (const std::string& name : option->get_lnames()) add("--" + name, words);
  }
}

// The form of zsh's _describe: 'word:meaning'.
std::string described(const std::string& word, const std::string& what) {
  std::string text;
  for (const char c : word) text += c == ':' ? std::string("\\:") : std::string(1, c);
  return shell_quoted(text + ":" + what.substr(0, what.find('\n')));
}

}  // namespace

std::string bash_completion(const CLI::App& root) {
  std::string words, values;
  for (const Command& command : commands_of(root)) {
    std::vector<std::string> next;
    for (const CLI::App* word : command.words) next.push_back(word->get_name());
    for (const std::string& option : long_options(*command.app)) next.push_back(option);
    each_choice(command, [&](const std::string& option, const std::vector<std::string>& choice) {
      if (option.empty())
        next.insert(next.end(), choice.begin(), choice.end());
      else
        values += fmt::format("    \"{} {}\") words={} files= ;;\n", command.path, option,
                              shell_quoted(fmt::format("{}", fmt::join(choice, " "))));
    });
    words += fmt::format("      \"{}\") words={}{} ;;\n", command.path,
                         shell_quoted(fmt::format("{}", fmt::join(next, " "))),
                         command.words.empty() ? "" : " files=");
  }
  return fmt::format(R"(_spotsim() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
  local command="" word words="" files=yes
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "${{command:+$command }}$word" in
      {}) command=${{command:+$command }}$word ;;
    esac
  done
  case "$command $prev" in
{}    *) case "$command" in
{}    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"; [[ $files ]] && compgen -f -- "$cur"))
}}
complete -o filenames -F _spotsim spotsim ./spotsim
)",
                     command_patterns(root), values, words);
}

std::string zsh_completion(const CLI::App& root) {
  std::string words, values;
  for (const Command& command : commands_of(root)) {
    std::vector<std::string> next;
    for (const CLI::App* word : command.words)
      next.push_back(described(word->get_name(), word->get_description()));
    for (const CLI::Option* option : command.app->get_options())
      for (const std::string& name : option->get_lnames())
        next.push_back(described("--" + name, option->get_description()));
    each_choice(command, [&](const std::string& option, const std::vector<std::string>& choice) {
      if (option.empty())
        next.insert(next.end(), choice.begin(), choice.end());
      else
        values += fmt::format("    \"{} {}\") entries=({}) files= ;;\n", command.path, option,
                              fmt::join(choice, " "));
    });
    words += fmt::format("      \"{}\") entries=({}){} ;;\n", command.path, fmt::join(next, " "),
                         command.words.empty() ? "" : " files=");
  }
  return fmt::format(R"(#compdef spotsim
_spotsim() {{
  local command="" word files=yes
  local -a entries
  for word in "${{words[@]:1:$((CURRENT - 2))}}"; do
    case "${{command:+$command }}$word" in
      {}) command=${{command:+$command }}$word ;;
    esac
  done
  case "$command ${{words[CURRENT-1]}}" in
{}    *) case "$command" in
{}    esac ;;
  esac
  _describe spotsim entries
  if [[ -n $files ]]; then _files; fi
}}
if [[ ${{funcstack[1]}} == _spotsim ]]; then
  _spotsim "$@"  # this file is being autoloaded
else
  compdef _spotsim spotsim ./spotsim
fi
)",
                     command_patterns(root), values, words);
}

}  // namespace sim::cli
