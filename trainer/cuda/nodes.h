// The kinds of node.
#pragma once

#include <memory>
#include <vector>

#include "trainer/cuda/node.h"
#include "trainer/model/description.h"

namespace spottrain::cuda {

// A tensor of a layer on the device.
struct Parameter {
  float* value;
  const void* factor;  // the same in the activations' element, for convolutions and products
  float* gradient;     // null for running values
  void* product;       // target of a convolution's gradient, in the activations' type
};

// The arguments of a node, in addition to its layer.
struct NodeSetup {
  const Context& context;
  std::vector<Parameter> tensors;  // the layer's, in the order of tensors_of()
  // NodeGraph sets these members.
  Activation* input = nullptr;
  Activation* addend = nullptr;  // null: none
  Activation* output = nullptr;
};

// With relu the node is the layer and the ReLU after it.
std::unique_ptr<Node> conv_node(const NodeSetup&, const Conv&, bool relu);
std::unique_ptr<Node> dense_node(const NodeSetup&, const Dense&, bool relu);
// Computes relu(batch norm + addend).
std::unique_ptr<Node> batch_norm_node(const NodeSetup&, const BatchNorm&, bool relu);
std::unique_ptr<Node> relu_node(const NodeSetup&);
std::unique_ptr<Node> max_pool_node(const NodeSetup&, const MaxPool&);
std::unique_ptr<Node> average_node(const NodeSetup&);
// `number` counts the model's dropouts in their order. It is part of the key of the random numbers.
std::unique_ptr<Node> dropout_node(const NodeSetup&, const Dropout&, int number);
std::unique_ptr<Node> subsample_pad_node(const NodeSetup&, const SubsamplePad&);
// Computes relu(input + addend).
std::unique_ptr<Node> add_node(const NodeSetup&, bool relu);

}  // namespace spottrain::cuda
