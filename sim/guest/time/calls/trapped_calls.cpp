#include "sim/guest/time/calls/trapped_calls.h"

#include <sys/syscall.h>

#include <optional>
#include <utility>

#include "sim/guest/time/architecture.h"
#include "sim/guest/time/calls/refused_calls.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

enum class Charged { kNo, kYes };  // whether the guest's debts are paid first

struct CallRow {
  int number;
  void (*handle)(TrappedCall&);
  Charged charged = Charged::kNo;
  CallWeight weight = CallWeight::kCall;
};

constexpr CallRow kTrappedCalls[] = {
    {SYS_clock_gettime, calls::clock_gettime, Charged::kYes, CallWeight::kClock},
    {SYS_gettimeofday, calls::gettimeofday, Charged::kYes, CallWeight::kClock},
#ifdef __x86_64__
    {SYS_time, calls::time, Charged::kYes, CallWeight::kClock},
    {SYS_poll, calls::poll, Charged::kYes, CallWeight::kQuestion},
    {SYS_select, calls::select, Charged::kYes, CallWeight::kQuestion},
    {SYS_epoll_wait, calls::epoll_wait, Charged::kYes, CallWeight::kQuestion},
    {SYS_alarm, calls::alarm},
#endif
    {SYS_futex, calls::futex},
    {SYS_set_robust_list, calls::begin},
    {SYS_sched_yield, calls::sched_yield, Charged::kNo, CallWeight::kQuestion},
    {SYS_wait4, calls::ask_for_child, Charged::kNo, CallWeight::kQuestion},
    {SYS_waitid, calls::ask_for_child, Charged::kNo, CallWeight::kQuestion},
    {SYS_nanosleep, calls::nanosleep, Charged::kYes, CallWeight::kQuestion},
    {SYS_clock_nanosleep, calls::clock_nanosleep, Charged::kYes, CallWeight::kQuestion},
    {SYS_rt_sigtimedwait, calls::rt_sigtimedwait, Charged::kYes},
    {SYS_ppoll, calls::ppoll, Charged::kYes, CallWeight::kQuestion},
    {SYS_pselect6, calls::pselect6, Charged::kYes, CallWeight::kQuestion},
    {SYS_epoll_pwait, calls::epoll_pwait, Charged::kYes, CallWeight::kQuestion},
    {SYS_epoll_pwait2, calls::epoll_pwait2, Charged::kYes, CallWeight::kQuestion},
    {SYS_timer_create, calls::timer_create},
    {SYS_timer_settime, calls::timer_settime},
    {SYS_timer_gettime, calls::timer_gettime},
    {SYS_timer_getoverrun, calls::timer_getoverrun},
    {SYS_timer_delete, calls::timer_delete},
    {SYS_setitimer, calls::setitimer},
    {SYS_getitimer, calls::getitimer},
    {SYS_timerfd_settime, calls::timerfd_settime},
    {SYS_timerfd_gettime, calls::timerfd_gettime},
    {SYS_getrandom, calls::getrandom},
    {SYS_sysinfo, calls::sysinfo},
    {SYS_bind, calls::bind},
    {SYS_listen, calls::listen},
    {SYS_sendto, calls::sendto},
    {kNewImageCall, calls::new_image, Charged::kNo, CallWeight::kImage},
    {SYS_ioctl, calls::ioctl},
    {SYS_io_submit, calls::leave_lockstep},
    {SYS_sched_setaffinity, calls::leave_lockstep},
    {SYS_sched_setscheduler, calls::leave_lockstep},
    {SYS_sched_setattr, calls::leave_lockstep},
    {SYS_fsync, calls::sync_descriptor},
    {SYS_fdatasync, calls::sync_descriptor},
    {SYS_syncfs, calls::sync_descriptor},
    {SYS_sync, calls::sync_all},
#ifdef __x86_64__
    {SYS_open, calls::open_written_through},
#endif
    {SYS_openat, calls::open_written_through},
    {SYS_write, calls::write},
    {SYS_pwrite64, calls::write},
    {SYS_writev, calls::write},
    {SYS_pwritev, calls::write},
    {SYS_pwritev2, calls::write},
    {SYS_connect, calls::connect},
    {SYS_mknodat, calls::make_fifo},
#ifdef __x86_64__
    {SYS_mknod, calls::make_fifo},
#endif
    {SYS_exit_group, calls::exit_group},
    {SYS_mount, calls::mount},
    {SYS_umount2, calls::umount2},
};

constexpr CallRow kRefused{-1, calls::refuse};

const CallRow* find(int number) {
  for (const CallRow& row : kTrappedCalls)
    if (row.number == number) return &row;
  for (const RefusedCall& call : kRefusedCalls)
    if (call.number == number) return &kRefused;
  return nullptr;
}

// The position of the argument that is 0 or less in a question (is_question()); empty for calls
// that are never questions.
std::optional<int> question_argument(int number) {
  switch (number) {
#ifdef __x86_64__
    case SYS_poll:
      return 2;
    case SYS_epoll_wait:
      return 3;
#endif
    case SYS_epoll_pwait:
      return 3;
    case SYS_wait4:
      return 0;
    case SYS_waitid:
      return 0;  // P_ALL
    default:
      return {};
  }
}

// Reports a guest that has paid for its calls for long.
void watch_toll(SupervisorState& world, Guest& guest, const Notification& call, Duration toll) {
  if (toll == Duration{0}) return guest.pays_since.reset();
  const auto real = real_time();
  if (!guest.pays_since) guest.pays_since = real;
  if (real - *guest.pays_since < world.options.busy_after || std::exchange(guest.reported, true))
    return;
  const auto tid = static_cast<pid_t>(call.pid);
  world.hooks->busy({.guest = guest.token,
                     .process = number_in_namespace(tid),
                     .command = command_of(tid),
                     .does = "calls"});
}

}  // namespace

bool is_question(const Notification& call) {
  const auto argument = question_argument(call.data.nr);
  return argument && static_cast<int>(call.data.args[*argument]) <= 0;
}

void serve_paid(SupervisorState& world, Guest& guest, const Notification& notification) {
  if (notification.data.nr != SYS_clock_gettime && !is_question(notification)) guest.reader = 0;
  TrappedCall call(world, guest, notification);
  const CallRow* row = find(notification.data.nr);
  row == nullptr ? call.go_on() : row->handle(call);
}

void serve(SupervisorState& world, Guest& guest, const Notification& notification) {
  guest.held.interrupted().called(static_cast<pid_t>(notification.pid), notification.data);
  const CallRow* row = find(notification.data.nr);
  const CallWeight weight = row == nullptr ? CallWeight::kCall : row->weight;
  Duration owed = guest.toll.of_call(world.simulation.now(), weight);
  watch_toll(world, guest, notification, owed);
  if (row != nullptr && row->charged == Charged::kYes && !is_question(notification))
    owed += world.hooks->charge(guest.token);
  if (owed > Duration{0}) {
    const TrappedCall call(world, guest, notification);
    HeldCall held = call.wait_until(call.now() + owed);
    held.call.reset();
    // Not served in the event: a clock read runs events itself.
    held.expire = [&world, &guest, notification] {
      guest.paid.push_back(notification);
      world.calling.insert(guest.token);
    };
    return call.hold(std::move(held));
  }
  serve_paid(world, guest, notification);
}

}  // namespace sim::guest
