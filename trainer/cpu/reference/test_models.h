// Random states and batches for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "trainer/engine/engine.h"

namespace spottrain::cpu {

struct TestBatch {
  std::vector<float> images;
  std::vector<int> labels;

  TestBatch(const ModelDescription& model, int count, std::uint64_t seed);
  Batch view() const { return {images, labels}; }
};

// Weights as large as He et al.'s; no bias is zero and no scale one.
std::vector<float> random_state(const ModelDescription& model, std::uint64_t seed);

std::size_t trained_size(const ModelDescription& model);

}  // namespace spottrain::cpu
