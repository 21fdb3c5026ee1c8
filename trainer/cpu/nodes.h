// The kinds of node, one file each.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trainer/cpu/node.h"
#include "trainer/cpu/weights.h"
#include "trainer/model/description.h"

namespace spottrain::cpu {

// What a node is made from besides its layer.
struct NodeSetup {
  const Kernels& kernels;
  int batch;  // the most images
  Scratch& scratch;
  std::uint64_t seed;  // of dropout
  // The layer's tensors in the order of tensors_of(), and the gradients of the trained ones.
  std::vector<float*> tensors, gradients;
  // Set by NodeGraph.
  Activation* input = nullptr;
  Activation* addend = nullptr;  // null: none
  Activation* output = nullptr;
};

// With relu the node is the layer and the ReLU after it.
std::unique_ptr<Node> conv_node(const NodeSetup&, const Conv&, bool relu);
std::unique_ptr<Node> dense_node(const NodeSetup&, const Dense&, bool relu);
// relu(batch norm + addend).
std::unique_ptr<Node> batch_norm_node(const NodeSetup&, const BatchNorm&, bool relu);
std::unique_ptr<Node> relu_node(const NodeSetup&);
std::unique_ptr<Node> max_pool_node(const NodeSetup&, const MaxPool&);
std::unique_ptr<Node> average_node(const NodeSetup&);
// The seed and the number among the model's dropouts key the random numbers.
std::unique_ptr<Node> dropout_node(const NodeSetup&, const Dropout&, int number);
std::unique_ptr<Node> subsample_pad_node(const NodeSetup&, const SubsamplePad&);
// relu(input + addend).
std::unique_ptr<Node> add_node(const NodeSetup&, bool relu);

}  // namespace spottrain::cpu
