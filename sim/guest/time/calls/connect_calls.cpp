// connect(2): a network beyond the guest's own takes time to answer.
#include "sim/guest/time/calls/trapped_calls.h"

namespace sim::guest::calls {

void connect(TrappedCall& call) {
  const auto size = static_cast<socklen_t>(call.argument(2));
  ConnectCall asked{.guest = call.guest.token, .size = size};
  if (size > sizeof asked.to || !read_memory(call.tid(), call.argument(1), &asked.to, size))
    return call.go_on();
  const bool has_port = asked.to.ss_family == AF_INET || asked.to.ss_family == AF_INET6;
  asked.socket = [call] {
    const base::FileDescriptor process = open_process(call.process());
    return duplicate(process.get(), call.integer(0));
  };
  const ConnectAnswer answer = call.world.hooks->connect(std::move(asked));
  if (!answer) {
    if (has_port) choose_port(call);
    return call.go_on();
  }
  HeldCall held = call.wait_until(call.now() + kForever);
  held.ready = [call, answer] {
    if (!call.waits()) return true;  // a signal has ended it
    const auto error = answer();
    if (!error) return false;
    *error == 0 ? call.answer(0) : call.fail(*error);
    return true;
  };
  call.hold(std::move(held));
}

}  // namespace sim::guest::calls
