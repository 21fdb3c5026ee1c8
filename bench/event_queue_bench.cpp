// Compares the event queue with two others. A bare 4-ary heap of 16-byte keys is the lower bound:
// it can neither call nor cancel anything. A std::priority_queue of std::function is the obvious
// design. The load is the hold model (Vaucher and Duval, CACM 18(4), 1975) with a constant number
// of pending events. Each event, when it runs, schedules another at an exponentially distributed
// distance.
//   build/bin/event_queue_bench
#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"

namespace {

std::vector<sim::Duration> distances(std::int64_t pending) {
  sim::Stream stream{1};
  std::vector<sim::Duration> table(1 << 14);
  for (auto& d : table)
    d = stream.exponential(sim::Duration{std::chrono::seconds{pending}}) + sim::Duration{1};
  return table;
}

void hold_simulation(benchmark::State& state) {
  const auto table = distances(state.range(0));
  sim::Stream stream{7};
  sim::Simulation simulation{sim::Time{}};
  std::function<void()> hold = [&] {
    simulation.after(table[stream.next() & 16383], [&hold] { hold(); });
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) hold();
  for (auto _ : state) simulation.step();
  state.SetItemsProcessed(state.iterations());
}

struct Key {
  std::int64_t at;
  std::uint64_t order;
  bool before(const Key& o) const { return at < o.at || (at == o.at && order < o.order); }
};

void push(std::vector<Key>& heap, Key key) {
  std::size_t i = heap.size();
  heap.push_back(key);
  for (; i > 0 && key.before(heap[(i - 1) / 4]); i = (i - 1) / 4) heap[i] = heap[(i - 1) / 4];
  heap[i] = key;
}

Key pop(std::vector<Key>& heap) {
  const Key top = heap.front(), key = heap.back();
  heap.pop_back();
  std::size_t i = 0;
  for (std::size_t first = 1; first < heap.size(); first = 4 * i + 1) {
    std::size_t least = first;
    for (std::size_t child = first + 1; child < std::min(first + 4, heap.size()); ++child)
      if (heap[child].before(heap[least])) least = child;
    if (!heap[least].before(key)) break;
    heap[i] = heap[least];
    i = least;
  }
  if (!heap.empty()) heap[i] = key;
  return top;
}

void hold_bare_heap(benchmark::State& state) {
  const auto table = distances(state.range(0));
  sim::Stream stream{7};
  std::vector<Key> heap;
  std::uint64_t order = 0;
  const auto hold = [&](std::int64_t now) {
    push(heap, {now + table[stream.next() & 16383].count(), order++});
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) hold(0);
  for (auto _ : state) hold(pop(heap).at);
  state.SetItemsProcessed(state.iterations());
}

struct Entry {
  sim::Time at;
  std::uint64_t sequence;
  std::function<void()> fn;
  bool operator<(const Entry& o) const { return at != o.at ? at > o.at : sequence > o.sequence; }
};

void hold_priority_queue(benchmark::State& state) {
  const auto table = distances(state.range(0));
  sim::Stream stream{7};
  std::priority_queue<Entry> queue;
  sim::Time now{};
  std::uint64_t sequence = 0;
  std::function<void()> hold = [&] {
    queue.push({now + table[stream.next() & 16383], sequence++, [&hold] { hold(); }});
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) hold();
  for (auto _ : state) {
    const Entry entry = queue.top();
    queue.pop();
    now = entry.at;
    entry.fn();
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(hold_simulation)->Arg(2)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(hold_bare_heap)->Arg(2)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(hold_priority_queue)->Arg(2)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);

}  // namespace

BENCHMARK_MAIN();
