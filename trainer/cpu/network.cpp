#include "trainer/cpu/network.h"

#include <algorithm>
#include <stdexcept>

namespace spottrain::cpu {
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
  std::uint64_t seed;
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
    return dropout_node(place, dropout, seed, dropouts++);
  }
  std::unique_ptr<Node> operator()(const SubsamplePad& pad) {
    return subsample_pad_node(place, pad);
  }
  std::unique_ptr<Node> operator()(const Residual&) { return add_node(place, addend, relu); }
};

}  // namespace

Network::Network(const ModelDescription& model, const EngineOptions& options,
                 const Kernels& kernels, float* state, float* gradient)
    : options_(options),
      kernels_(kernels),
      tensors_(tensors_of(model)),
      state_(state),
      gradient_(gradient) {
  const ImageShape output = output_shape(model);
  if (output.height != 1 || output.width != 1) {
    throw std::invalid_argument("model " + model.name + ": its last layer makes " +
                                std::to_string(output.height) + "×" + std::to_string(output.width) +
                                " pixels, expected one value a class");
  }
  numbered("input");
  input_ = &values_.emplace_back();
  input_->layout.shape = input_->gradient_layout.shape = model.input;
  input_->wants_gradient = false;
  logits_ = chain(model.layers, input_);
  numbered("loss");
  losses_.resize(options.batch_size, output.channels);
  plan_forward();
}

int Network::numbered(std::string layer) {
  layer_names_.push_back(std::move(layer));
  return static_cast<int>(layer_names_.size()) - 1;
}

Value* Network::chain(Chain layers, Value* input) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    const bool fuses =
        is<Conv>(layer) || is<Dense>(layer) || is<BatchNorm>(layer) || is<Residual>(layer);
    const bool relu = fuses && i + 1 < layers.size() && is<Relu>(layers[i + 1]);
    input = is<Residual>(layer) ? residual(layer, input, relu) : add(layer, input, nullptr, relu);
    if (relu) ++i;
  }
  return input;
}

// A body's last batch norm adds the shortcut itself.
Value* Network::residual(const Layer& layer, Value* input, bool relu) {
  const auto& [body, shortcut] = std::get<Residual>(layer.kind);
  Value* addend = chain(shortcut, input);
  if (body.empty() || !is<BatchNorm>(body.back())) {
    return add(layer, chain(body, input), addend, relu);
  }
  return add(body.back(), chain(Chain(body).first(body.size() - 1), input), addend, relu);
}

Value* Network::add(const Layer& layer, Value* input, Value* addend, bool relu) {
  const Place at = place(layer, input);
  at.output->wants_gradient =
      !at.gradients.empty() || input->wants_gradient || (addend && addend->wants_gradient);
  NodeOf node_of{at, addend, relu, options_.seed, dropouts_};
  nodes_.push_back({numbered(layer.name), std::visit(node_of, layer.kind)});
  return at.output;
}

Place Network::place(const Layer& layer, Value* input) {
  Value& output = values_.emplace_back();
  output.layout.shape = output.gradient_layout.shape =
      is<Residual>(layer) ? input->shape() : output_shape(layer, input->shape());
  Place place{.kernels = kernels_,
              .batch = options_.batch_size,
              .scratch = scratch_,
              .tensors = {},
              .gradients = {},
              .input = input,
              .output = &output};
  if (is<Residual>(layer)) return place;
  std::size_t at = 0;
  for (const TensorInfo& tensor : tensors_) {
    if (tensor.name.starts_with(layer.name + ".") &&
        tensor.name.find('.', layer.name.size() + 1) == std::string::npos) {
      place.tensors.push_back(state_ + at);
      if (tensor.role != TensorRole::running) place.gradients.push_back(gradient_ + at);
    }
    at += tensor.size();
  }
  return place;
}

void Network::plan_forward() {
  for (Value& value : values_) {
    value.data = std::make_unique<Tensor>(value.layout, options_.batch_size);
  }
  for (Stages* stages : {&training_, &inference_}) {
    const Tensor* to = input_->data.get();
    stages->over_images([to](int image, const Pass& pass) {
      const Layout& layout = to->layout();
      const float* from = pass.input + static_cast<std::size_t>(image) * layout.shape.size();
      for (int run = 0; run < layout.runs(); ++run, from += layout.run_size()) {
        std::copy_n(from, layout.run_size(), to->row(image, run));
      }
    });
  }
  for (auto& [layer, node] : nodes_) {
    training_.of_layer(layer);
    inference_.of_layer(layer);
    node->add_packing(packing_);
    node->add_training(training_);
    node->add_inference(inference_);
  }
  add_loss(training_);
  add_loss(inference_);
}

void Network::add_loss(Stages& stages) {
  stages.of_layer(static_cast<int>(layer_names_.size()) - 1);
  stages.over_images([this](int image, const Pass& pass) {
    if (pass.labels) losses_.set(image, logits(image), pass.labels[image]);
  });
}

const Stages& Network::backward() {
  if (backward_) return backward_->stages;
  Backward& backward = backward_.emplace(options_.batch_size);
  backward.stages.of_layer(static_cast<int>(layer_names_.size()) - 1);
  if (!logits_->wants_gradient) return backward.stages;
  backward.claim(*logits_);
  backward.stages.over_images([this, g = logits_->gradient.get()](int image, const Pass& pass) {
    losses_.gradient(image, pass.images, g->row(image, 0));
  });
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    Value& output = *node->node->output;
    if (!output.wants_gradient) continue;
    backward.stages.of_layer(node->layer);
    node->node->add_backward(backward);
    backward.release(output);
  }
  backward.flush();
  return backward.stages;
}

}  // namespace spottrain::cpu
