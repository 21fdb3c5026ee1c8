// For tests: PyTorch's values, and the comparison with them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "trainer/cpu/golden/inputs.h"

namespace spottrain::cpu::golden {

inline nlohmann::json golden_values() {
  std::ifstream file(std::string(SPOTSIM_SOURCE_DIR) + "/trainer/cpu/golden/resnet20.json");
  return nlohmann::json::parse(file);
}

// Compares tensor by tensor with golden norms and parts along 1, 2, 3 … 7, 1, 2 …
inline void expect_near(std::span<const float> values, const nlohmann::json& expected,
                        double tolerance) {
  std::size_t first = 0;
  const std::vector<TensorInfo> tensors = tensors_of(model());
  for (std::size_t t = 0; t < expected.size(); ++t) {
    double squares = 0, along = 0, direction_squares = 0;
    for (std::size_t i = 0; i < tensors[t].size(); ++i) {
      const double value = values[first + i], direction = static_cast<double>(i % 7 + 1);
      squares += value * value;
      along += value * direction;
      direction_squares += direction * direction;
    }
    const double norm = expected[t][0];
    EXPECT_NEAR(std::sqrt(squares), norm, tolerance * norm) << tensors[t].name;
    EXPECT_NEAR(along / std::sqrt(direction_squares), expected[t][1].get<double>(),
                tolerance * norm)
        << tensors[t].name;
    first += tensors[t].size();
  }
  EXPECT_EQ(first, values.size());
}

}  // namespace spottrain::cpu::golden
