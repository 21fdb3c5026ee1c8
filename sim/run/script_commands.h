// What a shell script calls, as far as its text alone says so.
#pragma once

#include <string>
#include <vector>

namespace sim::run {

struct ScriptCommand {
  std::string word;  // as a program is named: "mkfs.xfs", "/usr/local/bin/python"
  int line = 1;
};

// The first words of the commands of a script for sh or bash, and the words behind sudo, exec,
// nohup and their like, in order. Left out are the shell's own commands and the script's functions,
// what holds variables, what is quoted for another shell (bash -c "…") or stands in a
// here-document; and all that comes after a command that may bring programs with it, an install or
// a script that is sourced, or after a change of PATH, or behind a hundred substitutions in one
// another.
std::vector<ScriptCommand> commands_of(const std::string& script);

}  // namespace sim::run
