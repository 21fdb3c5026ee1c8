// The cost per step of checking for an interruption (docs/interruptions.md): one check, by source.
#include <benchmark/benchmark.h>

#include <chrono>
#include <thread>

#include "trainer/spot/interruption_watch.h"
#include "trainer/spot/metadata_server_for_test.h"

namespace {

using namespace spottrain;

void look(benchmark::State& state, const InterruptionSources& sources) {
  const InterruptionWatch watch(sources);
  for (auto _ : state) benchmark::DoNotOptimize(watch.notice());
}

InterruptionSources nothing() {
  return {.signal = [] { return std::optional<std::string>(); }, .stop_file = {}, .imds = {}};
}

void signals(benchmark::State& state) { look(state, nothing()); }
BENCHMARK(signals);

void stop_file(benchmark::State& state) {
  InterruptionSources sources = nothing();
  sources.stop_file = "/tmp/no-such-stop-file";
  look(state, sources);
}
BENCHMARK(stop_file);

// A service on this machine that has no notice.
TestReply without_notice(const TestRequest& request) {
  return request.method == "PUT" ? TestReply{.status = 200, .body = "token"}
                                 : TestReply{.status = 404, .body = ""};
}

InterruptionSources metadata_every_10ms(const MetadataServer& service) {
  InterruptionSources sources = nothing();
  sources.imds = ImdsWatchOptions{};
  sources.imds->endpoint = service.endpoint();
  sources.imds->interval = std::chrono::milliseconds(10);
  return sources;
}

void instance_metadata(benchmark::State& state) {
  const MetadataServer service(without_notice);
  look(state, metadata_every_10ms(service));
}
BENCHMARK(instance_metadata);

// The cost of the thread that polls during training: the processor time of 100 intervals of 10 ms,
// including the service's part of the work.
void asking_for_a_second(benchmark::State& state) {
  const MetadataServer service(without_notice);
  const InterruptionWatch watch(metadata_every_10ms(service));
  for (auto _ : state) std::this_thread::sleep_for(std::chrono::seconds(1));
}
BENCHMARK(asking_for_a_second)->Iterations(3)->MeasureProcessCPUTime();

}  // namespace

BENCHMARK_MAIN();
