// Replaces the vDSO's clock_gettime in lockstep. It reads the clock without a system call while the
// supervisor has lent the clock to the task (clock_lease.h). Otherwise it makes the system call.
// The assembler code is in leased_clock.cpp.
#pragma once

#include <cstdint>
#include <span>

namespace sim::guest {

// The clock ID with which an image requests its guest's page. The call returns a descriptor that is
// mapped at kLeasePage, an unused address between those of programs and libraries.
constexpr int kClockOfLeasePage = 0x53504f54;
constexpr std::uint64_t kLeasePage = 0x2000'0000'0000;

// Values of a call's fifth argument, which the kernel ignores. kPageIsMapped: the page is mapped
// from now on. kPageIsRead: the code reads the page, and the sixth argument is the task's number in
// its own namespace.
constexpr std::uint64_t kPageIsMapped = kLeasePage, kPageIsRead = kLeasePage + 1;

// The code from the entry point on; it does not depend on its address. It requests the page at each
// read until leased_clock_entry() replaces its first bytes.
std::span<const unsigned char> leased_clock_code();
// From then on it reads the page.
std::span<const unsigned char> leased_clock_entry();

}  // namespace sim::guest
