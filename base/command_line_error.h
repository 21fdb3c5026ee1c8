// What is said of a command line that a program cannot take: what was found, and what is expected.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace base {

// What is wrong with the commands that a command line begins with, after the program's name: one
// that is unknown, or none where one is required; empty when nothing is, or an option stands there.
std::optional<std::string> unknown_command(const CLI::App& app, std::span<const char* const> words);

// CLI11's error in the project's form, behind the names of program and command. `app` has parsed,
// and its name is the program's.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace base
