// For tests: spottrain as a process of its own, with its progress lines read as they come.
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
  ~Program();  // kills it when it still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The next progress line; empty when the program has ended.
  std::optional<nlohmann::json> next_line();
  // Reads progress lines up to and including the first of this event, and of this step when given;
  // false when the program ended before.
  bool read_until(const std::string& event, std::int64_t step = -1);
  // All progress lines read so far.
  const std::vector<nlohmann::json>& lines() const { return lines_; }

  // Reads the available lines without waiting; true if a line of this event was among them.
  bool read_ready(const std::string& event);

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  // Reads the remaining progress lines, then waits; the exit status, or 128 + the signal's number.
  int wait();
  bool ended();
  // What it wrote to stderr; after wait().
  std::string errors() const;
  int progress_pipe() const { return pipe_.get(); }

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
  base::FileDescriptor pipe_, errors_;
  std::string unread_;
  std::vector<nlohmann::json> lines_;
};

// Runs to the end.
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
