// Runs pieces of work in child processes. Explore uses it for real guests, because a run of real
// guests needs a process of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace sim::explore {

struct ChildWork {
  std::size_t pieces = 0;
  std::size_t at_once = 1;
  // Runs in the child and returns the piece's answer, one line without its end. An empty answer
  // means that the piece was interrupted. `place` is below at_once, and no other running child has
  // it.
  std::function<std::string(std::size_t piece, std::size_t place)> work;
  // Runs in this process, in the order of the pieces, as soon as all earlier pieces are done.
  std::function<void(std::size_t piece, const std::string& answer)> done;
  std::function<bool()> may_begin;  // called before each piece; false: no further piece begins
  std::function<bool()> stopped;    // true: ends the children without waiting for their answers
};

// Returns the number of pieces that were done, counted from the first. This process must have no
// other threads. Throws run::RunError if a child ends without an answer.
std::size_t in_children(const ChildWork& work);

}  // namespace sim::explore
