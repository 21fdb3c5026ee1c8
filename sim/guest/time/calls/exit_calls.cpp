// Reports the end of programs with a status for a missing or failed command (reported_exits.h).
#include "sim/guest/time/calls/trapped_calls.h"

namespace sim::guest::calls {

void exit_group(TrappedCall& call) {
  call.world.hooks->exits(call.guest.token, call.tid(), call.integer(0));
  call.go_on();
}

}  // namespace sim::guest::calls
