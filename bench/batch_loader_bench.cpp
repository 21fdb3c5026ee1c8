// The time to prepare a batch of 128 CIFAR images for the engine, on one thread.
#include <benchmark/benchmark.h>

#include "trainer/data/batch_loader.h"

namespace {

using namespace spottrain;

void load_batch(benchmark::State& state, const Augmentation& augmentation) {
  Images images{.shape = {32, 32, 3}, .pixels = {}, .labels = {}};
  images.labels.resize(10'000);
  images.pixels.resize(images.labels.size() * images.shape.size(), 100);
  BatchLoader loader(images, fixed_normalisation(3), augmentation, 1, 128);
  std::int64_t step = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(loader.load(step++ % loader.steps_per_epoch()));
  }
  state.SetItemsProcessed(state.iterations() * 128);
}
BENCHMARK_CAPTURE(load_batch, plain, Augmentation{});
BENCHMARK_CAPTURE(load_batch, crop_and_flip, Augmentation{.padding = 4, .flip = true});

}  // namespace

BENCHMARK_MAIN();
