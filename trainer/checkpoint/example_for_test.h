// For tests: small checkpoints.
#pragma once

#include "trainer/checkpoint/checkpoint.h"

namespace spottrain {

inline Checkpoint example_checkpoint(std::int64_t step = 42) {
  return {.step = step,
          .steps_per_epoch = 10,
          .configuration = {{"model", "m"},
                            {"optimizer", "sgd"},
                            {"seed", UINT64_MAX},
                            {"batch_size", 3},
                            {"learning_rate", 0.1},
                            {"schedule", "constant"}},
          .numeric_class = "test",
          .code_revision = "v1-2-gabc",
          .epoch_sums = {.loss = 1.0 / 3, .correct = 4, .images = 6},
          .metric = 0.25,
          .tensors = {{"w", {2, 3}}, {"momentum/w", {1}}, {"scalar", {}}},
          .values = {1, -2, 3, 1e-40f, 5, 6, 0.5f, static_cast<float>(step)}};
}

}  // namespace spottrain
