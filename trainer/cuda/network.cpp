#include "trainer/cuda/network.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace spottrain::cuda {
namespace {

Activation activation_of(const GraphValue& value, const Context& context) {
  const ImageShape& shape = value.shape;
  const std::size_t size = shape.size() * context.batch;
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::invalid_argument(fmt::format(
        "batch size {}: an activation of {}×{}×{} becomes {} values, expected at most {}",
        context.batch, shape.height, shape.width, shape.channels, size,
        std::numeric_limits<int>::max()));
  }
  return {.shape = shape,
          .wants_gradient = value.wants_gradient,
          .data = std::make_unique<Memory>(size * size_of(context.element))};
}

}  // namespace

Network::Network(const ModelGraph& graph, const ParameterLayout& layout, const Context& context,
                 const FlatVectors& vectors)
    : context_(context),
      layout_(layout),
      vectors_(vectors),
      layer_names_(graph.layers()),
      graph_(
          graph, [&](const GraphValue& value) { return activation_of(value, context); },
          [&](const Operation& operation) {
            return NodeSetup{.context = context, .tensors = parameters_of(operation)};
          }),
      gradients_(context.batch, context.element),
      losses_(context.batch) {
  plan_backward();
}

std::vector<Parameter> Network::parameters_of(const Operation& operation) const {
  std::vector<Parameter> parameters;
  for (const Operation::Tensor& tensor : operation.tensors) {
    const std::size_t at = layout_.tensors()[tensor.number].device;
    float* value = vectors_.state + at;
    const bool half = vectors_.rounded != nullptr;
    Parameter parameter{value, value, nullptr, nullptr};
    if (tensor.trained) parameter.gradient = vectors_.gradient + at;
    parameter.product = parameter.gradient;
    if (half && tensor.trained) parameter.factor = vectors_.rounded + at;
    if (half && at < layout_.device_weights()) parameter.product = vectors_.products + at;
    parameters.push_back(parameter);
  }
  return parameters;
}

void Network::plan_backward() {
  Activation& logits = graph_.logits();
  if (!logits.wants_gradient) return;
  gradients_.claim(logits);
  logits_gradient_ = logits.gradient->data();
  graph_.backward([&](std::size_t, Node& node) {
    node.plan_backward(gradients_);
    node.output->gradient.reset();
  });
}

std::string Network::algorithms(unsigned images) {
  std::string all;
  graph_.forward([&](std::size_t layer, Node& node) {
    const std::string own = node.algorithms(images);
    if (!own.empty()) all += fmt::format("{} {}\n", layer_names_[layer], own);
  });
  return all;
}

void Network::forward(unsigned images, bool training, const Watch& watch) {
  graph_.forward([&](std::size_t layer, Node& node) {
    watch(layer);
    node.forward(images, training);
  });
  watch(layer_names_.size());
}

void Network::loss(unsigned images, unsigned of, const int* labels, LossSums* sums,
                   const Watch& watch) {
  watch(layer_names_.size() - 1);
  softmax_loss(context_.launch(), images, classes(), logits().data->data(), labels, losses_.data(),
               {of > 0 ? logits_gradient_ : nullptr, of});
  sum_losses(context_.launch(), images, losses_.data(), sums);
  watch(layer_names_.size());
}

void Network::backward(unsigned images, const Watch& watch) {
  graph_.backward([&](std::size_t layer, Node& node) {
    watch(layer);
    node.backward(images);
  });
  watch(layer_names_.size());
  if (vectors_.products == nullptr) return;
  widen(context_.stream.raw(), static_cast<unsigned>(layout_.device_weights()), vectors_.products,
        vectors_.gradient);
}

}  // namespace spottrain::cuda
