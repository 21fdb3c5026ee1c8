// Runs pieces of work in child processes. Searches, sweeps and runs of several seeds use it for
// process guests, because such a run pins its process to a CPU that no other run has.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace sim::run {

struct ChildWork {
  std::size_t pieces = 0;
  std::size_t at_once = 1;
  // Runs in the child and returns the piece's answer, one line without its end. Empty: the piece
  // was cut short. `place` is below at_once, and no other running child has the same one.
  std::function<std::string(std::size_t piece, std::size_t place)> work;
  // Runs in this process, in the order of the pieces, as soon as all earlier pieces are done.
  std::function<void(std::size_t piece, const std::string& answer)> done;
  std::function<bool()> may_begin;  // called before each piece; false: no further piece begins
  std::function<bool()> stopped;    // true: ends the children without waiting for their answers
  // True: ends the children that still run, after `done` for all answers that are there. May be
  // empty.
  std::function<bool()> overdue = {};
  std::function<void(std::size_t piece)> cut_off = {};  // called for each piece that ended so
};

// Returns the number of pieces that were done before the first one that was not. This process must
// have no other threads. Throws RunError with the message of the first
// exception of `work`, and if a child ends without an answer.
std::size_t in_children(const ChildWork& work);

}  // namespace sim::run
