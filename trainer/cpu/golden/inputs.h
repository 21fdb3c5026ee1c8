// The inputs of the golden values. The program that feeds PyTorch and the test share them.
#pragma once

#include "trainer/eigen/reference/models_for_test.h"
#include "trainer/model/models.h"

namespace spottrain::cpu::golden {

inline constexpr int kSteps = 10, kImages = 32;
inline constexpr std::uint64_t kSeed = 20;

inline ModelDescription model() { return load_model("resnet20", {32, 32, 3}, 10); }

inline std::vector<TestBatch> batches() {
  std::vector<TestBatch> all;
  for (std::uint64_t step = 0; step < kSteps; ++step) all.emplace_back(model(), kImages, step);
  return all;
}

}  // namespace spottrain::cpu::golden
