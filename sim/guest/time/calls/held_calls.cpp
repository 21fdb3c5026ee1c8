#include "sim/guest/time/calls/held_calls.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sim::guest {

void HeldCalls::hold(HeldCall call) {
  if (closed_) return;
  const std::uint64_t key = next_++;
  Entry entry{std::move(call), {}};
  schedule(key, entry);
  if (entry.call.ready || entry.call.ready_when_quiet) to_look_at_.insert(key);
  keys_.emplace(entry.call.tid, key);
  entries_.emplace(key, std::move(entry));
}

void HeldCalls::schedule(std::uint64_t key, Entry& entry) {
  const Time deadline = std::max(entry.call.deadline, simulation_.now());
  if (deadline - simulation_.now() >= kForever / 2) return;
  entry.event = simulation_.at(deadline, [this, key] {
    const auto at = entries_.find(key);
    const std::function<void()> expire = std::move(at->second.call.expire);
    at->second.event.reset();
    drop(at);
    expire();
  });
}

void HeldCalls::fall_asleep() {
  for (auto& [key, entry] : entries_) {
    const HeldCall& held = entry.call;
    if (held.call && entry.event)
      interrupted_.add(held.tid, *held.call, held.deadline, held.while_asleep);
    if (held.while_asleep == WhileAsleep::kGoesOn || !entry.event) continue;
    simulation_.cancel(*std::exchange(entry.event, {}));
    entry.sleeps = true;
  }
}

void HeldCalls::wake_up(Duration slept) {
  interrupted_.wake_up(slept);
  for (auto& [key, entry] : entries_) {
    if (!std::exchange(entry.sleeps, false)) continue;
    entry.call.deadline += slept;
    schedule(key, entry);
  }
}

HeldCalls::Entries::iterator HeldCalls::drop(Entries::iterator at) {
  if (at->second.event) simulation_.cancel(*at->second.event);
  to_look_at_.erase(at->first);
  const auto [first, last] = keys_.equal_range(at->second.call.tid);
  keys_.erase(std::find_if(first, last, [at](const auto& of) { return of.second == at->first; }));
  return entries_.erase(at);
}

void HeldCalls::ran(pid_t tid) {
  const auto [first, last] = keys_.equal_range(tid);
  for (auto at = first; at != last; ++at) {
    entries_.at(at->second).doubtful = true;
    to_look_at_.insert(at->second);
  }
}

void HeldCalls::any_ran() {
  for (auto& [key, entry] : entries_) {
    entry.doubtful = true;
    to_look_at_.insert(key);
  }
}

bool HeldCalls::settle_one(std::function<bool()> HeldCall::*ready) {
  for (auto key = to_look_at_.begin(); key != to_look_at_.end();) {
    const auto at = entries_.find(*key);
    const HeldCall& call = at->second.call;
    ++looked_at_;
    if ((at->second.doubtful && !listener_.waits(call.id)) || (call.*ready && (call.*ready)())) {
      drop(at);
      return true;
    }
    at->second.doubtful = false;
    key = call.ready || call.ready_when_quiet ? std::next(key) : to_look_at_.erase(key);
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
    HeldCall& call = entry.call;
    if (woken == most) break;
    if (!call.futex || call.futex->process != wake.process || call.futex->address != wake.address ||
        (call.futex->bits & wake.bits) == 0)
      continue;
    call.futex.reset();
    if (entry.event) simulation_.cancel(*std::exchange(entry.event, {}));
    entry.sleeps = false;
    if (!listener_.waits(call.id)) continue;
    call.ready = std::move(call.woken);
    to_look_at_.insert(key);
    ++woken;
  }
  return woken;
}

void HeldCalls::close() {
  closed_ = true;
  while (!entries_.empty()) drop(entries_.begin());
}

}  // namespace sim::guest
