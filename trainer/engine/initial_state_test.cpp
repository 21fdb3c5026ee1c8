#include <gtest/gtest.h>
#include <xxhash.h>

#include <cmath>
#include <map>
#include <string>

#include "trainer/engine/engine.h"

namespace spottrain {
namespace {

ModelDescription model() {
  return {.name = "test",
          .input = {4, 4, 32},
          .layers = {{"conv1", Conv{.channels = 64, .bias = true}},
                     {"relu1", Relu{}},
                     {"block1", Residual{.body = {{"block1.conv1", Conv{.channels = 64}},
                                                  {"block1.bn1", BatchNorm{}}},
                                         .shortcut = {}}},
                     {"conv2", Conv{.channels = 64, .bias = true}},
                     {"dense1", Dense{.outputs = 100}}}};
}

struct Moments {
  double mean = 0, deviation = 0, largest = 0, fourth = 0;
};

Moments moments(std::span<const float> values) {
  Moments m;
  const auto n = static_cast<double>(values.size());
  for (const float value : values) {
    m.mean += double{value} / n;
    m.largest = std::max(m.largest, std::abs(double{value}));
  }
  for (const float value : values) m.deviation += std::pow(double{value} - m.mean, 2) / n;
  m.deviation = std::sqrt(m.deviation);
  for (const float value : values) {
    m.fourth += std::pow((double{value} - m.mean) / m.deviation, 4) / n;
  }
  return m;
}

std::map<std::string, std::vector<float>> tensors(std::uint64_t seed) {
  const std::vector<float> state = initial_state(model(), seed);
  std::map<std::string, std::vector<float>> named;
  auto from = state.begin();
  for (const TensorInfo& tensor : tensors_of(model())) {
    const auto end = from + static_cast<std::ptrdiff_t>(tensor.size());
    named[tensor.name] = {from, end};
    from = end;
  }
  EXPECT_EQ(from, state.end());
  return named;
}

TEST(InitialState, RectifiedConvsAreNormalAsInHeEtAl) {
  auto values = tensors(1);
  for (const auto& [name, fan_in] :
       {std::pair("conv1.weight", 9.0 * 32), {"block1.conv1.weight", 9.0 * 64}}) {
    const Moments m = moments(values[name]);
    const double deviation = std::sqrt(2 / fan_in);
    EXPECT_NEAR(m.mean, 0, 0.03 * deviation) << name;
    EXPECT_NEAR(m.deviation, deviation, 0.02 * deviation) << name;
    EXPECT_NEAR(m.fourth, 3, 0.15) << name;  // of a normal distribution
  }
  EXPECT_EQ(moments(values["conv1.bias"]).largest, 0);
}

TEST(InitialState, OtherConvsAndDenseLayersAreUniform) {
  auto values = tensors(1);
  for (const auto& [name, fan_in] : {std::pair("conv2", 9.0 * 64), {"dense1", 16.0 * 64}}) {
    const double bound = 1 / std::sqrt(fan_in);
    const Moments weight = moments(values[std::string(name) + ".weight"]);
    EXPECT_NEAR(weight.mean, 0, 0.02 * bound) << name;
    EXPECT_NEAR(weight.deviation, bound / std::sqrt(3.0), 0.02 * bound) << name;
    EXPECT_LE(weight.largest, bound) << name;
    const Moments bias = moments(values[std::string(name) + ".bias"]);
    EXPECT_GT(bias.deviation, 0.3 * bound) << name;
    EXPECT_LE(bias.largest, bound) << name;
  }
}

TEST(InitialState, BatchNormsBeginAsTheIdentity) {
  auto values = tensors(1);
  for (const char* ones : {"block1.bn1.scale", "block1.bn1.running_variance"}) {
    EXPECT_EQ(values[ones], std::vector<float>(64, 1.0f)) << ones;
  }
  for (const char* zeros : {"block1.bn1.shift", "block1.bn1.running_mean"}) {
    EXPECT_EQ(values[zeros], std::vector<float>(64, 0.0f)) << zeros;
  }
}

TEST(InitialState, IsAFunctionOfTheSeedAndTheSameOnEveryMachine) {
  EXPECT_EQ(tensors(7), tensors(7));
  EXPECT_NE(tensors(7), tensors(8));
  auto values = tensors(7);
  XXH64_hash_t hash = 0;
  for (const auto& [name, tensor] : values) {
    hash = XXH3_64bits_withSeed(tensor.data(), tensor.size() * sizeof(float), hash);
  }
  EXPECT_EQ(hash, 0xe4f06479c6532510u) << std::hex << hash;
}

}  // namespace
}  // namespace spottrain
