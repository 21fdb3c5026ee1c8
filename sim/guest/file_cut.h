// A power cut that strikes when a file of the instance reaches a size.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace sim::guest {

struct FileCut {
  std::string path;        // a pattern of fnmatch(3) in the guest; links are followed
  std::int64_t bytes = 0;  // the size that the instance's own writes must reach
  bool again = false;      // only a file that exists when the cut is requested
  bool flushed = false;    // all data on its volumes is written back first
  std::function<void()> cut;
};

}  // namespace sim::guest
