// Clock reads. CPU-time clocks never come here: the filter lets them through.
#include <sys/time.h>

#include "sim/guest/time/trapped_calls.h"

namespace sim::guest::calls {
namespace {

// A read takes a little virtual time, and what is due meanwhile happens first. Only ever called
// between events, so the queue is not re-entered.
void pass_read_cost(World& world) {
  ++world.statistics.clock_reads;
  if (world.options.clock_read_cost > Duration{0})
    world.simulation.run_until(world.simulation.now() + world.options.clock_read_cost);
}

}  // namespace

void clock_gettime(TrappedCall& call) {
  const clockid_t clock = call.integer(0);
  if (!GuestClock::virtual_time(clock)) return call.go_on();
  pass_read_cost(call.world);
  const timespec reading = to_timespec(call.guest.clock.read(clock, call.now()));
  call.answer_written(call.write(call.argument(1), reading));
}

void gettimeofday(TrappedCall& call) {
  pass_read_cost(call.world);
  const timeval reading = to_timeval(call.now().time_since_epoch());
  const struct timezone utc {};
  bool written = true;
  if (call.argument(0) != 0) written = call.write(call.argument(0), reading);
  if (call.argument(1) != 0) written = written && call.write(call.argument(1), utc);
  call.answer_written(written);
}

void time(TrappedCall& call) {
  pass_read_cost(call.world);
  const std::int64_t reading = to_timespec(call.now().time_since_epoch()).tv_sec;
  if (call.argument(0) != 0 && !call.write(call.argument(0), reading)) return call.fail(EFAULT);
  call.answer(reading);
}

}  // namespace sim::guest::calls
