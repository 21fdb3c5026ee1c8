#include "trainer/cpu/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "trainer/cpu/kernels/dispatch.h"
#include "trainer/data/philox.h"
#include "trainer/eigen/reference/models_for_test.h"

namespace spottrain::cpu {
namespace {

ModelDescription small() {
  return {"small",
          {5, 5, 2},
          {{"conv", Conv{6}}, {"bn", BatchNorm{}}, {"relu", Relu{}}, {"dense", Dense{3}}}};
}

std::unique_ptr<Engine> engine_for(const ModelDescription& model, Optimizer optimizer = {}) {
  auto engine = make_cpu_engine(model, {.optimizer = optimizer, .batch_size = 8});
  engine->set_state(random_state(model, 1));
  return engine;
}

template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(OnProcessors, TrainIsGradientThenApply) {
  const ModelDescription model = small();
  const TestBatch batch(model, 8, 2);
  const auto whole = engine_for(model), parts = engine_for(model);
  const Loss expected = whole->train(batch.view(), {3, 0.1});
  std::vector<float> gradient(trained_size(model));
  const Loss found = parts->gradient(batch.view(), {3, 0.1}, gradient);
  parts->apply(gradient, {3, 0.1});
  EXPECT_EQ(found.sum, expected.sum);
  EXPECT_EQ(parts->state(), whole->state());
  EXPECT_EQ(parts->moment(0), whole->moment(0));
}

TEST(OnProcessors, ContinuesFromStateAndMoments) {
  const ModelDescription model = small();
  const Optimizer adam{.kind = Optimizer::Kind::adam};
  const TestBatch batch(model, 8, 2);
  const auto straight = engine_for(model, adam), resumed = engine_for(model, adam);
  straight->train(batch.view(), {0, 0.01});
  resumed->set_state(straight->state());
  for (const int which : {0, 1}) resumed->set_moment(which, straight->moment(which));
  straight->train(batch.view(), {1, 0.01});
  resumed->train(batch.view(), {1, 0.01});
  EXPECT_EQ(resumed->state(), straight->state());
}

TEST(OnProcessors, ALargeMeanDoesNotRuinABatchNorm) {
  const ModelDescription model{"norm", {8, 8, 3}, {{"bn", BatchNorm{}}, {"dense", Dense{3}}}};
  TestBatch near(model, 4, 2), far = near;
  for (float& value : near.images) value = std::round(value * 64) / 64;
  for (std::size_t i = 0; i < near.images.size(); ++i) far.images[i] = near.images[i] + 4096;
  const auto engine = engine_for(model);
  const double expected = engine->train(near.view(), {}).sum;
  // 4096 itself has steps of 5e-4 in float32.
  EXPECT_NEAR(engine->train(far.view(), {}).sum, expected, 1e-4 * expected);
}

TEST(OnProcessors, RunningMeansMoveAsPyTorchs) {
  const ModelDescription model{
      "norm", {1, 2, 1}, {{"bn", BatchNorm{.momentum = 0.25}}, {"dense", Dense{2}}}};
  const auto engine = make_cpu_engine(model, {.batch_size = 2});
  std::vector<float> state = random_state(model, 1);
  const std::size_t mean = state.size() - 2, variance = state.size() - 1;
  state[mean] = 1;
  state[variance] = 2;
  engine->set_state(state);
  engine->train({std::vector<float>{1, 2, 3, 6}, std::vector<int>{0, 1}}, {});
  EXPECT_FLOAT_EQ(engine->state()[mean], 0.75f * 1 + 0.25f * 3);
  EXPECT_FLOAT_EQ(engine->state()[variance], 0.75f * 2 + 0.25f * 14 / 3);
}

TEST(OnProcessors, LogitsOfMoreThanABatch) {
  const ModelDescription model = small();
  const TestBatch batch(model, 21, 2);
  const auto engine = engine_for(model);
  const std::vector<float> all = engine->logits(batch.images);
  ASSERT_EQ(all.size(), 63u);
  const auto last = std::span(batch.images).subspan(20 * model.input.size());
  EXPECT_EQ(engine->logits(last), std::vector<float>(all.end() - 3, all.end()));
}

TEST(OnProcessors, NaNsReachTheResult) {
  const ModelDescription model = small();
  TestBatch batch(model, 4, 2);
  batch.images[7] = std::nanf("");
  EXPECT_TRUE(std::isnan(engine_for(model)->train(batch.view(), {}).sum));
}

TEST(OnProcessors, RefusesInvalidModelsAndBatches) {
  const ModelDescription model = small();
  const TestBatch batch(model, 9, 2);
  const auto engine = engine_for(model);
  EXPECT_EQ(error_of([&] { engine->train(batch.view(), {}); }),
            "batch of 9 images, expected 1 to 8");
  EXPECT_EQ(error_of([&] { engine->train({}, {}); }), "batch of 0 images, expected 1 to 8");
  const auto labels = std::span(batch.labels);
  EXPECT_EQ(error_of([&] {
              engine->train({batch.images, labels.first(4)}, {});
            }),
            "images of 450 values, expected 200");
  const std::vector<int> wrong{3};
  EXPECT_EQ(error_of([&] {
              engine->evaluate({std::span(batch.images).first(50), wrong});
            }),
            "class 3, expected 0 to 2");
  EXPECT_EQ(error_of([&] { engine->set_state(std::vector<float>(5)); }),
            "state of 5 values, expected 585");
  EXPECT_EQ(error_of([&] { make_cpu_engine(model, {.batch_size = 0}); }),
            "batch size 0, expected at least 1");
  EXPECT_EQ(error_of([&] { make_cpu_engine(model, {.threads = 0}); }),
            "0 threads, expected at least 1");
  ModelDescription open = model;
  open.layers.pop_back();
  EXPECT_EQ(error_of([&] { make_cpu_engine(open, {}); }),
            "model small: its last layer makes 5×5 pixels, expected one value a class");
}

TEST(OnProcessors, ProfilesItsLayers) {
  const ModelDescription model = small();
  const TestBatch batch(model, 8, 2);
  const auto engine = make_cpu_engine(model, {.batch_size = 8, .threads = 2, .profile = true});
  engine->train(batch.view(), {});
  const auto layers = engine->layer_seconds();
  std::vector<std::string> names;
  double last = 1e9;
  for (const auto& [name, seconds] : layers) {
    EXPECT_LE(seconds, last);
    last = seconds;
    names.push_back(name);
  }
  std::ranges::sort(names);
  std::erase(names, "packing");  // of the fast engine only
  EXPECT_EQ(names, (std::vector<std::string>{"bn", "conv", "dense", "input", "loss", "optimizer"}));
  EXPECT_EQ(engine->layer_seconds().front().second, 0);
  EXPECT_TRUE(engine_for(model)->layer_seconds().empty());
}

TEST(OnProcessors, IsTheRequestedEngine) {
  const ModelDescription model = small();
  const TestBatch batch(model, 8, 2);
  const auto losses = [&](CpuEngine cpu) {
    return make_cpu_engine(model, {.batch_size = 8, .cpu = cpu})->train(batch.view(), {}).sum;
  };
  EXPECT_EQ(losses(CpuEngine::eigen), losses(CpuEngine::automatic));
  if (fastest_kernels()) {
    EXPECT_EQ(losses(CpuEngine::fast), losses(CpuEngine::eigen));
  } else {
    EXPECT_EQ(error_of([&] { losses(CpuEngine::fast); }),
              "the fast engine needs x86-64 with AVX2 and FMA");
  }
}

TEST(Kernels, TheEnvironmentForcesASetOrIsRefused) {
  const auto with = [](const char* value) {
    ::setenv("SPOTTRAIN_KERNELS", value, 1);
    std::string result = error_of([&] { fastest_kernels(); });
    if (result == "no error") result = fastest_kernels()->name;
    ::unsetenv("SPOTTRAIN_KERNELS");
    return result;
  };
  EXPECT_EQ(with("v2"), "SPOTTRAIN_KERNELS=v2: expected v3 or v4");
  for (const Kernels* kernels : all_kernels()) {
    const std::string name(kernels->name);
    EXPECT_EQ(with(name.c_str()),
              runs_here(*kernels) ? name
                                  : "SPOTTRAIN_KERNELS=" + name +
                                        ": this processor lacks instructions of x86-64-" + name);
  }
}

}  // namespace
}  // namespace spottrain::cpu
