#include "trainer/model/description.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace spottrain {
namespace {

std::string error_of(const ModelDescription& model) {
  try {
    output_shape(model);
    tensors_of(model);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

ModelDescription of(std::vector<Layer> layers, ImageShape input = {8, 6, 4}) {
  return {.name = "test", .input = input, .layers = std::move(layers)};
}

TEST(OutputShape, FollowsPyTorchsFormulas) {
  const auto shape = [](Layer layer) { return output_shape(layer, {8, 7, 4}); };
  EXPECT_EQ(shape({"c", Conv{.channels = 5}}), (ImageShape{8, 7, 5}));
  EXPECT_EQ(shape({"c", Conv{.channels = 5, .stride = 2}}), (ImageShape{4, 4, 5}));
  EXPECT_EQ(shape({"c", Conv{.channels = 5, .kernel = 5, .padding = 0}}), (ImageShape{4, 3, 5}));
  EXPECT_EQ(shape({"p", MaxPool{}}), (ImageShape{4, 3, 4}));
  EXPECT_EQ(shape({"p", MaxPool{.size = 3, .stride = 2, .padding = 1}}), (ImageShape{4, 4, 4}));
  EXPECT_EQ(shape({"g", GlobalAveragePool{}}), (ImageShape{1, 1, 4}));
  EXPECT_EQ(shape({"d", Dense{.outputs = 10}}), (ImageShape{1, 1, 10}));
  EXPECT_EQ(shape({"s", SubsamplePad{.channels = 8}}), (ImageShape{4, 4, 8}));
  for (const Layer& same : {Layer{"b", BatchNorm{}}, Layer{"r", Relu{}}, Layer{"o", Dropout{}},
                            Layer{"e", Residual{}}}) {
    EXPECT_EQ(shape(same), (ImageShape{8, 7, 4})) << same.name;
  }
}

TEST(TensorsOf, TrainedOnesComeFirstAndABodyBeforeItsShortcut) {
  const auto model = of(
      {{"conv1", Conv{.channels = 2, .kernel = 5, .padding = 2, .bias = true}},
       {"block1",
        Residual{.body = {{"block1.bn1", BatchNorm{}}},
                 .shortcut = {{"block1.conv1", Conv{.channels = 2, .kernel = 1, .padding = 0}}}}},
       {"dense1", Dense{.outputs = 3}}});
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> shapes;
  for (const TensorInfo& tensor : tensors_of(model)) {
    names.push_back(tensor.name);
    shapes.push_back(tensor.shape);
  }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "conv1.weight", "conv1.bias", "block1.bn1.scale", "block1.bn1.shift",
                       "block1.conv1.weight", "dense1.weight", "dense1.bias",
                       "block1.bn1.running_mean", "block1.bn1.running_variance"}));
  EXPECT_EQ(shapes, (std::vector<std::vector<std::size_t>>{
                        {5, 5, 4, 2}, {2}, {2}, {2}, {1, 1, 2, 2}, {96, 3}, {3}, {2}, {2}}));
  EXPECT_EQ(tensors_of(model).back().role, TensorRole::running);
}

TEST(ImpossibleModels, AreReportedWithLayerAndExpectation) {
  EXPECT_EQ(error_of(of({{"c1", Conv{.channels = 8, .kernel = 9, .padding = 0}}})),
            "layer c1: a kernel of 9 with padding 0 is larger than its input 8×6×4");
  EXPECT_EQ(error_of(of({{"c1", Conv{}}})), "layer c1: channels 0, expected 1 to 65536");
  EXPECT_EQ(error_of(of({{"c1", Conv{.channels = 1, .stride = 0}}})),
            "layer c1: stride 0, expected 1 to 64");
  EXPECT_EQ(error_of(of({{"p1", MaxPool{.padding = 2}}})), "layer p1: padding 2, expected 0 to 1");
  EXPECT_EQ(error_of(of({{"s1", SubsamplePad{.channels = 7}}})),
            "layer s1: 7 channels from 4: expected an even number more, half of it on each side");
  EXPECT_EQ(error_of(of({{"s1", SubsamplePad{.channels = 2}}})),
            "layer s1: channels 2, expected 4 to 65536");
  EXPECT_EQ(error_of(of({{"r1", Residual{.body = {{"r1.c1", Conv{.channels = 6}}}}}})),
            "layer r1: its body makes 8×6×6, its shortcut 8×6×4: expected equal shapes to add");
  EXPECT_EQ(error_of(of({{"o1", Dropout{.rate = 1}}})), "layer o1: rate 1, expected 0 to below 1");
  EXPECT_EQ(error_of(of({{"b1", BatchNorm{.epsilon = 0}}})),
            "layer b1: epsilon 0, expected above 0 and below 1");
  EXPECT_EQ(error_of(of({{"d", Dense{.outputs = 2}}, {"d", Dense{.outputs = 2}}})),
            "two tensors are named d.weight: expected every layer's name once");
  EXPECT_EQ(error_of(of({{"r1", Relu{}}}, {0, 6, 4})),
            "layer r1: its input is 0×6×4, expected at least 1×1×1");
  EXPECT_EQ(error_of(of({{"c1", Conv{.channels = 65536}}}, {1024, 1024, 3})),
            "layer c1: its output of 1024×1024×65536 is more than 268435456 values an image");
  EXPECT_EQ(error_of(of({{"d1", Dense{.outputs = 65536}}}, {128, 128, 3})),
            "its state up to d1.weight is more than 268435456 values");
}

}  // namespace
}  // namespace spottrain
