#include "trainer/cuda/network.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace spottrain::cuda {
namespace {

template <typename Kind>
bool is(const Layer& layer) {
  return std::holds_alternative<Kind>(layer.kind);
}

// Makes the node of a layer.
struct NodeOf {
  const Place& place;
  Value* addend;
  bool relu;
  int& dropouts;

  std::unique_ptr<Node> operator()(const Conv& conv) { return conv_node(place, conv, relu); }
  std::unique_ptr<Node> operator()(const Dense& dense) { return dense_node(place, dense, relu); }
  std::unique_ptr<Node> operator()(const BatchNorm& norm) {
    return batch_norm_node(place, norm, addend, relu);
  }
  std::unique_ptr<Node> operator()(const Relu&) { return relu_node(place); }
  std::unique_ptr<Node> operator()(const MaxPool& pool) { return max_pool_node(place, pool); }
  std::unique_ptr<Node> operator()(const GlobalAveragePool&) { return average_node(place); }
  std::unique_ptr<Node> operator()(const Dropout& dropout) {
    return dropout_node(place, dropout, dropouts++);
  }
  std::unique_ptr<Node> operator()(const SubsamplePad& pad) {
    return subsample_pad_node(place, pad);
  }
  std::unique_ptr<Node> operator()(const Residual&) { return add_node(place, addend, relu); }
};

}  // namespace

Network::Network(const ModelDescription& model, const ParameterLayout& layout,
                 const Context& context, const FlatVectors& vectors)
    : context_(context),
      layout_(layout),
      vectors_(vectors),
      gradients_(context.batch, context.element),
      losses_(context.batch) {
  const ImageShape output = output_shape(model);
  if (output.height != 1 || output.width != 1) {
    throw std::invalid_argument(
        fmt::format("model {}: its last layer makes {}×{} pixels, expected one value a class",
                    model.name, output.height, output.width));
  }
  numbered("input");
  input_ = add_value(model.input);
  input_->wants_gradient = false;
  logits_ = chain(model.layers, input_);
  numbered("loss");
  plan_backward();
}

std::size_t Network::numbered(std::string layer) {
  layer_names_.push_back(std::move(layer));
  return layer_names_.size() - 1;
}

Value* Network::add_value(ImageShape shape) {
  const std::size_t size = shape.size() * context_.batch;
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::invalid_argument(fmt::format(
        "batch size {}: an activation of {}×{}×{} becomes {} values, expected at most {}",
        context_.batch, shape.height, shape.width, shape.channels, size,
        std::numeric_limits<int>::max()));
  }
  Value& value = values_.emplace_back();
  value.shape = shape;
  value.data = std::make_unique<Memory>(size * size_of(context_.element));
  return &value;
}

Value* Network::chain(Chain layers, Value* input) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    const bool fuses =
        is<Conv>(layer) || is<Dense>(layer) || is<BatchNorm>(layer) || is<Residual>(layer);
    const bool relu = fuses && i + 1 < layers.size() && is<Relu>(layers[i + 1]);
    input =
        is<Residual>(layer) ? residual(layer, input, relu) : add_layer(layer, input, nullptr, relu);
    if (relu) ++i;
  }
  return input;
}

// A body's last batch norm adds the shortcut itself.
Value* Network::residual(const Layer& layer, Value* input, bool relu) {
  const auto& [body, shortcut] = std::get<Residual>(layer.kind);
  Value* addend = chain(shortcut, input);
  if (body.empty() || !is<BatchNorm>(body.back())) {
    return add_layer(layer, chain(body, input), addend, relu);
  }
  return add_layer(body.back(), chain(Chain(body).first(body.size() - 1), input), addend, relu);
}

Value* Network::add_layer(const Layer& layer, Value* input, Value* addend, bool relu) {
  const Place at = place(layer, input);
  at.output->wants_gradient =
      !at.tensors.empty() || input->wants_gradient || (addend && addend->wants_gradient);
  NodeOf node_of{at, addend, relu, dropouts_};
  nodes_.push_back({numbered(layer.name), std::visit(node_of, layer.kind)});
  return at.output;
}

Place Network::place(const Layer& layer, Value* input) {
  if (is<Residual>(layer)) return {context_, {}, input, add_value(input->shape)};
  Place place{context_, {}, input, add_value(output_shape(layer, input->shape))};
  for (const auto& [tensor, host, at] : layout_.of_layer(layer.name)) {
    float* value = vectors_.state + at;
    const bool trained = tensor.role != TensorRole::running, half = vectors_.rounded != nullptr;
    Parameter parameter{value, value, nullptr, nullptr};
    if (trained) parameter.gradient = vectors_.gradient + at;
    parameter.product = parameter.gradient;
    if (half && trained) parameter.factor = vectors_.rounded + at;
    if (half && at < layout_.device_weights()) parameter.product = vectors_.products + at;
    place.tensors.push_back(parameter);
  }
  return place;
}

void Network::plan_backward() {
  if (!logits_->wants_gradient) return;
  gradients_.claim(*logits_);
  logits_gradient_ = logits_->gradient->data();
  for (auto numbered = nodes_.rbegin(); numbered != nodes_.rend(); ++numbered) {
    Value& output = *numbered->node->output;
    if (!output.wants_gradient) continue;
    numbered->node->plan_backward(gradients_);
    output.gradient.reset();
  }
}

std::string Network::algorithms(unsigned images) {
  std::string all;
  for (const auto& [layer, node] : nodes_) {
    const std::string own = node->algorithms(images);
    if (!own.empty()) all += fmt::format("{} {}\n", layer_names_[layer], own);
  }
  return all;
}

void Network::forward(unsigned images, bool training, const Watch& watch) {
  for (const auto& [layer, node] : nodes_) {
    watch(layer);
    node->forward(images, training);
  }
  watch(layer_names_.size());
}

void Network::loss(unsigned images, unsigned of, const int* labels, LossSums* sums,
                   const Watch& watch) {
  watch(layer_names_.size() - 1);
  softmax_loss(context_.launch(), images, classes(), logits_->data->data(), labels, losses_.data(),
               {of > 0 ? logits_gradient_ : nullptr, of});
  sum_losses(context_.launch(), images, losses_.data(), sums);
  watch(layer_names_.size());
}

void Network::backward(unsigned images, const Watch& watch) {
  for (auto numbered = nodes_.rbegin(); numbered != nodes_.rend(); ++numbered) {
    if (!numbered->node->output->wants_gradient) continue;
    watch(numbered->layer);
    numbered->node->backward(images);
  }
  watch(layer_names_.size());
  if (vectors_.products == nullptr) return;
  widen(context_.stream.raw(), static_cast<unsigned>(layout_.device_weights()), vectors_.products,
        vectors_.gradient);
}

}  // namespace spottrain::cuda
