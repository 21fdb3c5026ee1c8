// Saying which commands there are to who names none of them.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace sim::cli {

// What is wrong with the commands that a command line begins with, after the program's name: one
// that is unknown, or none where one is required; empty when nothing is, or an option stands there.
std::optional<std::string> unknown_command(const CLI::App& app, std::span<const char* const> words);

}  // namespace sim::cli
