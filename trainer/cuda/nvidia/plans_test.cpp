// cuDNN can plan for a GPU that is only described, so these tests need no GPU. They check that
// every convolution of the built-in models has an algorithm in every precision, and always the same
// one.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <set>

#include "base/long_for_test.h"
#include "trainer/cuda/nvidia/convolution_plan.h"
#include "trainer/model/models.h"

namespace spottrain::cuda {
namespace {

// A GPU's properties in cuDNN's format, with the numbers of CUDA's programming guide.
std::string properties(std::string_view name, int capability, int multiprocessors,
                       int shared_memory_a_block, int threads) {
  return R"({"maxGridSize":[2147483647,65535,65535],"maxBlockSize":[1024,1024,64],)"
         R"("regsPerBlock":65536,"multiProcessorCount":)" +
         std::to_string(multiprocessors) +
         R"(,"warpSize":32,"maxSharedMemoryPerBlock":49152,"maxSharedMemoryPerBlockOptin":)" +
         std::to_string(shared_memory_a_block) +
         R"(,"reservedSharedMemoryPerBlock":1024,"maxRegistersPerSM":65536,"maxCtasPerSM":16,)"
         R"("maxThreadsPerBlock":1024,"maxThreadsPerSM":)" +
         std::to_string(threads) +
         R"(,"pciDeviceId":0,"isTccDriver":0,"supportCoopLaunch":1,"totalGlobalMem":16000000000,)"
         R"("smClockRateKHz":1500000,"memClockRateKHz":2000000,"l2CacheSize":4194304,)"
         R"("cudaDeviceId":0,"deviceVer":)" +
         std::to_string(capability * 10) + R"(,"driverVer":13000,"deviceName":")" +
         std::string(name) + "\"}";
}

struct Gpu {
  std::string name, properties;
  bool has_bf16;
};
const std::vector<Gpu> kGpus{{"T4", properties("Tesla T4", 75, 40, 65536, 1024), false},
                             {"A100", properties("NVIDIA A100", 80, 108, 166912, 2048), true},
                             {"A10G", properties("NVIDIA A10G", 86, 80, 101376, 1536), true},
                             {"L4", properties("NVIDIA L4", 89, 58, 101376, 1536), true},
                             {"H100", properties("NVIDIA H100", 90, 132, 232448, 2048), true}};

// Calls body with every convolution of a model.
void for_each_convolution(const std::vector<Layer>& layers, ImageShape& shape, int images,
                          const std::function<void(const ConvolutionShape&, bool first)>& body,
                          bool first = true) {
  for (const Layer& layer : layers) {
    const ImageShape output = output_shape(layer, shape);
    if (const auto* conv = std::get_if<Conv>(&layer.kind)) {
      body({images, shape, output, *conv}, first);
    } else if (const auto* residual = std::get_if<Residual>(&layer.kind)) {
      for (const auto* part : {&residual->body, &residual->shortcut}) {
        ImageShape inner = shape;
        for_each_convolution(*part, inner, images, body, false);
      }
    }
    shape = output;
    first = false;
  }
}

class Plans : public testing::TestWithParam<Gpu> {};

TEST_P(Plans, EveryConvolutionOfTheBuiltinModelsHasOneInEveryPrecision) {
  const Gpu& gpu = GetParam();
  if (gpu.name != "T4" && gpu.name != "H100") ONLY_AMONG_LONG_TESTS();
  Descriptor device(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
  device.set_all(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
                 std::span<const char>(gpu.properties.c_str(), gpu.properties.size() + 1));
  device.finalize("a GPU's properties");
  std::vector<Precision> precisions{Precision::fp32};
  if (gpu.has_bf16) precisions.insert(precisions.end(), {Precision::tf32, Precision::bf16});
  for (const auto& [name, input] :
       std::vector<std::pair<std::string, ImageShape>>{{"resnet20", {32, 32, 3}},
                                                       {"resnet50-cifar", {32, 32, 3}},
                                                       {"mnist-cnn", {28, 28, 1}}}) {
    const ModelDescription model = load_model(name, input, 10);
    for (const Precision precision : precisions) {
      for (const bool deterministic : {false, true}) {
        ImageShape shape = model.input;
        std::set<std::array<int, 6>> seen;
        for_each_convolution(
            model.layers, shape, 128, [&](const ConvolutionShape& conv, bool first) {
              const ImageShape& x = conv.input;
              const Conv& c = conv.conv;
              if (!seen.insert({x.height, x.channels, c.channels, c.kernel, c.stride, first})
                       .second) {
                return;
              }
              for (const Direction direction :
                   {Direction::forward, Direction::backward_data, Direction::backward_weights}) {
                if (first && direction == Direction::backward_data) continue;
                const PlanChoice choice{precision, deterministic,
                                        direction == Direction::backward_data};
                const ConvolutionPlan plan(conv, direction, choice, device);
                const ConvolutionPlan again(conv, direction, choice, device);
                EXPECT_EQ(plan.engine(), again.engine());
                EXPECT_LE(plan.workspace(), choice.most_workspace);
              }
            });
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gpus, Plans, testing::ValuesIn(kGpus),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace spottrain::cuda
