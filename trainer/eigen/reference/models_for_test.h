// Models, random states and batches for tests.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "trainer/engine/engine.h"

namespace spottrain {

struct TestBatch {
  std::vector<float> images;
  std::vector<int> labels;

  TestBatch(const ModelDescription& model, int count, std::uint64_t seed);
  Batch view() const { return {images, labels}; }
};

// Weights as large as He et al.'s; no bias is zero and no scale one.
std::vector<float> random_state(const ModelDescription& model, std::uint64_t seed);

std::size_t trained_size(const ModelDescription& model);

// Small models with every layer, alone and in important combinations.
struct LayerCase {
  std::string name, text;
  ImageShape input;
  int images = 5;
  ModelDescription model() const;
};
void PrintTo(const LayerCase& layer_case, std::ostream* out);
const std::vector<LayerCase>& layer_cases();

// Models of convolutions with all kernels. The numbers of channels are on both sides of a panel's
// size, and those of rows on both sides of a block of pixels.
std::vector<ModelDescription> conv_models();

}  // namespace spottrain
