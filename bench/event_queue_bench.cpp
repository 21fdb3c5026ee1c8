// The event queue beside the queue one would write first: std::priority_queue of std::function.
// Hold model (Vaucher and Duval, CACM 18(4), 1975): a constant number of pending events; each, when
// it runs, schedules one at an exponentially distributed distance.
//   build/bin/event_queue_bench
#include <benchmark/benchmark.h>

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
BENCHMARK(hold_priority_queue)->Arg(2)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);

}  // namespace

BENCHMARK_MAIN();
