// Training steps of the CUDA engine: trainer_cuda_bench MODEL [--precision fp32|tf32|bf16]
// [--deterministic] [--batch N] [--seconds S] [--layers]. Prints the images a second of the median
// of five windows, copying every batch to the GPU; bench/trainer_cuda_bench.py runs it beside
// PyTorch. Exit code 77 without a GPU. With --layers, where the time of an average step goes,
// kernel by kernel.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include "trainer/data/philox.h"
#include "trainer/engine/cuda_module.h"
#include "trainer/model/models.h"

namespace {

using namespace spottrain;
using Clock = std::chrono::steady_clock;

constexpr int kNoGpu = 77;

struct Request {
  std::string model;
  EngineOptions options;
  double seconds = 5;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Steps for some seconds, two of them under way; how many a second.
double steps_a_second(Engine& engine, const Batch& batch, std::int64_t& index, double seconds) {
  const auto start = Clock::now();
  std::int64_t steps = 0;
  engine.submit(batch, {index++, 0.01});
  for (; seconds_since(start) < seconds; ++steps) {
    engine.submit(batch, {index++, 0.01});
    engine.finish();
  }
  engine.finish();
  return static_cast<double>(steps + 1) / seconds_since(start);
}

void measure(const Request& request) {
  const bool digits = request.model.starts_with("mnist") || request.model == "lenet";
  const ImageShape shape = digits ? ImageShape{28, 28, 1} : ImageShape{32, 32, 3};
  const ModelDescription model = load_model(request.model, shape, 10);
  const auto engine = make_cuda_engine(model, request.options);
  engine->set_state(initial_state(model, 1));
  const auto count = static_cast<std::size_t>(request.options.batch_size);
  std::vector<float> images(count * model.input.size());
  std::vector<int> labels(count);
  Philox random(1, Purpose::shapes, 0);
  for (float& value : images) value = 2 * random.symmetric();
  for (int& label : labels) label = static_cast<int>(random.below(10));
  const Batch batch{images, labels};
  std::int64_t index = 0;
  steps_a_second(*engine, batch, index, request.seconds / 5);
  engine->layer_seconds();
  const std::int64_t warm_up = index;
  std::array<double, 5> windows{};
  for (double& rate : windows) rate = steps_a_second(*engine, batch, index, request.seconds / 5);
  std::ranges::sort(windows);
  fmt::print("{:.0f}\n", windows[2] * request.options.batch_size);
  fmt::print(stderr, "{}\n", engine->numeric_class());
  for (const auto& [layer, seconds] : engine->layer_seconds()) {
    fmt::print("{:10.3f} ms  {}\n", 1e3 * seconds / static_cast<double>(index - warm_up), layer);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  const std::map<std::string, Precision> precisions{
      {"fp32", Precision::fp32}, {"tf32", Precision::tf32}, {"bf16", Precision::bf16}};
  CLI::App app("Training steps of the CUDA engine");
  app.add_option("model", request.model, "built-in model or file")->required();
  app.add_option("--precision", request.options.precision)
      ->transform(CLI::CheckedTransformer(precisions));
  app.add_flag("--deterministic", request.options.deterministic);
  app.add_option("--batch", request.options.batch_size);
  app.add_option("--seconds", request.seconds, "of measuring");
  app.add_flag("--layers", request.options.profile, "seconds by layer, without graphs");
  CLI11_PARSE(app, argc, argv);
  try {
    measure(request);
  } catch (const EngineUnavailable& unavailable) {
    fmt::print(stderr, "{}\n", unavailable.what());
    return kNoGpu;
  }
}
