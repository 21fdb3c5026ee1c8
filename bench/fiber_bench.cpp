// Whole runs of az-hop with fiber guests: orchestrator, fakes, cloud, log, metrics. One item is one
// run of a prepared scenario to its result; nothing is written.
//   build/bin/fiber_bench
#include <benchmark/benchmark.h>

#include <array>
#include <filesystem>
#include <optional>

#include "sim/kernel/fiber.h"
#include "sim/run/run.h"

namespace {

const auto kScenario = std::filesystem::path(SPOTSIM_SOURCE_DIR) / "scenarios" / "az-hop.yaml";

void az_hop(benchmark::State& state) {
  const sim::run::Prepared prepared(sim::scenario::read_scenario(kScenario));
  sim::run::RunOptions options{.output = "", .programs = "", .seed = 1};
  options.text = state.range(0) != 0 ? sim::LogText::kRendered : sim::LogText::kNone;
  options.every_poll = state.range(1) != 0;
  std::uint64_t lines = 0;
  for (auto _ : state) {
    lines += prepared.run(options).lines;
    ++options.seed;
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["lines"] =
      benchmark::Counter(static_cast<double>(lines), benchmark::Counter::kAvgIterations);
}

// The cost of a wait in which something else happens: two switches of stacks and an event.
void fiber_wait(benchmark::State& state) {
  sim::Simulation simulation{sim::Time{}};
  std::array<std::optional<sim::Fiber>, 2> fibers;
  for (auto& fiber : fibers) {
    fiber.emplace(simulation, [&] {
      for (;;) fiber->pause_until(simulation.now() + sim::Duration{1});
    });
  }
  for (auto _ : state) simulation.step();
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(az_hop)
    ->ArgNames({"text", "every_poll"})
    ->Args({0, 0})
    ->Args({1, 0})
    ->Args({1, 1})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(fiber_wait);

}  // namespace

BENCHMARK_MAIN();
