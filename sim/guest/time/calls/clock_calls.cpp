// Clock reads (CPU-time clocks never come here: the filter lets them through), sleeps, and waiting
// for a signal with a timeout.
#include <sys/sysinfo.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <utility>

#include "sim/guest/time/calls/trapped_calls.h"
#include "sim/guest/time/calls/warm_calls.h"
#include "sim/guest/time/kernel_state.h"
#include "sim/guest/time/leased_clock.h"

namespace sim::guest::calls {
namespace {

// A read takes a little virtual time; events due in that time happen first. Called only between
// events, so the queue is not re-entered.
void pass_read_cost(SupervisorState& world) {
  ++world.statistics.clock_reads;
  if (world.options.clock_read_cost > Duration{0})
    world.simulation.run_until(world.simulation.now() + world.options.clock_read_cost);
}

// The kernel writes the remaining time when a signal ends a sleep. It does not know a held sleep,
// and we cannot write the time when the signal comes. So we write the remaining time before any
// task of the guest runs that could send a signal. If the program uses one variable for both times
// (glibc's sleep() does), a sleep that restarts after the signal sleeps only the rest. A sleep that
// ends by itself gets its variable back.
void keep_remaining_written(const TrappedCall& call, HeldCall& held, std::uint64_t request_at,
                            std::uint64_t remaining_at, const timespec& request) {
  if (remaining_at == 0) return;
  const clockid_t clock =
      held.while_asleep == WhileAsleep::kStops ? CLOCK_MONOTONIC : CLOCK_BOOTTIME;
  const Duration until = call.guest.clock.read(clock, held.deadline);
  held.tell_time = [call, remaining_at, clock, until](Time now) {
    const Duration left = until - call.guest.clock.read(clock, now);
    call.write(remaining_at, to_timespec(std::max(left, Duration{0})));
  };
  if (remaining_at == request_at)
    held.expire = [call, request_at, request] {
      call.write(request_at, request);
      call.answer(0);
    };
}

// The most clock reads that a task makes without another call before other tasks have their turn:
// it may spin and wait for them.
constexpr int kMostReadsAhead = 1000;

// The clock is lent if all tasks of all guests except this one are asleep, and this task's last
// call was also a clock read. It is not lent to a guest that the present event has released. So
// reads from a disk since the task's last wait are charged at its second clock read at the latest.
bool may_be_lent(const TrappedCall& call, bool reads_again) {
  const SupervisorState& world = call.world;
  return world.options.lockstep && reads_again &&
         world.find(call.guest.token).get() == &call.guest && call.guest.lease &&
         call.argument(4) == kPageIsRead && world.restless.empty() && world.calling.size() <= 1 &&
         call.guest.received.empty() && call.guest.paid.empty() && !call.guest.escapes_one_look() &&
         world.hooks->lendable(call.guest.token);
}

void lend_clock(const TrappedCall& call) {
  SupervisorState& world = call.world;
  const Duration cost = world.options.clock_read_cost;
  Time limit = call.now() + kMostReadsAhead * cost;
  if (const auto next = world.simulation.next()) limit = std::min(limit, *next - Duration{1});
  if (limit < call.now() + cost) return;
  call.guest.lease->lend(call.argument(5), call.guest.clock, call.now(), limit, cost);
  world.lent = call.guest.lease.get();
  world.lent_to = call.guest.token;
  call.guest.toll.clock_is_lent();
}

void give_lease_page(TrappedCall& call) {
  if (!call.guest.lease) call.guest.lease = std::make_unique<ClockLease>();
  call.answer_with(call.guest.lease->descriptor());
}

void sleep(TrappedCall& call, clockid_t clock, bool absolute, std::uint64_t request_at,
           std::uint64_t remaining_at) {
  if (!GuestClock::virtual_time(clock)) return call.go_on();
  const auto request = call.read<timespec>(request_at);
  if (!request) return call.fail(EFAULT);
  const auto length = to_duration(*request);
  if (!length) return call.fail(EINVAL);
  if (absolute) {
    const Time until = call.guest.clock.when(clock, *length);
    if (until <= call.now()) return call.answer(0);
    HeldCall held = call.wait_until(until);
    held.while_asleep = GuestClock::while_asleep(clock);
    return call.hold(std::move(held));
  }
  HeldCall held = call.wait_until(call.after(*length));
  held.while_asleep = GuestClock::while_asleep_relative(clock);
  keep_remaining_written(call, held, request_at, remaining_at, *request);
  call.hold(std::move(held));
}

}  // namespace

void clock_gettime(TrappedCall& call) {
  const clockid_t clock = call.integer(0);
  if (clock == kClockOfLeasePage && call.world.options.lockstep) return give_lease_page(call);
  if (call.argument(4) == kPageIsMapped) read_lease_page(call);
  if (clock == kClockOfImage) return give_memory_image(call);
  if (clock >= kClockOfRecords) return tell_taken(call);
  if (clock >= kSkipClock) return skip(call);
  if (!GuestClock::virtual_time(clock)) return call.go_on();
  pass_read_cost(call.world);
  const timespec reading = to_timespec(call.guest.clock.read(clock, call.now()));
  const bool written = call.write(call.argument(1), reading);
  const bool reads_again = std::exchange(call.guest.reader, call.tid()) == call.tid();
  if (may_be_lent(call, reads_again)) lend_clock(call);
  call.answer_written(written);
}

void gettimeofday(TrappedCall& call) {
  pass_read_cost(call.world);
  const timeval reading = to_timeval(call.guest.clock.read(CLOCK_REALTIME, call.now()));
  const struct timezone utc {};
  bool written = true;
  if (call.argument(0) != 0) written = call.write(call.argument(0), reading);
  if (call.argument(1) != 0) written = written && call.write(call.argument(1), utc);
  call.answer_written(written);
}

void time(TrappedCall& call) {
  pass_read_cost(call.world);
  const std::int64_t reading =
      to_timespec(call.guest.clock.read(CLOCK_REALTIME, call.now())).tv_sec;
  if (call.argument(0) != 0 && !call.write(call.argument(0), reading)) return call.fail(EFAULT);
  call.answer(reading);
}

// The uptime and the load are the guest's; the size of memory is the host's. Programs also query
// memory with this call, so it costs no time, unlike a clock read.
void sysinfo(TrappedCall& call) {
  struct sysinfo out {};
  if (::sysinfo(&out) != 0) return call.fail(errno);
  const Duration up = call.guest.clock.read(CLOCK_BOOTTIME, call.now());
  out.uptime = std::chrono::floor<std::chrono::seconds>(up).count();
  std::ranges::fill(out.loads, 0UL);
  out.freeram = shown_free_memory(out.totalram);
  out.sharedram = out.bufferram = out.totalswap = out.freeswap = 0;
  out.procs = 64;  // the number that uptime_files.cpp writes
  call.answer_written(call.write(call.argument(0), out));
}

void nanosleep(TrappedCall& call) {
  sleep(call, CLOCK_MONOTONIC, false, call.argument(0), call.argument(1));
}

void clock_nanosleep(TrappedCall& call) {
  const bool absolute = (call.integer(1) & TIMER_ABSTIME) != 0;
  sleep(call, call.integer(0), absolute, call.argument(2), call.argument(3));
}

void rt_sigtimedwait(TrappedCall& call) {
  const auto set = call.read<std::uint64_t>(call.argument(0));
  const auto timeout = call.read<timespec>(call.argument(2));
  if (!set || !timeout) return call.fail(EFAULT);
  const auto length = to_duration(*timeout);
  if (!length) return call.fail(EINVAL);
  // The signals waited for are blocked, so they do not end the held call: the kernel takes it over
  // when one is pending, and finds it at once.
  const auto pending = [call, set = *set] { return (pending_signals(call.tid()) & set) != 0; };
  if (*length == Duration{0} || pending()) return call.go_on();
  HeldCall held = call.wait_until(call.after(*length));
  held.expire = [call] { call.fail(EAGAIN); };
  held.ready_when_quiet = [call, pending] {
    if (!pending()) return false;
    call.go_on();
    return true;
  };
  call.hold(std::move(held));
}

}  // namespace sim::guest::calls
