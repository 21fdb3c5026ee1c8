// The commands of a command line as plain lists. The page of the commands, completion and help are
// made from them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sim::cli {

struct Command {
  std::string path;  // "trace synth"; empty for the program itself
  const CLI::App* app;
  std::vector<const CLI::App*> words;  // its subcommands
};

// The program itself and all its commands, each before its subcommands.
std::vector<Command> commands_of(const CLI::App& root);
// All commands except the program itself.
std::vector<Command> commands_below(const CLI::App& root);

// The long names of its options, "--out".
std::vector<std::string> long_options(const CLI::App& command);

// The possible words of an option's value, if they are few: "process", "fiber".
std::vector<std::string> choices(const CLI::Option& option);
// The type of an option's value in words: "text", "a number from 0 to 100", "bash or zsh". Empty
// for a flag.
std::string value_text(const CLI::Option& option);

}  // namespace sim::cli
