// The kinds of node, one file each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trainer/cpu/node.h"
#include "trainer/cpu/weights.h"
#include "trainer/model/description.h"

namespace spottrain::cpu {

// What a node is made from besides its layer.
struct Place {
  const Kernels& kernels;
  int batch;  // the most images
  Scratch& scratch;
  // The layer's tensors in the order of tensors_of(); the gradients of those that are trained.
  std::vector<float*> tensors, gradients;
  Value* input;
  Value* output;
};

// With relu the node is the layer and the ReLU after it.
std::unique_ptr<Node> conv_node(const Place&, const Conv&, bool relu);
std::unique_ptr<Node> dense_node(const Place&, const Dense&, bool relu);
// relu(batch norm + addend); addend may be null.
std::unique_ptr<Node> batch_norm_node(const Place&, const BatchNorm&, Value* addend, bool relu);
std::unique_ptr<Node> relu_node(const Place&);
std::unique_ptr<Node> max_pool_node(const Place&, const MaxPool&);
std::unique_ptr<Node> average_node(const Place&);
// seed and the layer's number key the random numbers.
std::unique_ptr<Node> dropout_node(const Place&, const Dropout&, std::uint64_t seed, int layer);
std::unique_ptr<Node> subsample_pad_node(const Place&, const SubsamplePad&);
std::unique_ptr<Node> add_node(const Place&, Value* addend, bool relu);

}  // namespace spottrain::cpu
