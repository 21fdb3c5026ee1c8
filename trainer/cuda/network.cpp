#include "trainer/cuda/network.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace spottrain::cuda {
namespace {

// Makes the node of an operation.
struct NodeOf {
  const Place& place;
  const Operation& operation;
  Value* addend;

  std::unique_ptr<Node> operator()(const Conv& conv) {
    return conv_node(place, conv, operation.relu);
  }
  std::unique_ptr<Node> operator()(const Dense& dense) {
    return dense_node(place, dense, operation.relu);
  }
  std::unique_ptr<Node> operator()(const BatchNorm& norm) {
    return batch_norm_node(place, norm, addend, operation.relu);
  }
  std::unique_ptr<Node> operator()(const Relu&) { return relu_node(place); }
  std::unique_ptr<Node> operator()(const MaxPool& pool) { return max_pool_node(place, pool); }
  std::unique_ptr<Node> operator()(const GlobalAveragePool&) { return average_node(place); }
  std::unique_ptr<Node> operator()(const Dropout& dropout) {
    return dropout_node(place, dropout, operation.dropout);
  }
  std::unique_ptr<Node> operator()(const SubsamplePad& pad) {
    return subsample_pad_node(place, pad);
  }
  std::unique_ptr<Node> operator()(const Add&) { return add_node(place, addend, operation.relu); }
};

Value value_of(const GraphValue& value, const Context& context) {
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
      gradients_(context.batch, context.element),
      losses_(context.batch) {
  for (const GraphValue& value : graph.values) values_.push_back(value_of(value, context));
  const auto value = [&](int number) { return &values_[static_cast<std::size_t>(number)]; };
  for (const Operation& operation : graph.operations) {
    const Place place{context, parameters_of(operation), value(operation.input),
                      value(operation.output)};
    Value* addend = operation.addend < 0 ? nullptr : value(operation.addend);
    nodes_.push_back(std::visit(NodeOf{place, operation, addend}, operation.kind));
  }
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
  Value& logits = values_.back();
  if (!logits.wants_gradient) return;
  gradients_.claim(logits);
  logits_gradient_ = logits.gradient->data();
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    Value& output = *(*node)->output;
    if (!output.wants_gradient) continue;
    (*node)->plan_backward(gradients_);
    output.gradient.reset();
  }
}

std::string Network::algorithms(unsigned images) {
  std::string all;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::string own = nodes_[i]->algorithms(images);
    if (!own.empty()) all += fmt::format("{} {}\n", layer_names_[i + 1], own);
  }
  return all;
}

void Network::forward(unsigned images, bool training, const Watch& watch) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    watch(i + 1);
    nodes_[i]->forward(images, training);
  }
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
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (!nodes_[i]->output->wants_gradient) continue;
    watch(i + 1);
    nodes_[i]->backward(images);
  }
  watch(layer_names_.size());
  if (vectors_.products == nullptr) return;
  widen(context_.stream.raw(), static_cast<unsigned>(layout_.device_weights()), vectors_.products,
        vectors_.gradient);
}

}  // namespace spottrain::cuda
