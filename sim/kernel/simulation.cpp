#include "sim/kernel/simulation.h"

#include <utility>

#include "sim/kernel/check.h"

namespace sim {
namespace {
constexpr unsigned kSlotBits = 24;
constexpr std::uint64_t kSlotMask = (std::uint64_t{1} << kSlotBits) - 1;
constexpr std::uint64_t kSequenceLimit = std::uint64_t{1} << (64 - kSlotBits);
}  // namespace

EventId Simulation::at(Time t, std::function<void()> fn) {
  SIM_CHECK(t >= now());
  SIM_CHECK(fn != nullptr);
  std::uint32_t slot;
  if (free_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    SIM_CHECK(slot <= kSlotMask);
    slots_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  SIM_CHECK(++sequence_ < kSequenceLimit);
  Slot& s = slots_[slot];
  s.fn = std::move(fn);
  s.order = sequence_ << kSlotBits | slot;
  push({t, s.order});
  ++pending_;
  return {slot, s.generation};
}

bool Simulation::cancel(EventId id) {
  if (id.slot >= slots_.size()) return false;
  const Slot& s = slots_[id.slot];
  if (s.order == 0 || s.generation != id.generation) return false;
  release(id.slot);
  return true;
}

std::optional<Time> Simulation::next() {
  drop_cancelled();
  if (heap_.empty()) return {};
  return heap_.front().at;
}

bool Simulation::step() {
  while (!heap_.empty()) {
    const Key key = heap_.front();
    const auto slot = static_cast<std::uint32_t>(key.order & kSlotMask);
    __builtin_prefetch(&slots_[slot]);  // comes while the heap is put in order
    pop();
    if (slots_[slot].order != key.order) continue;  // cancelled
    SIM_CHECK(key.at >= now());
    now_.store(key.at, std::memory_order_relaxed);
    ++executed_;
    const auto fn = release(slot);
    fn();
    return true;
  }
  return false;
}

void Simulation::run_until(Time t) {
  SIM_CHECK(t >= now());
  const Time outer = std::exchange(horizon_, t);
  try {
    for (auto at = next(); at && *at <= t; at = next()) step();
  } catch (...) {
    horizon_ = outer;
    throw;
  }
  horizon_ = outer;
  now_.store(t, std::memory_order_relaxed);
}

bool Simulation::skip_to(Time t) {
  SIM_CHECK(t >= now());
  const auto other = next();
  if (t > horizon_ || (other && *other <= t)) return false;
  now_.store(t, std::memory_order_relaxed);
  return true;
}

std::function<void()> Simulation::release(std::uint32_t slot) {
  Slot& s = slots_[slot];
  auto fn = std::exchange(s.fn, nullptr);
  s.order = 0;
  ++s.generation;
  free_.push_back(slot);
  --pending_;
  return fn;
}

void Simulation::drop_cancelled() {
  while (!heap_.empty() && slots_[heap_.front().order & kSlotMask].order != heap_.front().order)
    pop();
}

void Simulation::push(Key key) {
  std::size_t i = heap_.size();
  heap_.push_back(key);
  while (i) {
    const std::size_t parent = (i - 1) / 4;
    if (!key.before(heap_[parent])) break;
    heap_[i] = heap_[parent];
    i = parent;
  }
  heap_[i] = key;
}

void Simulation::pop() {
  const Key key = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (!size) return;
  std::size_t i = 0;
  for (;;) {
    const std::size_t first = 4 * i + 1;
    if (first >= size) break;
    std::size_t least = first;
    for (std::size_t child = first + 1; child < std::min(first + 4, size); ++child)
      if (heap_[child].before(heap_[least])) least = child;
    if (!heap_[least].before(key)) break;
    heap_[i] = heap_[least];
    i = least;
  }
  heap_[i] = key;
}

}  // namespace sim
