// Independent pieces of work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace base {

// The number of pieces that can be worked on at once, at least one.
std::size_t cores();

// Calls work(0) … work(n − 1), each once and begun in this order, on the given number of threads,
// including the caller's. Returns when all calls are done. After a call has thrown, no other
// begins, and the exception of the call with the least number is thrown. No thread remains.
void in_parallel(std::size_t n, const std::function<void(std::size_t)>& work,
                 std::size_t threads = cores());

}  // namespace base
