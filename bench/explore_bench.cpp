// What a search of fault plans costs on az-hop with fiber guests: whole searches, single plans, and
// what of a run its invariants are.
//   build/bin/explore_bench
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/events/read.h"
#include "sim/explore/search.h"
#include "sim/result/history_builder.h"
#include "sim/result/invariants/invariants.h"
#include "sim/run/run.h"

namespace {

namespace fs = std::filesystem;
using sim::explore::PlanText;

const fs::path kScenario = fs::path(SPOTSIM_SOURCE_DIR) / "scenarios" / "az-hop.yaml";
constexpr std::uint64_t kSeed = 7;

struct TemporaryFolder {
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "explore-bench-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TemporaryFolder() { fs::remove_all(path); }
  fs::path path;
};

sim::explore::Runner runner(const std::atomic<bool>& stop) {
  return {sim::scenario::read_scenario(kScenario),
          sim::scenario::GuestKind::kFiber,
          kSeed,
          "",
          "",
          &stop};
}

// All single faults, with the baseline, the file of runs and the findings. One item is a plan.
void all_single_faults(benchmark::State& state) {
  const std::atomic<bool> stop{false};
  std::uint64_t runs = 0;
  for (auto _ : state) {
    const TemporaryFolder folder;
    sim::explore::Runner runs_of = runner(stop);
    sim::explore::TriedBefore before(folder.path / "runs.jsonl", {{"search", "bench"}});
    const sim::explore::Budget budget{.threads = static_cast<std::size_t>(state.range(0))};
    runs += sim::explore::Search(runs_of, budget, before, {}, stop).run().runs;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(runs));
}

// One plan, repeated: without faults, with a fault in the middle of the run, with two faults.
void one_plan(benchmark::State& state, const PlanText& text) {
  const sim::run::Prepared prepared(sim::scenario::read_scenario(kScenario));
  sim::faults::Plan plan;
  for (const std::string& fault : text)
    plan.push_back(sim::scenario::parse_fault(fault, prepared.scenario()));
  const sim::run::RunOptions options{.output = "",
                                     .programs = "",
                                     .seed = kSeed,
                                     .text = sim::LogText::kNone,
                                     .faults = &plan,
                                     .must_complete = true};
  std::uint64_t events = 0;
  for (auto _ : state) events += prepared.run(options).lines;
  state.SetItemsProcessed(state.iterations());
  state.counters["events"] =
      benchmark::Counter(static_cast<double>(events), benchmark::Counter::kAvgIterations);
  state.counters["per_event"] = benchmark::Counter(
      static_cast<double>(events), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Only the invariants: a run's log is replayed to them. A real run passes most lines on without
// JSON, which is cheaper.
void invariants_of_a_log(benchmark::State& state) {
  const sim::run::Prepared prepared(sim::scenario::read_scenario(kScenario));
  std::vector<sim::Event> log;
  prepared.run({.output = "",
                .programs = "",
                .seed = kSeed,
                .listen = [&](sim::events::Listeners& listeners, const auto&, const auto&) {
                  listeners.on_all([&](const sim::events::AnyEvent& event, std::string_view) {
                    log.push_back(sim::to_event(event));
                  });
                }});
  for (auto _ : state) {
    sim::events::Listeners listeners;
    sim::result::HistoryBuilder builder;
    builder.listen(listeners);
    sim::result::Invariants all({}, builder.history());
    all.listen(listeners);
    for (const sim::Event& event : log) sim::events::tell(listeners, event);
    benchmark::DoNotOptimize(all);
  }
  const auto events = static_cast<double>(log.size()) * static_cast<double>(state.iterations());
  state.SetItemsProcessed(state.iterations());
  state.counters["per_event"] =
      benchmark::Counter(events, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(all_single_faults)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(one_plan, no_fault, PlanText{})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(one_plan, power_cut, PlanText{"{at: 1h, kind: power-cut}"})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(one_plan, two_faults,
                  PlanText{"{at: 1h, kind: power-cut}",
                           "{before_call: {action: CreateVolume, caller: 3}, kind: api-error}"})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(invariants_of_a_log)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
