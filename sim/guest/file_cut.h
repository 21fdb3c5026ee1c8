// A power cut that a file of the instance brings about.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace sim::guest {

struct FileCut {
  std::string path;        // in the guest, as fnmatch(3) has it; its links are followed
  std::int64_t bytes = 0;  // the instance's own writes have the file reach these
  bool again = false;      // only a file whose name is there when the host is told
  bool flushed = false;    // everything on its volumes is written back just then
  std::function<void()> cut;
};

}  // namespace sim::guest
