// Images of programs at their entry point: the dynamic linker has loaded the libraries and run
// their initializers, and main() has not begun. What the program then does with its arguments,
// environment and files is not in the image.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/guest/time/calls/warm_calls.h"
#include "sim/guest/warm/image_layout.h"

namespace sim::guest::warm {

// Writes a copy of the program that calls sync(2) at its entry point, where its image can be taken.
// Returns the code which that call replaced. Throws std::runtime_error if the program is not a
// dynamically linked one of this kind of machine, or if the copy cannot be written.
std::string copy_that_stops(const std::filesystem::path& program,
                            const std::filesystem::path& copy);

// The rest of what an image at the entry point needs.
struct AtEntry {
  std::string code;  // of copy_that_stops()
  std::string copy;  // its path in the guest
  std::vector<TakenRecord> taken;
};

// The resources that the start took, as the starter draws them. Throws std::runtime_error if the
// starter cannot: the first is the program's own image, and others must be random bytes.
std::vector<Draw> draws_of(const std::vector<TakenRecord>& taken);

// The libraries that a process has mapped, and the files by which the linker has found them.
// `program`: the process's own file, which is not among them.
std::vector<std::string> linked_files(pid_t process, const std::string& program);

// The auxiliary value of this kind (AT_…) that the process got; 0: none.
std::uint64_t auxiliary_value(const std::string& proc, std::uint64_t kind);

// All pointers of the process's own memory to what the kernel put on its stack, which begins at
// `stack`. `memory`: its /proc/PID/mem. Throws std::runtime_error if there are others to this part
// of the stack, which the starter could not set.
std::vector<StackPointer> pointers_to_stack(const std::string& proc, int memory,
                                            std::uint64_t stack);

}  // namespace sim::guest::warm
