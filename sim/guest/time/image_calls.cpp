// What a new program image does: its first call, and its randomness.
#include <vector>

#include "sim/guest/time/trapped_calls.h"
#include "sim/guest/time/vdso.h"

namespace sim::guest::calls {

void new_image(TrappedCall& call) {
  call.guest.timers.new_image(call.process());
  // A task that may not be patched (it died, or is a set-user-ID program of another user) keeps its
  // vDSO and with it the real clock.
  patch_vdso(call.tid());
  call.go_on();
}

void getrandom(TrappedCall& call) {
  constexpr std::uint64_t most = 1 << 20;  // more is a short read, which getrandom may return
  std::vector<unsigned char> bytes(std::min(call.argument(1), most));
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % 8 == 0) word = call.guest.random.next();
    bytes[i] = static_cast<unsigned char>(word >> i % 8 * 8);
  }
  if (!write_memory(call.tid(), call.argument(0), bytes.data(), bytes.size()))
    return call.fail(EFAULT);
  call.answer(static_cast<std::int64_t>(bytes.size()));
}

// A terminal's lines go to who reads them by way of a kernel thread, and so does the end of
// asynchronous input and output.
void leave_to_kernel(TrappedCall& call) {
  call.guest.wakes_by_itself = true;
  call.go_on();
}

}  // namespace sim::guest::calls
