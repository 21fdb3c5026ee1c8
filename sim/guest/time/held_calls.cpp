#include "sim/guest/time/held_calls.h"

#include <algorithm>
#include <utility>

#include "sim/guest/time/guest_clock.h"

namespace sim::guest {

void HeldCalls::hold(HeldCall call) {
  if (closed_) return;
  const std::uint64_t key = next_++;
  const Time deadline = std::max(call.deadline, simulation_.now());
  Entry entry{std::move(call), {}};
  if (deadline - simulation_.now() < kForever / 2)
    entry.event = simulation_.at(deadline, [this, key] {
      const auto at = entries_.find(key);
      const std::function<void()> expire = std::move(at->second.call.expire);
      at->second.event.reset();
      drop(at);
      expire();
    });
  entries_.emplace(key, std::move(entry));
}

HeldCalls::Entries::iterator HeldCalls::drop(Entries::iterator at) {
  if (at->second.event) simulation_.cancel(*at->second.event);
  return entries_.erase(at);
}

bool HeldCalls::settle_one(std::function<bool()> HeldCall::*ready) {
  for (auto at = entries_.begin(); at != entries_.end(); ++at) {
    const HeldCall& call = at->second.call;
    if (!listener_.waits(call.id) || (call.*ready && (call.*ready)())) {
      drop(at);
      return true;
    }
  }
  return false;
}

bool HeldCalls::settle() { return settle_one(&HeldCall::ready); }
bool HeldCalls::settle_quiet() { return settle_one(&HeldCall::ready_when_quiet); }

void HeldCalls::tell_time() {
  const Time now = simulation_.now();
  if (std::exchange(told_, now) == now) return;
  for (const auto& [key, entry] : entries_)
    if (entry.call.tell_time) entry.call.tell_time(now);
}

std::uint64_t HeldCalls::wake(const FutexWait& wake, std::uint64_t most) {
  std::uint64_t woken = 0;
  for (auto& [key, entry] : entries_) {
    auto& [call, event] = entry;
    if (woken == most) break;
    if (!call.futex || call.futex->process != wake.process || call.futex->address != wake.address ||
        (call.futex->bits & wake.bits) == 0)
      continue;
    call.futex.reset();
    if (event) simulation_.cancel(*std::exchange(event, {}));
    if (!listener_.waits(call.id)) continue;
    call.ready = std::move(call.woken);
    ++woken;
  }
  return woken;
}

void HeldCalls::close() {
  closed_ = true;
  while (!entries_.empty()) drop(entries_.begin());
}

}  // namespace sim::guest
