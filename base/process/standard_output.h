// Standard output as a part of a program's result: if it cannot be written, the program fails.
#pragma once

#include <functional>

namespace base {

// Runs `body`, the rest of main(), and returns its exit code. If output to stdout or std::cout was
// lost (full disk, closed descriptor), prints a message on stderr and returns 2. It also returns 2
// if fmt::print threw because stderr cannot be written.
//
// A closed standard descriptor is opened first, so that no other file gets its number: with stdout
// closed, the first file that a program opens would receive what it prints. A write to it fails.
int with_standard_output(const char* program, const std::function<int()>& body);

}  // namespace base
