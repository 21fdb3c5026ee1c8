// Progress lines about a job, which spotrun and spottrain append to the file or FIFO that
// JOB_EVENTS names (docs/event-log.md lists them).
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"

namespace base {

class ProgressLines {
 public:
  // What to do if the FIFO's reader is late.
  enum class WhenFull { kWait, kLeaveOut };

  // Creates the file if it is missing. No lines are written if `path` is empty or a FIFO without a
  // reader, or after a FIFO's reader has gone. `complain` gets an error for a file that cannot be
  // opened, and for every line that could not be written. With a path, the process ignores SIGPIPE.
  ProgressLines(std::string source, std::string path, WhenFull when_full,
                std::function<void(const std::string&)> complain);

  // Writes one line {"source": …, "event": …, fields…} with one write(2), so that lines of several
  // programs do not mix. Invalid UTF-8 is replaced.
  void write(std::string_view event, const nlohmann::ordered_json& fields);

 private:
  std::string source_, path_;
  std::function<void(const std::string&)> complain_;
  FileDescriptor file_;
};

}  // namespace base
