#include "trainer/cuda/parameter_layout.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "trainer/model/models.h"

namespace spottrain::cuda {
namespace {

TEST(ParameterLayout, ConvertsForthAndBackForEveryBuiltinModel) {
  for (const BuiltinModel& builtin : builtin_models()) {
    const ParameterLayout layout(load_model(std::string(builtin.name), {32, 32, 3}, 10));
    std::vector<float> host(layout.host_all()), back(layout.host_all());
    std::iota(host.begin(), host.end(), 1.0f);
    std::vector<float> device(layout.device_all(), -1.0f);
    layout.to_device(host, device);
    layout.to_host(device, back);
    EXPECT_EQ(back, host) << builtin.name;
  }
}

TEST(ParameterLayout, TrainedValuesHaveTheSamePlacesAlone) {
  const ParameterLayout layout(load_model("resnet20", {32, 32, 3}, 10));
  std::vector<float> host(layout.host_all());
  std::iota(host.begin(), host.end(), 1.0f);
  std::vector<float> all(layout.device_all()), trained(layout.device_trained());
  layout.to_device(host, all);
  layout.to_device(std::span(host).first(layout.host_trained()), trained);
  all.resize(trained.size());
  EXPECT_EQ(trained, all);
}

TEST(ParameterLayout, WeightsOfAConvolutionAreByOutputChannel) {
  const ModelDescription model{"m", {4, 4, 2}, {{"conv", Conv{3}}, {"dense", Dense{2}}}};
  const ParameterLayout layout(model);
  std::vector<float> host(layout.host_all());
  std::iota(host.begin(), host.end(), 0.0f);
  std::vector<float> device(layout.device_all());
  layout.to_device(host, device);
  const std::size_t kernel = 3, in = 2, out = 3;
  for (std::size_t row = 0; row < kernel; ++row) {
    for (std::size_t column = 0; column < kernel; ++column) {
      for (std::size_t c = 0; c < in; ++c) {
        for (std::size_t k = 0; k < out; ++k) {
          EXPECT_EQ(device[((k * kernel + row) * kernel + column) * in + c],
                    host[((row * kernel + column) * in + c) * out + k]);
        }
      }
    }
  }
}

TEST(ParameterLayout, TensorsAreAlignedAndConvolutionsComeFirst) {
  const ModelDescription model = load_model("lenet", {28, 28, 1}, 10);
  const ParameterLayout layout(model);
  std::set<std::size_t> places;
  for (const auto& [tensor, host, device] : layout.tensors()) {
    EXPECT_EQ(device % 64, 0u) << tensor.name;
    EXPECT_TRUE(places.insert(device).second) << tensor.name;
    EXPECT_EQ(device < layout.device_weights(), tensor.shape.size() == 4) << tensor.name;
  }
}

}  // namespace
}  // namespace spottrain::cuda
