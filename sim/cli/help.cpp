#include "sim/cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/command_line_error.h"
#include "sim/cli/command_tree.h"

namespace sim::cli {
namespace {

constexpr const char* kPageHead =
    R"(<!-- Made by `spotsim help --markdown`: change the command's own text, not this page. -->
# Commands

{}

Exit status: 0 for success; 1 if a scenario's expectation fails, or the service refuses a request of
`spotsim ctl`; 2 for bad input, or if no service answers.
`spotsim help COMMAND`, or `spotsim COMMAND --help`, prints a command's part of this page.

On a terminal, outcomes, headings and errors have colours. Elsewhere all output is plain text, also
if `NO_COLOR` is set and not empty, or `TERM` is `dumb`.

Shell completion: `cmake --install` installs it for bash-completion, zsh and fish. Otherwise put
`source <(spotsim completion bash)` into `~/.bashrc`, or `source <(spotsim completion zsh)` into
`~/.zshrc` after `compinit`, or `spotsim completion fish | source` into `config.fish`.
)";

// A `|` would end a cell, and <name> would be taken for HTML.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*') out += '\\';
    out += c;
  }
  return out;
}

std::string joined_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string option_row(const CLI::Option& option) {
  std::string value = value_text(option);
  if (option.get_items_expected_max() > 1) value += "; several";
  if (option.get_required()) value += "; required";
  if (!option.get_default_str().empty()) value += "; default " + option.get_default_str();
  if (value.starts_with("; ")) value.erase(0, 2);
  const std::string name = option.get_positional() ? option.get_name(true) : option.get_name();
  return fmt::format("| `{}` | {} | {} |\n", name, cell(value),
                     cell(joined_line(option.get_description())));
}

std::string command_section(const Command& command) {
  std::string usage = "spotsim " + command.path + " [OPTIONS]";
  std::string rows;
  for (const CLI::Option* option : command.app->get_options()) {
    if (option->get_name() == "--help" || option->get_name() == "-h,--help") continue;
    rows += option_row(*option);
    if (!option->get_positional()) continue;
    const bool many = option->get_items_expected_max() > 1;
    const std::string name = option->get_name(true) + (many ? "..." : "");
    usage += option->get_required() ? " " + name : " [" + name + "]";
  }
  std::string text = fmt::format("\n## {}\n\n{}.\n\n    {}\n", command.path,
                                 command.app->get_description(), usage);
  if (!rows.empty()) text += "\n| argument | value | meaning |\n|---|---|---|\n" + rows;
  return text;
}

class InWords final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    const std::string type = get_label(option->get_type_name());
    if (type.find_first_of(":{") == std::string::npos) return text;
    const auto words = choices(*option);
    const std::string plain =
        words.empty() ? value_text(*option) : fmt::format("{}", fmt::join(words, "|"));
    if (const auto at = text.find(type); at != std::string::npos)
      text.replace(at, type.size(), plain);
    return text;
  }
};

// The help of the command that these words lead to.
std::string help_of(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string above;
  for (const std::string& word : words) {
    const auto below = at->get_subcommands([](const CLI::App*) { return true; });
    const auto found = std::ranges::find(below, word, &CLI::App::get_name);
    if (found == below.end()) {
      std::vector<const char*> all;
      for (const std::string& each : words) all.push_back(each.c_str());
      const std::string wrong = base::unknown_command(app, all).value_or("found \"" + word + "\"");
      throw CLI::ValidationError(wrong.substr(wrong.find("found")),
                                 CLI::ExitCodes::ValidationError);
    }
    above += (above.empty() ? "" : " ") + at->get_name();
    at = *found;
  }
  // app.help() would print the help of the running command, which is `help`.
  const std::string name = above.empty() ? at->get_name() : above + " " + at->get_name();
  return at->get_formatter()->make_help(at, name, CLI::AppFormatMode::Normal);
}

const std::map<std::string, std::string (*)(const CLI::App&)> kShells{
    {"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_in_words() { return std::make_shared<InWords>(); }

std::string cli_page(const CLI::App& root) {
  std::string page = fmt::format(kPageHead, root.get_description());
  for (const Command& command : commands_below(root))
    if (command.words.empty()) page += command_section(command);
  return page;
}

void add_help_commands(CLI::App& app) {
  CLI::App* help = app.add_subcommand("help", "List the commands, or print the options of one");
  auto markdown = std::make_shared<bool>(false);
  auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("COMMAND", *words, "such as trace synth");
  help->add_flag("--markdown", *markdown,
                 "print all commands and their arguments as Markdown (docs/cli.md)");
  help->callback([&app, markdown, words] {
    fmt::print("{}", *markdown ? cli_page(app) : help_of(app, *words));
  });
  CLI::App* completion = app.add_subcommand("completion", "Print a shell's completion");
  auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "the shell, as in: source <(spotsim completion bash)")
      ->required()
      ->check(CLI::IsMember(kShells));
  completion->callback([&app, shell] { fmt::print("{}", kShells.at(*shell)(app)); });
}

}  // namespace sim::cli
