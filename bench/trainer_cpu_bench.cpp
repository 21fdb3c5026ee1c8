// Training steps on processors: trainer_cpu_bench MODEL [--threads N] [--batch N] [--steps N]
// [--layers] [--eigen]. Prints the best step's images a second; bench/trainer_cpu_bench.py runs it
// beside PyTorch. With --layers, where the time of an average step goes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <limits>

#include "trainer/cpu/engine.h"
#include "trainer/data/philox.h"
#include "trainer/model/models.h"

namespace {

using namespace spottrain;

struct Request {
  std::string model;
  EngineOptions options;
  int steps = 20;
};

struct Inputs {
  std::vector<float> images;
  std::vector<int> labels;
};

Inputs random_inputs(const ModelDescription& model, int count) {
  Inputs inputs{std::vector<float>(static_cast<std::size_t>(count) * model.input.size()),
                std::vector<int>(static_cast<std::size_t>(count))};
  Philox random(1, Purpose::shapes, 0);
  for (float& value : inputs.images) value = 2 * random.symmetric();
  for (int& label : inputs.labels) label = static_cast<int>(random.below(10));
  return inputs;
}

void measure(const Request& request) {
  using Clock = std::chrono::steady_clock;
  const bool digits = request.model.starts_with("mnist") || request.model == "lenet";
  const ImageShape shape = digits ? ImageShape{28, 28, 1} : ImageShape{32, 32, 3};
  const ModelDescription model = load_model(request.model, shape, 10);
  const auto engine = make_cpu_engine(model, request.options);
  engine->set_state(initial_state(model, 1));
  const Inputs inputs = random_inputs(model, request.options.batch_size);
  const auto step = [&](int i) {
    const auto start = Clock::now();
    engine->train({inputs.images, inputs.labels}, {i, 0.01});
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  constexpr int kWarmUp = 2;
  for (int i = 0; i < kWarmUp; ++i) step(i);
  engine->layer_seconds();
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < request.steps; ++i) best = std::min(best, step(kWarmUp + i));
  fmt::print("{:.1f}\n", request.options.batch_size / best);
  for (const auto& [layer, seconds] : engine->layer_seconds()) {
    fmt::print("{:10.3f} ms  {}\n", 1e3 * seconds / request.steps, layer);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  CLI::App app("Training steps of the CPU engine");
  app.add_option("model", request.model, "built-in model or file")->required();
  app.add_option("--threads", request.options.threads);
  app.add_option("--batch", request.options.batch_size);
  app.add_option("--steps", request.steps);
  app.add_flag("--layers", request.options.profile, "seconds by layer");
  app.add_flag_callback(
      "--eigen", [&] { request.options.cpu = CpuEngine::eigen; }, "not the fast engine");
  CLI11_PARSE(app, argc, argv);
  measure(request);
}
