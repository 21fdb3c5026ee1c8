// POSIX timers, ITIMER_REAL, alarm and timerfds, emulated entirely: see guest_timers.h.
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>

#include "sim/guest/time/calls/trapped_calls.h"

namespace sim::guest::calls {
namespace {

// --- POSIX timers

itimerspec to_itimerspec(const VirtualTimer::Setting& setting) {
  return {to_timespec(setting.interval), to_timespec(setting.remaining)};
}

// The timer that a sigevent describes; empty: EINVAL. glibc implements SIGEV_THREAD by
// SIGEV_THREAD_ID and a thread.
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

// --- ITIMER_REAL, timerfds

itimerval to_itimerval(const VirtualTimer::Setting& setting) {
  return {to_timeval(setting.interval),
          to_timeval(setting.remaining + std::chrono::nanoseconds{999})};  // rounded up: not zero
}

base::FileDescriptor duplicate_of_argument(const TrappedCall& call) {
  const base::FileDescriptor process = open_process(call.process());
  return duplicate(process.get(), call.integer(0));
}

// The setting of a timer that a program asks for.
struct Asked {
  Duration value, interval;
  bool absolute;
};

VirtualTimer::Expiry expiry_of(const TrappedCall& call, clockid_t clock, const Asked& asked) {
  if (asked.absolute)
    return {call.guest.clock.when(clock, asked.value), asked.interval,
            GuestClock::while_asleep(clock)};
  return {call.now() + asked.value, asked.interval, GuestClock::while_asleep_relative(clock)};
}

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
    call.guest.timers.arm(process, call.integer(0),
                          expiry_of(call, found->clock, {*value, *interval, absolute}));
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

void setitimer(TrappedCall& call) {
  const pid_t process = call.process();
  VirtualTimer* timer = call.guest.timers.real_timer(process);
  if (timer == nullptr) return call.fail(ESRCH);
  itimerval setting{};  // a null pointer disarms
  if (call.argument(1) != 0) {
    const auto given = call.read<itimerval>(call.argument(1));
    if (!given) return call.fail(EFAULT);
    setting = *given;
  }
  const auto value = to_duration(setting.it_value);
  const auto interval = to_duration(setting.it_interval);
  if (!value || !interval) return call.fail(EINVAL);
  const itimerval old = to_itimerval(timer->setting());
  if (*value == Duration{0})
    timer->disarm();
  else
    call.guest.timers.arm_real_timer(process,
                                     {.first = call.now() + *value, .interval = *interval});
  call.answer_written(call.argument(2) == 0 || call.write(call.argument(2), old));
}

void getitimer(TrappedCall& call) {
  const VirtualTimer* timer = call.guest.timers.real_timer(call.process());
  const itimerval now_set =
      to_itimerval(timer == nullptr ? VirtualTimer::Setting{} : timer->setting());
  call.answer_written(call.write(call.argument(1), now_set));
}

void alarm(TrappedCall& call) {
  const pid_t process = call.process();
  VirtualTimer* timer = call.guest.timers.real_timer(process);
  if (timer == nullptr) return call.fail(ESRCH);
  const timeval left = to_timeval(timer->setting().remaining);
  // The kernel's rounding: to the nearest second, but never down to zero.
  const bool up = left.tv_usec >= 500'000 || (left.tv_sec == 0 && left.tv_usec > 0);
  const std::chrono::seconds wanted{static_cast<unsigned>(call.argument(0))};
  if (wanted == std::chrono::seconds{0})
    timer->disarm();
  else
    call.guest.timers.arm_real_timer(process, {.first = call.now() + wanted});
  call.answer(left.tv_sec + (up ? 1 : 0));
}

void timerfd_settime(TrappedCall& call) {
  base::FileDescriptor file = duplicate_of_argument(call);
  const auto clock = file ? timerfd_clock(file.get()) : std::nullopt;
  if (!clock || !GuestClock::virtual_time(*clock)) return call.go_on();  // for its error
  const auto setting = call.read<itimerspec>(call.argument(2));
  if (!setting) return call.fail(EFAULT);
  const auto value = to_duration(setting->it_value);
  const auto interval = to_duration(setting->it_interval);
  if (!value || !interval) return call.fail(EINVAL);
  GuestTimers& timers = call.guest.timers;
  const VirtualTimer::Setting before = timers.file_setting(file.get());
  const itimerspec old{to_timespec(before.interval), to_timespec(before.remaining)};
  const bool absolute = (call.integer(1) & TFD_TIMER_ABSTIME) != 0;
  if (*value == Duration{0})
    timers.disarm_file(file.get());
  else
    timers.arm_file(call.process(), call.integer(0), std::move(file),
                    expiry_of(call, *clock, {*value, *interval, absolute}));
  call.answer_written(call.argument(3) == 0 || call.write(call.argument(3), old));
}

void timerfd_gettime(TrappedCall& call) {
  const base::FileDescriptor file = duplicate_of_argument(call);
  if (!file || !timerfd_clock(file.get())) return call.go_on();  // for its error
  const VirtualTimer::Setting setting = call.guest.timers.file_setting(file.get());
  const itimerspec now_set{to_timespec(setting.interval), to_timespec(setting.remaining)};
  call.answer_written(call.write(call.argument(1), now_set));
}

}  // namespace sim::guest::calls
