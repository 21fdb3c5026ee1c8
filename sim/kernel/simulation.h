// The event queue and the virtual clock of one world. Every timed action is an event here, and the
// clock moves from event to event. Events of the same instant happen in the order in which they
// were scheduled.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/kernel/time.h"

namespace sim {

// Names a scheduled event; stays valid (and useless) after the event ran or was cancelled.
struct EventId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
};

// A discrete-event simulation: a clock and a queue of callbacks. Ties break by insertion order.
// A 4-ary heap of 16-byte keys with the callbacks in a slab; cancelled entries are dropped when
// they come up. At most 2^24 pending events and 2^40 in a run (asserted).
class Simulation {
 public:
  explicit Simulation(Time start) : now_(start) {}
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Any thread may call it. All other functions belong to one thread.
  Time now() const { return now_.load(std::memory_order_relaxed); }

  // Runs fn at t. A t in the past is a bug (asserted).
  EventId at(Time t, std::function<void()> fn);
  EventId after(Duration d, std::function<void()> fn) { return at(now() + d, std::move(fn)); }
  // True when the event was pending and now will not run.
  bool cancel(EventId id);

  // The next event's time; empty when nothing is pending.
  std::optional<Time> next();
  // Moves the clock to the next event and runs it; false when nothing is pending.
  bool step();
  // Runs all events up to and including t, then moves the clock to t.
  void run_until(Time t);
  // For an event that would only wait until t: if no other event is due up to and including t,
  // moves the clock there at once and returns true.
  bool skip_to(Time t);
  std::size_t pending() const { return pending_; }
  std::uint64_t executed() const { return executed_; }

 private:
  struct Key {
    Time at;
    std::uint64_t order;  // sequence << 24 | slot
    bool before(const Key& o) const { return at < o.at || (at == o.at && order < o.order); }
  };
  struct alignas(64) Slot {  // one cache line
    std::function<void()> fn;
    std::uint64_t order = 0;  // of the entry that owns the slot; 0: free
    std::uint32_t generation = 0;
  };

  void push(Key key);
  void pop();
  void drop_cancelled();
  std::function<void()> release(std::uint32_t slot);

  std::atomic<Time> now_;
  Time horizon_{Duration::max()};  // what skip_to() may not pass
  std::uint64_t sequence_ = 0;
  std::uint64_t executed_ = 0;
  std::size_t pending_ = 0;
  std::vector<Key> heap_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace sim
