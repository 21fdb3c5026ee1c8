// For tests: spottrain as a separate process. Its progress lines are read as soon as they are
// written.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file_descriptor.h"

namespace spottrain {

using Arguments = std::vector<std::string>;
using Environment = std::vector<std::pair<std::string, std::string>>;

class Program {
 public:
  // Starts spottrain. Its progress lines come through a pipe; stderr goes to a temporary file,
  // stdout to `output`.
  explicit Program(const Arguments& arguments, const Environment& environment = {},
                   const char* output = "/dev/null");
  ~Program();  // kills the program if it still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The next progress line. Empty if the program has ended.
  std::optional<nlohmann::json> next_line();
  // Reads progress lines up to the first line of this event, and of this step if it is given. False
  // if the program ended before.
  bool read_until(const std::string& event, std::int64_t step = -1);
  // All progress lines read so far.
  const std::vector<nlohmann::json>& lines() const { return lines_; }

  // Reads the available lines without waiting; true if a line of this event was among them.
  bool read_ready(const std::string& event);

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  // Reads the remaining progress lines, then waits. Returns the exit status, or 128 + the signal's
  // number.
  int wait();
  bool ended();
  // The program's output on stderr. Call it after wait().
  std::string errors() const;
  int progress_pipe() const { return pipe_.get(); }

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
  base::FileDescriptor pipe_, errors_;
  std::string unread_;
  std::vector<nlohmann::json> lines_;
};

// The result of a program that ran to its end.
struct Outcome {
  int status;
  std::string errors;
  std::vector<nlohmann::json> lines;
};
Outcome run(const Arguments& arguments, const Environment& environment = {},
            const char* output = "/dev/null");

// The lines of one event.
std::vector<nlohmann::json> lines_of(const std::vector<nlohmann::json>& lines,
                                     const std::string& event);

}  // namespace spottrain
