// Parses shell scripts that are lists of simple commands and so need no shell.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace sim::guest {

// The script has something else.
struct ScriptError : std::runtime_error {
  ScriptError(int in_line, const std::string& what) : std::runtime_error(what), line(in_line) {}
  int line;  // from 1
};

struct SimpleCommand {
  int line = 1;  // where it begins
  std::vector<std::string> words;
};

// Reads blanks, comments, words, '…' and "…" quotes, and backslashes as bash does. Throws
// ScriptError for everything else: operators, expansions, patterns, assignments.
std::vector<SimpleCommand> read_plain_script(const std::string& text);

}  // namespace sim::guest
