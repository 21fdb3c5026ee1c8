// Reads lines of shell scripts, without running them, for readers of users' scripts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sim::explore {

struct ShellCommand {
  std::vector<std::string> words;  // without quotes
  bool in_subshell = false;        // in parentheses
};

// The simple commands of a line, such as both of `mkdir a && cd a`. Redirections and comments are
// left out.
std::vector<ShellCommand> shell_commands(std::string_view line);

// A call of `aws s3 cp FROM TO`, `sync` or `mv`.
struct S3Copy {
  std::string from, to;
  bool one_file = true;
};

// Also those in a quoted text, as in `bash -c "aws s3 sync …"`. Options and their values are not
// paths (AWS CLI Command Reference, s3 cp, s3 sync and s3 mv).
std::vector<S3Copy> s3_copies(std::string_view line);

}  // namespace sim::explore
