// Every path of the convolution kernels against the definition, over a table of shapes.
#include <gtest/gtest.h>

#include <cmath>

#include "trainer/cpu/engine.h"
#include "trainer/cpu/kernels/dispatch.h"
#include "trainer/cpu/reference/reference.h"
#include "trainer/cpu/reference/test_models.h"

namespace spottrain::cpu {
namespace {

// Channels on both sides of a panel, rows on both sides of a block of pixels, all kernels.
std::vector<ModelDescription> conv_models() {
  std::vector<ModelDescription> all;
  constexpr int kChannels[] = {1, 3, 16, 17, 64};
  for (const int in : kChannels) {
    for (const int out : kChannels) {
      for (const int kernel : {1, 3, 5, 7}) {
        if (in * out * kernel * kernel > 40'000) continue;  // slow, and nothing new
        for (const int stride : {1, 2}) {
          // Another padding, height and width from case to case.
          const int i = static_cast<int>(all.size());
          const int padding = kernel == 1  ? 0
                              : i % 3 == 0 ? 0
                              : i % 3 == 1 ? kernel / 2
                                           : kernel - 1;
          const int height = 7 + i % 4, width = 7 + i % 13;
          const std::string name = "in" + std::to_string(in) + "_out" + std::to_string(out) + "_k" +
                                   std::to_string(kernel) + "_s" + std::to_string(stride) + "_p" +
                                   std::to_string(padding) + "_" + std::to_string(height) + "x" +
                                   std::to_string(width);
          // The first layer lets the second one's input have a gradient.
          all.push_back({name,
                         {height, width, in},
                         {{"first", Conv{in, 1, 1, 0}},
                          {"conv", Conv{out, kernel, stride, padding, i % 2 == 0}},
                          {"pool", GlobalAveragePool{}}}});
        }
      }
    }
  }
  return all;
}

constexpr int kImages = 2;

// A direction in the space of all weights: the gradient is compared along it, for two losses.
double direction(std::size_t i) { return (i * 2654435761u >> 7 & 1) != 0 ? 1 : -1; }

double reference_slope(const ModelDescription& model, const std::vector<double>& state,
                       const Batch& batch) {
  constexpr double kStep = 1e-6;
  std::vector<double> above = state, below = state;
  for (std::size_t i = 0; i < state.size(); ++i) {
    above[i] += kStep * direction(i);
    below[i] -= kStep * direction(i);
  }
  return (reference_loss(model, above, batch, true).sum -
          reference_loss(model, below, batch, true).sum) /
         (2 * kStep) / kImages;
}

void expect_agreement(const ModelDescription& model) {
  const std::vector<float> state = random_state(model, 5);
  const TestBatch batch(model, kImages, 6);
  const std::vector<double> exact(state.begin(), state.end());
  const ReferenceLoss expected = reference_loss(model, exact, batch.view(), true);
  const double expected_slope = reference_slope(model, exact, batch.view());
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    const auto engine = make_engine(model, {.batch_size = kImages}, *kernels);
    engine->set_state(state);
    const std::vector<float> logits = engine->logits(batch.images);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      ASSERT_NEAR(logits[i], expected.logits[i], 2e-5 * (1 + std::abs(expected.logits[i])))
          << model.name << " " << kernels->name;
    }
    std::vector<float> gradient(state.size());
    engine->gradient(batch.view(), {}, gradient);
    double slope = 0, scale = 1;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      slope += direction(i) * gradient[i];
      scale += std::abs(gradient[i]);
    }
    ASSERT_NEAR(slope, expected_slope, 1e-5 * scale) << model.name << " " << kernels->name;
  }
}

TEST(ConvShapes, AgreeWithTheDefinition) {
  for (const ModelDescription& model : conv_models()) expect_agreement(model);
}

}  // namespace
}  // namespace spottrain::cpu
