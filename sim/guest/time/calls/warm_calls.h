// Calls by which a program that continues from a memory image (sim/guest/warm) reaches the
// supervisor. Each is clock_gettime(2) of a clock that does not exist, because every filter passes
// that call on, and a Python program can make it.
//
// A continued program omits the start of a new program. It asks the supervisor to skip that start:
// the supervisor draws the random bytes and ports of the start, and lets the time of its clock
// reads pass. The log is meant to be the same. docs/sandbox.md states the known differences.
#pragma once

#include <cstdint>

namespace sim::guest {

// The resources of a guest that a program uses at its start. The log depends on their order.
enum class Taken : std::uint8_t {
  kReads = 0,   // of clocks; amount: how many
  kBytes = 1,   // getrandom; amount: bytes
  kImages = 2,  // AT_RANDOM of new program images; amount: how many
  kPorts = 3,   // that the program did not choose; amount: how many
  kNames = 4,   // of Unix sockets; amount: how many
};

struct TakenRecord {
  Taken what;
  std::uint32_t amount = 0;
};

// The second argument is a program's path. Returns a descriptor of a memory image of the program
// (image_layout.h), or fails.
constexpr int kClockOfImage = 0x53504f55;

// Draws `amount` of a resource and discards the result: kSkipClock | what << 24 | amount.
constexpr int kSkipClock = 0x6000'0000;
constexpr std::uint32_t kMostSkipped = 0xff'ffff;

// What the guest has taken, from 0 on (SupervisorHooks::taken): the "time" is {what, amount}.
constexpr int kClockOfRecords = 0x6800'0000;

}  // namespace sim::guest
