// Pieces of work in child processes: a run of real guests needs a process of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace sim::explore {

struct ChildWork {
  std::size_t pieces = 0;
  std::size_t at_once = 1;
  // In the child: a piece's answer, a line without its end; empty: it was ended before. `place` is
  // below at_once, and of no other child at the time.
  std::function<std::string(std::size_t piece, std::size_t place)> work;
  // In this process, in the pieces' order, as soon as those before are done.
  std::function<void(std::size_t piece, const std::string& answer)> done;
  std::function<bool()> may_begin;  // asked before each piece; false: no more are begun
  std::function<bool()> stopped;    // true: the children are told to end, and none is waited for
};

// Returns how many pieces were done, from the first on. This process has no other threads. Throws
// run::RunError where a child ends without an answer.
std::size_t in_children(const ChildWork& work);

}  // namespace sim::explore
