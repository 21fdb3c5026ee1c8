// Independent pieces of work on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace sim::market {

// How many pieces can be worked on at once, at least one.
std::size_t cores();

// Calls work(0) … work(n − 1), each once, on as many threads as there are cores, and returns when
// all are done. Throws what the one of the least number threw. No thread is left.
void in_parallel(std::size_t n, const std::function<void(std::size_t)>& work);

}  // namespace sim::market
