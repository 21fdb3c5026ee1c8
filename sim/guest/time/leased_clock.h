// Replaces the vDSO's clock_gettime in lockstep. It reads the clock without a system call while the
// supervisor has lent it to the task (clock_lease.h), and makes the call otherwise.
// leased_clock.cpp has the assembler code.
#pragma once

#include <cstdint>
#include <span>

namespace sim::guest {

// The clock by which an image asks for its guest's page: the call returns a descriptor to be mapped
// at kLeasePage, where nothing else is: between what programs and libraries have.
constexpr int kClockOfLeasePage = 0x53504f54;
constexpr std::uint64_t kLeasePage = 0x2000'0000'0000;

// What a call's fifth argument says, which the kernel does not look at: the page is mapped from now
// on; the code reads it, and the sixth argument is the task's number in its own namespace.
constexpr std::uint64_t kPageIsMapped = kLeasePage, kPageIsRead = kLeasePage + 1;

// From the entry point on, the same wherever it lies: it asks for the page at each read until its
// first bytes are replaced by leased_clock_entry().
std::span<const unsigned char> leased_clock_code();
// From then on it reads the page.
std::span<const unsigned char> leased_clock_entry();

}  // namespace sim::guest
