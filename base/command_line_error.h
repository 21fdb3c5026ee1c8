// Error messages for a program's command line: the found value and the expected one.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace base {

// The error in the commands at the begin of a command line, after the program's name: an unknown
// one, or none where one is required. Empty if there is no error, or an option comes first.
std::optional<std::string> unknown_command(const CLI::App& app, std::span<const char* const> words);

// CLI11's error in the project's form, after the names of program and command. `app` has parsed the
// line, and its name is the program's.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace base
