// Progress lines for whoever watches the job; docs/event-log.md lists them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"

namespace spottrain {

using Json = nlohmann::ordered_json;

class ProgressLines {
 public:
  // Appends to this file or FIFO; without one when path is empty or nobody reads the FIFO. Says on
  // stderr when the file cannot be opened, and goes without.
  explicit ProgressLines(const std::string& path);

  // One line {"source": "trainer", "event": …, fields…}, in one write(2).
  void write(std::string_view event, const Json& fields);

 private:
  std::string path_;
  base::FileDescriptor fd_;
};

}  // namespace spottrain
