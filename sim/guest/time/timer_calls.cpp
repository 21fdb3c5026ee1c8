// POSIX timers, emulated entirely: see guest_timers.h.
#include <signal.h>

#include "sim/guest/time/trapped_calls.h"

namespace sim::guest::calls {
namespace {

itimerspec to_itimerspec(const VirtualTimer::Setting& setting) {
  return {to_timespec(setting.interval), to_timespec(setting.remaining)};
}

// What a sigevent asks for; empty: EINVAL. glibc makes SIGEV_THREAD of SIGEV_THREAD_ID and a
// thread.
std::optional<PosixTimer> to_timer(const sigevent& event, clockid_t clock, pid_t process) {
  PosixTimer timer{.signal = event.sigev_signo, .value = event.sigev_value, .clock = clock};
  if (event.sigev_notify == SIGEV_NONE) {
    timer.notify = PosixTimer::Notify::kNone;
    return timer;
  }
  if (timer.signal < 1 || timer.signal > SIGRTMAX) return {};
  if (event.sigev_notify == SIGEV_SIGNAL) return timer;
  if (event.sigev_notify != SIGEV_THREAD_ID) return {};
  timer.notify = PosixTimer::Notify::kTask;
  const auto task = task_in_namespace(process, event._sigev_un._tid);
  if (!task) return {};
  timer.task = *task;
  return timer;
}

bool is_ours(const TrappedCall& call) { return call.integer(0) >= GuestTimers::kFirstId; }

}  // namespace

void timer_create(TrappedCall& call) {
  const clockid_t clock = call.integer(0);
  if (!GuestClock::virtual_time(clock)) return call.go_on();
  const pid_t process = call.process();
  std::optional<PosixTimer> timer = PosixTimer{.clock = clock};
  if (call.argument(1) != 0) {
    const auto event = call.read<sigevent>(call.argument(1));
    if (!event) return call.fail(EFAULT);
    timer = to_timer(*event, clock, process);
    if (!timer) return call.fail(EINVAL);
  }
  const auto id = call.guest.timers.create(process, *timer);
  if (!id) return call.fail(ESRCH);
  call.answer_written(call.write(call.argument(2), *id));
}

void timer_settime(TrappedCall& call) {
  if (!is_ours(call)) return call.go_on();
  const auto setting = call.read<itimerspec>(call.argument(2));
  if (!setting) return call.fail(EFAULT);
  const auto value = to_duration(setting->it_value);
  const auto interval = to_duration(setting->it_interval);
  const pid_t process = call.process();
  const auto found = call.guest.timers.find(process, call.integer(0));
  if (!found || !value || !interval) return call.fail(EINVAL);
  const itimerspec old = to_itimerspec(found->timer.setting());
  const bool absolute = (call.integer(1) & TIMER_ABSTIME) != 0;
  if (*value == Duration{0})
    found->timer.disarm();
  else
    call.guest.timers.arm(
        process, call.integer(0),
        absolute ? call.guest.clock.when(found->clock, *value) : call.now() + *value, *interval);
  call.answer_written(call.argument(3) == 0 || call.write(call.argument(3), old));
}

void timer_gettime(TrappedCall& call) {
  if (!is_ours(call)) return call.go_on();
  const auto found = call.guest.timers.find(call.process(), call.integer(0));
  if (!found) return call.fail(EINVAL);
  call.answer_written(call.write(call.argument(1), to_itimerspec(found->timer.setting())));
}

void timer_getoverrun(TrappedCall& call) {
  if (!is_ours(call)) return call.go_on();
  call.guest.timers.find(call.process(), call.integer(0)) ? call.answer(0) : call.fail(EINVAL);
}

void timer_delete(TrappedCall& call) {
  if (!is_ours(call)) return call.go_on();
  call.guest.timers.remove(call.process(), call.integer(0)) ? call.answer(0) : call.fail(EINVAL);
}

}  // namespace sim::guest::calls
