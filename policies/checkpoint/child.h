// A program that answers questions line by line. Its stderr is passed on.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "policies/checkpoint/policy.h"

namespace policies {

class Child {
 public:
  // Starts a program with its arguments, found on PATH unless its name has a slash, in a process
  // group of its own, with a socket as stdin and stdout. Throws std::invalid_argument with the
  // reason when it cannot be started.
  explicit Child(const std::vector<std::string>& command);
  // Closes the program's stdin, on which it should end, and kills it after a second.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Sends a line (without its '\n') and waits for the answer, ten seconds at most. Throws
  // PolicyFailed with the program's last line on stderr if it ends, does not answer, or answers
  // more than 64 KiB.
  std::string exchange(const std::string& line);
  // Sends a line that has no answer. Throws PolicyFailed when the program ends or does not read.
  void tell(const std::string& line);

 private:
  void send(const std::string& text);
  std::string receive();
  // Waits until the socket is ready, ten seconds at most, and passes on what comes on stderr.
  bool ready(short events);
  void pass_on_errors();
  // Its wait status, if it ends within a second.
  std::optional<int> end();
  [[noreturn]] void fail_at_end();
  [[noreturn]] void fail(std::string_view why);

  std::string program_;
  int pid_ = -1;
  base::FileDescriptor socket_, errors_;
  std::string received_;
  std::string said_;  // the end of what it wrote to stderr
};

}  // namespace policies
