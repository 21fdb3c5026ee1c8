// Calls by which threads of one program begin, wait and wake.
//
// Futexes: a wait with a timeout is held here, so each wake in the kernel must be matched with it.
// A private wake is a trapped call and finds its held waiters by (process, address). Other wakes
// make no call that could be matched: the kernel at a thread's end, or another process through
// shared memory. They change the word first, so a held wait whose word has changed ends when all is
// quiet. Waking too often is legal.
//
// In lockstep the filter passes on all calls by which two threads may come to run at the same time.
// So one of a program's threads runs until it rests, also while it waits for this machine's disk.
#include <linux/futex.h>

#include "sim/guest/time/calls/trapped_calls.h"

namespace sim::guest::calls {
namespace {

// The clock by which a wait ends.
clockid_t clock_of(const TrappedCall& call, int command) {
  const bool realtime = (call.integer(1) & FUTEX_CLOCK_REALTIME) != 0 && command != FUTEX_WAIT;
  return realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

// The deadline of a wait with this timeout; empty if the kernel returns EINVAL.
std::optional<Time> deadline(const TrappedCall& call, int command, const timespec& timeout) {
  const auto length = to_duration(timeout);
  if (!length) return {};
  if (command == FUTEX_WAIT) return call.after(*length);
  return call.guest.clock.when(clock_of(call, command), *length);
}

void wait(TrappedCall& call, int command) {
  const std::uint64_t address = call.argument(0), timeout_at = call.argument(3);
  const auto expected = static_cast<std::uint32_t>(call.argument(2));
  const auto word = call.read<std::uint32_t>(address);
  const auto timeout = call.read<timespec>(timeout_at);
  if (!word || (timeout_at != 0 && !timeout)) return call.fail(EFAULT);
  const auto until = timeout ? deadline(call, command, *timeout) : call.now() + kForever;
  if (!until) return call.fail(EINVAL);
  if (*word != expected) return call.fail(EAGAIN);

  HeldCall held = call.wait_until(*until);
  held.while_asleep = GuestClock::while_asleep(clock_of(call, command));
  held.expire = [call] { call.fail(ETIMEDOUT); };
  held.ready_when_quiet = [call, address, expected] {
    const auto now_there = call.read<std::uint32_t>(address);
    if (now_there && *now_there == expected) return false;
    call.answer(0);
    return true;
  };
  const std::uint32_t bits =
      command == FUTEX_WAIT ? ~std::uint32_t{0} : static_cast<std::uint32_t>(call.argument(5));
  held.futex = FutexWait{call.process(), address, bits};
  held.woken = [call] {
    call.answer(0);
    return true;
  };
  call.hold(std::move(held));
}

// Wakes held waiters first, which continue when the waking task rests; the kernel wakes its own if
// there are fewer. Its count then leaves out the held ones. We know of no program that depends on
// this count.
void wake(TrappedCall& call, int command) {
  auto most = static_cast<std::uint64_t>(std::max(call.integer(2), 0));
  const bool requeues = command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE;
  // A waiter that would be moved to another word is woken instead: it waits there by itself.
  if (requeues) most += static_cast<std::uint64_t>(std::max(call.integer(3), 0));
  FutexWait wanted{call.process(), call.argument(0)};
  if (command == FUTEX_WAKE_BITSET) wanted.bits = static_cast<std::uint32_t>(call.argument(5));
  call.world.wake(call.guest);
  const std::uint64_t woken = call.guest.held.wake(wanted, most);
  const bool plain = command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET;
  if (plain && woken == most && most > 0) return call.answer(static_cast<std::int64_t>(woken));
  call.go_on();
}

}  // namespace

void futex(TrappedCall& call) {
  const int command = call.integer(1) & FUTEX_CMD_MASK;
  command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ? wait(call, command) : wake(call, command);
}

void begin(TrappedCall& call) { call.go_on(); }

// wait4 and waitid with WNOHANG. The child gets a turn first, and may end in that turn.
void ask_for_child(TrappedCall& call) { call.go_on(); }

// All other runnable tasks have their turn, and a program that spins until another task acts takes
// time.
void sched_yield(TrappedCall& call) { call.hold(call.wait_until(call.after(Duration{0}))); }

}  // namespace sim::guest::calls
