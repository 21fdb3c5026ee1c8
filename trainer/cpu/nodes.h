// The kinds of node. Each kind has a file of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trainer/cpu/node.h"
#include "trainer/cpu/weights.h"
#include "trainer/model/description.h"

namespace spottrain::cpu {

// The arguments of a node, in addition to its layer.
struct NodeSetup {
  const Kernels& kernels;
  int batch;  // the maximum number of images
  Scratch& scratch;
  std::uint64_t seed;  // seed of dropout
  // The layer's tensors in the order of tensors_of(), and the gradients of the trained ones.
  std::vector<float*> tensors, gradients;
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
// The seed, and the layer's number among the model's dropouts, are the key of the random numbers.
std::unique_ptr<Node> dropout_node(const NodeSetup&, const Dropout&, int number);
std::unique_ptr<Node> subsample_pad_node(const NodeSetup&, const SubsamplePad&);
// Computes relu(input + addend).
std::unique_ptr<Node> add_node(const NodeSetup&, bool relu);

}  // namespace spottrain::cpu
