// epoll_wait. The events are taken from the guest's own epoll instance through a duplicate, exactly
// as the guest would take them (edge-triggered and one-shot ones included).
#include <sys/epoll.h>
#include <sys/syscall.h>

#include <vector>

#include "sim/guest/time/ready_descriptors.h"
#include "sim/guest/time/trapped_calls.h"

namespace sim::guest::calls {
namespace {

constexpr int kMostEvents = 1024;  // at a time; the next call gets the rest

void wait_for(TrappedCall& call, Duration timeout) {
  const int most = std::min(call.integer(2), kMostEvents);
  if (timeout == Duration{0} || most <= 0) return call.go_on();
  const FileDescriptor process = open_process(call.process());
  const auto epoll = std::make_shared<FileDescriptor>(duplicate(process.get(), call.integer(0)));
  if (!*epoll) return call.go_on();

  HeldCall held = call.wait_until(call.after(timeout));
  held.ready = [call, epoll, most] {
    std::vector<epoll_event> events(static_cast<std::size_t>(most));
    const int n = ::epoll_wait(epoll->get(), events.data(), most, 0);
    if (n == 0) return false;
    if (n < 0) {  // not an epoll instance: the kernel says so
      call.go_on();
      return true;
    }
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(epoll_event);
    write_memory(call.tid(), call.argument(1), events.data(), bytes) ? call.answer(n)
                                                                     : call.fail(EFAULT);
    return true;
  };
  end_on_signal(call, held, call.number() == SYS_epoll_wait ? 0 : call.argument(4));
  call.hold(std::move(held));
}

}  // namespace

void epoll_wait(TrappedCall& call) { wait_for(call, std::chrono::milliseconds{call.integer(3)}); }

void epoll_pwait(TrappedCall& call) { epoll_wait(call); }

void epoll_pwait2(TrappedCall& call) {
  const auto timeout = call.read<timespec>(call.argument(3));
  if (!timeout) return call.fail(EFAULT);
  const auto length = to_duration(*timeout);
  length ? wait_for(call, *length) : call.fail(EINVAL);
}

}  // namespace sim::guest::calls
