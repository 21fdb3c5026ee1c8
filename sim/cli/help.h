// The command line described from its own definition: the page docs/cli.md, and completion for
// shells.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace sim::cli {

// All commands with their arguments, as Markdown.
std::string cli_page(const CLI::App& root);
// The shell code for `source <(spotsim completion bash)`: it offers the words that may come next,
// and files.
std::string bash_completion(const CLI::App& root);
// The same for zsh, each word with its description.
std::string zsh_completion(const CLI::App& root);
// The same for fish: `spotsim completion fish | source`.
std::string fish_completion(const CLI::App& root);

// A help formatter that shows types of values in words, "fiber|process", instead of CLI11's terms.
std::shared_ptr<CLI::FormatterBase> help_in_words();

// Adds `help` and `completion`. Call it after all other commands were added; `app` must outlive its
// parsing.
void add_help_commands(CLI::App& app);

}  // namespace sim::cli
