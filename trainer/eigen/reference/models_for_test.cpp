#include "trainer/eigen/reference/models_for_test.h"

#include <cmath>
#include <ostream>

#include "trainer/data/philox.h"
#include "trainer/model/model_text.h"

namespace spottrain {

TestBatch::TestBatch(const ModelDescription& model, int count, std::uint64_t seed)
    : images(static_cast<std::size_t>(count) * model.input.size()),
      labels(static_cast<std::size_t>(count)) {
  Philox random(seed, Purpose::shapes, 0);
  for (float& value : images) value = 2 * random.symmetric();
  const auto classes = static_cast<std::uint32_t>(output_shape(model).channels);
  for (int& label : labels) label = static_cast<int>(random.below(classes));
}

std::vector<float> random_state(const ModelDescription& model, std::uint64_t seed) {
  std::vector<float> state;
  Philox random(seed, Purpose::shapes, 1);
  for (const TensorInfo& tensor : tensors_of(model)) {
    const bool around_one =
        tensor.role == TensorRole::scale || tensor.name.ends_with("running_variance");
    const std::size_t fan_in = tensor.size() / tensor.shape.back();
    const float spread =
        tensor.role == TensorRole::weight ? std::sqrt(6.0f / static_cast<float>(fan_in)) : 0.3f;
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      state.push_back((around_one ? 1.0f : 0.0f) + spread * random.symmetric());
    }
  }
  return state;
}

std::size_t trained_size(const ModelDescription& model) {
  std::size_t size = 0;
  for (const TensorInfo& tensor : tensors_of(model)) {
    if (tensor.role != TensorRole::running) size += tensor.size();
  }
  return size;
}

std::vector<ModelDescription> conv_models() {
  std::vector<ModelDescription> all;
  constexpr int kChannels[] = {1, 3, 16, 17, 64};
  for (const int in : kChannels) {
    for (const int out : kChannels) {
      for (const int kernel : {1, 3, 5, 7}) {
        if (in * out * kernel * kernel > 40'000) continue;  // slow, and nothing new
        for (const int stride : {1, 2}) {
          // Padding, height and width vary from case to case.
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
          // Because of the first layer, the second layer's input needs a gradient.
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

ModelDescription LayerCase::model() const { return parse_model(text, name, input, 4); }

void PrintTo(const LayerCase& layer_case, std::ostream* out) { *out << layer_case.name; }

const std::vector<LayerCase>& layer_cases() {
  static const std::vector<LayerCase> all{
      {"Dense", "dense classes", {3, 5, 2}},
      {"DenseLongerThanOnePart", "dense 18\nrelu\ndense classes", {10, 9, 7}},
      {"DenseReluDense", "dense 19\nrelu\ndense classes", {1, 1, 37}},
      {"ConvBias", "conv 4 bias\nglobal-average-pool\ndense classes", {5, 6, 3}},
      {"ConvBiasRelu", "conv 7 bias padding=0\nrelu\ndense classes", {5, 6, 3}},
      {"ConvRelu", "conv 8\nrelu\ndense classes", {5, 6, 4}},
      {"ConvConv", "conv 5\nconv 4 stride=2\ndense classes", {7, 7, 1}},
      {"ConvIntoDense", "conv 3\nconv 3 padding=0\ndense classes", {6, 6, 2}},
      {"ConvStride3",
       "conv 5\nconv 6 kernel=2 stride=3 padding=1\nconv 4 kernel=5\ndense classes",
       {8, 11, 2}},
      {"ConvNormRelu", "conv 17\nbatch-norm\nrelu\nglobal-average-pool\ndense classes", {6, 5, 3}},
      {"ConvNorm", "conv 16\nbatch-norm\nglobal-average-pool\ndense classes", {6, 5, 8}},
      {"NormFirst", "batch-norm\nconv 5\nglobal-average-pool\ndense classes", {4, 4, 3}},
      {"ReluAlone", "batch-norm\nglobal-average-pool\nrelu\ndense classes", {4, 4, 5}},
      {"MaxPool", "conv 5\nmax-pool\ndense classes", {6, 6, 3}},
      {"MaxPoolOverlapping",
       "conv 17\nmax-pool size=3 stride=2 padding=1\ndense classes",
       {7, 7, 3}},
      {"MaxPoolGaps", "conv 4\nmax-pool size=2 stride=3\ndense classes", {8, 8, 3}},
      {"MaxPoolFirst", "max-pool\nconv 5\ndense classes", {6, 6, 3}},
      {"DropoutOfNothing", "conv 5\ndropout 0\ndense classes", {4, 4, 3}},
      {"DropoutAlone", "conv 5\ndropout 0.4\ndense classes", {5, 3, 3}},
      {"DropoutBetween",
       "conv 6\nrelu\ndropout 0.25\nconv 6\nbatch-norm\nrelu\nglobal-average-pool\n"
       "dropout 0.5\ndense classes",
       {5, 5, 2}},
      {"ResidualIdentity",
       "conv 6\nrelu\nresidual\nconv 6\nbatch-norm\nend\nrelu\nglobal-average-pool\ndense classes",
       {6, 6, 2}},
      {"ResidualSubsamplePad",
       "conv 4\nrelu\nresidual\nconv 8 stride=2\nbatch-norm\nrelu\nconv 8\nbatch-norm\nshortcut\n"
       "subsample-pad 8\nend\nrelu\nglobal-average-pool\ndense classes",
       {7, 7, 2}},
      {"ResidualProjection",
       "conv 4\nrelu\nresidual\nconv 8 stride=2\nbatch-norm\nshortcut\nconv 8 kernel=1 stride=2\n"
       "batch-norm\nend\nglobal-average-pool\ndense classes",
       {6, 6, 3}},
      {"ResidualWithoutNorm",
       "conv 6\nresidual\nconv 6\nrelu\nend\nrelu\nglobal-average-pool\ndense classes",
       {6, 6, 2}},
      {"ResidualPreActivation",
       "conv 6\nresidual\nbatch-norm\nrelu\nconv 6\nend\nglobal-average-pool\ndense classes",
       {6, 6, 2}},
      {"ResidualOfOnlyNorm",
       "conv 6\nresidual\nbatch-norm\nend\nglobal-average-pool\ndense classes",
       {4, 4, 2}},
      {"ResidualEmpty", "conv 6\nresidual\nend\ndense classes", {4, 4, 2}},
      {"ResidualNested",
       "conv 6\nresidual\nresidual\nconv 6\nbatch-norm\nend\nrelu\nconv 6\nend\nrelu\n"
       "global-average-pool\ndense classes",
       {6, 6, 2}},
      {"OneImage", "conv 5\nbatch-norm\nrelu\nglobal-average-pool\ndense classes", {6, 6, 3}, 1},
  };
  return all;
}

}  // namespace spottrain
