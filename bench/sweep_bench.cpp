// Policy-only runs and exact optima on the windows of "Can't Be Late". bench/sweep_reference.py is
// the rival: the same rules as a plain Python loop.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "sim/ticks/optimum.h"
#include "sim/ticks/windows.h"
#include "sim/traces/availability.h"

namespace {

using namespace sim;

const ticks::TickJob kJob{.work = 48h,
                          .deadline = 60h,
                          .changeover = 12min,
                          .tick = 10min,
                          .on_demand = {3'060'000'000},
                          .spot = {973'100'000}};

const std::vector<ticks::Window>& windows() {
  static const std::vector<ticks::Window> all = [] {
    const std::filesystem::path traces = SPOTSIM_SOURCE_DIR "/scenarios/traces";
    return ticks::cut(traces::read_availability(traces / "cant-be-late/windows_8x300x554.txt.gz"),
                      {.tick = kJob.tick});
  }();
  return all;
}

void runs(benchmark::State& state, const char* text, const ticks::TickJob& job) {
  const auto named = policies::make_acquisition_policy(text);
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        ticks::run_ticks(job, windows()[i].pools.pools.front().spot, *named.policy, named.oracle)
            .cost);
    i = (i + 1) % windows().size();
  }
  state.SetItemsProcessed(state.iterations());
}
void policy(benchmark::State& state, const char* text) { runs(state, text, kJob); }
void saving(benchmark::State& state, const char* text, const char* checkpoints) {
  ticks::TickJob job = kJob;
  job.checkpoint_policy = checkpoints;
  job.checkpoint_cost = 30s;
  runs(state, text, job);
}
BENCHMARK_CAPTURE(policy, on_demand, "on-demand");
BENCHMARK_CAPTURE(policy, greedy, "greedy");
BENCHMARK_CAPTURE(policy, time_sliced, "time-sliced:8");
BENCHMARK_CAPTURE(policy, uniform_progress, "uniform-progress");
BENCHMARK_CAPTURE(policy, uniform_progress_oracle, "uniform-progress-oracle");
BENCHMARK_CAPTURE(saving, on_demand, "on-demand", "time:1h");
BENCHMARK_CAPTURE(saving, greedy, "greedy", "time:1h");
BENCHMARK_CAPTURE(saving, uniform_progress, "uniform-progress", "time:1h");
BENCHMARK_CAPTURE(saving, greedy_on_notice, "greedy", "time:1h,on-notice");

void optimum(benchmark::State& state) {
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(ticks::least_cost(kJob, windows()[i].pools.pools.front().spot));
    i = (i + 1) % windows().size();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(optimum);

void optimum_of_nine_pools(benchmark::State& state) {
  ticks::Pools all;
  for (std::size_t p = 0; p < 9; ++p) all.pools.push_back(windows()[p * 250].pools.pools.front());
  all.moves.assign(81, {.egress = {20'000'000}});
  for (auto _ : state) benchmark::DoNotOptimize(ticks::least_cost(kJob, all));
}
BENCHMARK(optimum_of_nine_pools);

}  // namespace

BENCHMARK_MAIN();
