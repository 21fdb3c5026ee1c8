#include "trainer/cpu/network.h"

#include <algorithm>

namespace spottrain::cpu {
namespace {

// Makes the node of an operation.
struct NodeOf {
  const Place& place;
  const Operation& operation;
  Value* addend;
  std::uint64_t seed;

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
    return dropout_node(place, dropout, seed, operation.dropout);
  }
  std::unique_ptr<Node> operator()(const SubsamplePad& pad) {
    return subsample_pad_node(place, pad);
  }
  std::unique_ptr<Node> operator()(const Add&) { return add_node(place, addend, operation.relu); }
};

std::vector<Value> values_of(const ModelGraph& graph) {
  std::vector<Value> values;
  for (const GraphValue& value : graph.values) {
    values.push_back({.layout = {value.shape, value.border},
                      .gradient_layout = {value.shape, value.gradient_border},
                      .wants_gradient = value.wants_gradient});
  }
  return values;
}

}  // namespace

Network::Network(const ModelGraph& graph, const EngineOptions& options, const Kernels& kernels,
                 float* state, float* gradient)
    : options_(options),
      values_(values_of(graph)),
      loss_layer_(static_cast<int>(graph.operations.size()) + 1),
      logits_(values_.back()) {
  const auto value = [&](int number) { return &values_[static_cast<std::size_t>(number)]; };
  for (const Operation& operation : graph.operations) {
    Place place{.kernels = kernels,
                .batch = options.batch_size,
                .scratch = scratch_,
                .tensors = {},
                .gradients = {},
                .input = value(operation.input),
                .output = value(operation.output)};
    for (const Operation::Tensor& tensor : operation.tensors) {
      place.tensors.push_back(state + tensor.first);
      if (tensor.trained) place.gradients.push_back(gradient + tensor.first);
    }
    Value* addend = operation.addend < 0 ? nullptr : value(operation.addend);
    nodes_.push_back(std::visit(NodeOf{place, operation, addend, options.seed}, operation.kind));
  }
  losses_.resize(options.batch_size, classes());
  plan_forward();
}

void Network::plan_forward() {
  for (Value& value : values_) {
    value.data = std::make_unique<Tensor>(value.layout, options_.batch_size);
  }
  for (Stages* stages : {&training_, &inference_}) {
    const Tensor* to = values_.front().data.get();
    stages->over_images([to](int image, const Pass& pass) {
      const Layout& layout = to->layout();
      const float* from = pass.input + static_cast<std::size_t>(image) * layout.shape.size();
      for (int run = 0; run < layout.runs(); ++run, from += layout.run_size()) {
        std::copy_n(from, layout.run_size(), to->row(image, run));
      }
    });
  }
  int layer = 0;
  for (const auto& node : nodes_) {
    training_.of_layer(++layer);
    inference_.of_layer(layer);
    node->add_packing(packing_);
    node->add_training(training_);
    node->add_inference(inference_);
  }
  add_loss(training_);
  add_loss(inference_);
}

void Network::add_loss(Stages& stages) {
  stages.of_layer(loss_layer_);
  stages.over_images([this](int image, const Pass& pass) {
    if (pass.labels) losses_.set(image, logits(image), pass.labels[image]);
  });
}

const Stages& Network::backward() {
  if (backward_) return backward_->stages;
  Backward& backward = backward_.emplace(options_.batch_size);
  backward.stages.of_layer(loss_layer_);
  if (!logits_.wants_gradient) return backward.stages;
  backward.claim(logits_);
  backward.stages.over_images([this, g = logits_.gradient.get()](int image, const Pass& pass) {
    losses_.gradient(image, pass.images, g->row(image, 0));
  });
  for (int layer = static_cast<int>(nodes_.size()); layer > 0; --layer) {
    Node& node = *nodes_[static_cast<std::size_t>(layer) - 1];
    if (!node.output->wants_gradient) continue;
    backward.stages.of_layer(layer);
    node.add_backward(backward);
    backward.release(*node.output);
  }
  backward.flush();
  return backward.stages;
}

}  // namespace spottrain::cpu
