// A model's graph as nodes with activations: the common part of engines for processors and for
// GPUs. An engine defines the content of an activation, the computation of a node, and functions
// that make nodes (conv_node, relu_node …).
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "trainer/engine/graph.h"

namespace spottrain {

// A node makes one activation from others. An engine's Node derives from it.
template <class Activation>
class GraphNode {
 public:
  GraphNode(std::vector<Activation*> from, Activation* to) : inputs(std::move(from)), output(to) {}
  virtual ~GraphNode() = default;
  GraphNode(const GraphNode&) = delete;
  GraphNode& operator=(const GraphNode&) = delete;

  const std::vector<Activation*> inputs;
  Activation* const output;
};

// Makes the node of an operation. The functions are those of the namespace of Setup. With relu a
// node is the layer and the ReLU after it.
template <class Setup>
struct NodeMaker {
  const Setup& setup;
  const Operation& operation;

  auto operator()(const Conv& conv) const { return conv_node(setup, conv, operation.relu); }
  auto operator()(const Dense& dense) const { return dense_node(setup, dense, operation.relu); }
  auto operator()(const BatchNorm& norm) const {
    return batch_norm_node(setup, norm, operation.relu);
  }
  auto operator()(const Relu&) const { return relu_node(setup); }
  auto operator()(const MaxPool& pool) const { return max_pool_node(setup, pool); }
  auto operator()(const GlobalAveragePool&) const { return average_node(setup); }
  auto operator()(const Dropout& dropout) const {
    return dropout_node(setup, dropout, operation.dropout);
  }
  auto operator()(const SubsamplePad& pad) const { return subsample_pad_node(setup, pad); }
  auto operator()(const Add&) const { return add_node(setup, operation.relu); }
};

template <class Activation, class Node>
class NodeGraph {
 public:
  // activation_of(GraphValue) makes an activation. setup_of(Operation) returns the arguments of a
  // node. This constructor sets the members input, addend (null: none) and output of the arguments.
  template <class ActivationOf, class SetupOf>
  NodeGraph(const ModelGraph& graph, ActivationOf activation_of, SetupOf setup_of) {
    for (const GraphValue& value : graph.values) activations_.push_back(activation_of(value));
    const auto at = [&](int number) {
      return number < 0 ? nullptr : &activations_[static_cast<std::size_t>(number)];
    };
    for (const Operation& operation : graph.operations) {
      auto setup = setup_of(operation);
      setup.input = at(operation.input);
      setup.addend = at(operation.addend);
      setup.output = at(operation.output);
      const NodeMaker<decltype(setup)> maker{setup, operation};
      nodes_.push_back(std::visit(maker, operation.kind));
    }
  }
  NodeGraph(const NodeGraph&) = delete;  // nodes point to the activations
  NodeGraph& operator=(const NodeGraph&) = delete;

  std::vector<Activation>& activations() { return activations_; }
  const Activation& input() const { return activations_.front(); }
  const Activation& logits() const { return activations_.back(); }
  Activation& logits() { return activations_.back(); }

  // Layers have the numbers of ModelGraph::layers(): the input is 0, the first node is 1.
  std::size_t loss_layer() const { return nodes_.size() + 1; }
  // Calls visit(layer, node) from the first node to the last.
  template <class Visit>
  void forward(Visit visit) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) visit(i + 1, *nodes_[i]);
  }
  // The same from the last node to the first, for nodes whose output needs a gradient.
  template <class Visit>
  void backward(Visit visit) const {
    for (std::size_t i = nodes_.size(); i-- > 0;)
      if (nodes_[i]->output->wants_gradient) visit(i + 1, *nodes_[i]);
  }

 private:
  std::vector<Activation> activations_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace spottrain
