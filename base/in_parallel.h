// Independent pieces of work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace base {

// How many pieces can be worked on at once, at least one.
std::size_t cores();

// Calls work(0) … work(n − 1), each once and begun in this order, on so many threads, this one
// among them, and returns when all are done. After one has thrown no other begins; throws what the
// one of the least number threw. No thread is left.
void in_parallel(std::size_t n, const std::function<void(std::size_t)>& work,
                 std::size_t threads = cores());

}  // namespace base
