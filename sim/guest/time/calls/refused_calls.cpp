#include "sim/guest/time/calls/refused_calls.h"

#include <algorithm>
#include <iterator>

#include "sim/guest/time/calls/trapped_calls.h"
#include "sim/kernel/check.h"

namespace sim::guest::calls {

void refuse(TrappedCall& call) {
  const auto* refused = std::ranges::find(kRefusedCalls, call.number(), &RefusedCall::number);
  SIM_CHECK(refused != std::end(kRefusedCalls));
  call.world.hooks->refused(call.guest.token, refused->name);
  refused->error == 0 ? call.answer(0) : call.fail(refused->error);
}

}  // namespace sim::guest::calls
