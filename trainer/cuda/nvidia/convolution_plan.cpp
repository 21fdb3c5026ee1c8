#include "trainer/cuda/nvidia/convolution_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace spottrain::cuda {
namespace {

cudnnDataType_t data_type(Precision precision) {
  return precision == Precision::bf16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT;
}

// A tensor with the dimensions (n, c, h, w), which lie in memory in the order n, h, w, c. For
// weights, n is the output channel.
Descriptor tensor(std::int64_t uid, cudnnDataType_t type, std::int64_t n, std::int64_t c,
                  std::int64_t h, std::int64_t w) {
  Descriptor tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, {uid});
  tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type);
  tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {16});
  tensor.set(CUDNN_ATTR_TENSOR_DIMENSIONS, {n, c, h, w});
  tensor.set(CUDNN_ATTR_TENSOR_STRIDES, {h * w * c, 1, w * c, c});
  tensor.finalize("a tensor of a convolution");
  return tensor;
}

Descriptor images_tensor(std::int64_t uid, cudnnDataType_t type, int images, ImageShape shape) {
  return tensor(uid, type, images, shape.channels, shape.height, shape.width);
}

Descriptor geometry(const Conv& conv) {
  Descriptor geometry(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  geometry.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
  geometry.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE,
               CUDNN_CROSS_CORRELATION);
  geometry.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {2});
  geometry.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {conv.padding, conv.padding});
  geometry.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {conv.padding, conv.padding});
  geometry.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {1, 1});
  geometry.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {conv.stride, conv.stride});
  geometry.finalize("a convolution");
  return geometry;
}

// The attributes of the operation of one direction.
struct Operation {
  cudnnBackendDescriptorType_t type;
  cudnnBackendAttributeName_t geometry, alpha, beta, images, weights, result;
};

Operation operation_of(Direction direction) {
  switch (direction) {
    case Direction::forward:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y};
    case Direction::backward_data:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY};
    case Direction::backward_weights:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY};
  }
  throw std::logic_error("a direction of convolution that does not exist");
}

Descriptor operation_graph(const ConvolutionShape& shape, Direction direction, Precision precision,
                           bool accumulate) {
  const cudnnDataType_t type = data_type(precision);
  const Conv& conv = shape.conv;
  const Descriptor x = images_tensor(kImagesUid, type, shape.images, shape.input);
  const Descriptor w =
      tensor(kWeightsUid, type, conv.channels, shape.input.channels, conv.kernel, conv.kernel);
  const Descriptor y = images_tensor(kResultUid, type, shape.images, shape.output);
  const Descriptor how = geometry(conv);
  const Operation names = operation_of(direction);
  Descriptor operation(names.type);
  operation.set(names.geometry, how);
  operation.set(names.alpha, CUDNN_TYPE_FLOAT, 1.0f);
  operation.set(names.beta, CUDNN_TYPE_FLOAT, accumulate ? 1.0f : 0.0f);
  operation.set(names.images, x);
  operation.set(names.weights, w);
  operation.set(names.result, y);
  operation.finalize("an operation of convolution");
  Descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
  graph.finalize("a graph of one convolution");
  return graph;
}

// The engine configurations by cuDNN's heuristics, the best first.
std::vector<Descriptor> engine_configs(const Descriptor& graph, const Descriptor& device,
                                       cudnnBackendHeurMode_t mode) {
  Descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, device);
  heuristics.finalize("heuristics");
  constexpr std::size_t kMost = 64;
  std::vector<Descriptor> configs;
  for (std::size_t i = 0; i < kMost; ++i) configs.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  configs.erase(configs.begin() + static_cast<std::ptrdiff_t>(
                                      heuristics.get(CUDNN_ATTR_ENGINEHEUR_RESULTS, configs)),
                configs.end());
  return configs;
}

Descriptor engine_of(const Descriptor& config) {
  std::array<Descriptor, 1> engine{Descriptor(CUDNN_BACKEND_ENGINE_DESCRIPTOR)};
  config.get(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
  return std::move(engine[0]);
}

std::string engine_name(const Descriptor& config) {
  const auto index =
      engine_of(config).get<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1);
  std::vector<Descriptor> choices;
  for (int i = 0; i < CUDNN_KNOB_TYPE_COUNTS; ++i) {
    choices.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
  }
  const std::size_t count = config.get(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, choices);
  std::string knobs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto type = choices[i].get<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE,
                                                             CUDNN_TYPE_KNOB_TYPE, 1);
    const auto value =
        choices[i].get<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1);
    knobs += fmt::format("{}{}={}", i == 0 ? "" : ",", static_cast<int>(type.at(0)), value.at(0));
  }
  return fmt::format("eng{}{{{}}}", index.at(0), knobs);
}

// True if an engine computes with the requested precision. Tensor cores round float32 operands.
bool is_wanted(const Descriptor& config, const PlanChoice& choice) {
  const auto notes = engine_of(config).get<cudnnBackendNumericalNote_t>(
      CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
  return std::ranges::none_of(notes, [&](cudnnBackendNumericalNote_t note) {
    switch (note) {
      case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
        return choice.deterministic;
      case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
      case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
        return choice.precision == Precision::fp32;
      case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION:
        return true;
      default:
        return false;
    }
  });
}

}  // namespace

ConvolutionPlan::ConvolutionPlan(const ConvolutionShape& shape, Direction direction,
                                 const PlanChoice& choice, const Descriptor& device)
    : plan_(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
  const Descriptor graph = operation_graph(shape, direction, choice.precision, choice.accumulate);
  std::string refusals;
  for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    for (const Descriptor& config : engine_configs(graph, device, mode)) {
      if (!is_wanted(config, choice)) {
        refusals +=
            fmt::format("; {} is not of the wanted precision or determinism", engine_name(config));
        continue;
      }
      Descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
      plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
      plan.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, device);
      if (const auto refusal = plan.try_finalize()) {
        refusals += fmt::format("; {}: {}", engine_name(config), *refusal);
        continue;
      }
      workspace_ = static_cast<std::size_t>(
          plan.get<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1)
              .at(0));
      if (workspace_ > choice.most_workspace) {
        refusals += fmt::format("; {} wants {} bytes", engine_name(config), workspace_);
        continue;
      }
      engine_ = engine_name(config);
      plan_ = std::move(plan);
      return;
    }
  }
  throw std::runtime_error("no engine of cuDNN computes this convolution" + refusals);
}

}  // namespace spottrain::cuda
