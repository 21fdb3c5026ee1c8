// A model as a list of operations on values, in the order in which every engine computes them.
// Layers that can be computed together are one operation: a layer with the ReLU after it, or a
// batch norm with the addition at the end of a residual. The list is plain data; engines make their
// nodes from the list.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "trainer/model/description.h"

namespace spottrain {

// An addition, at the end of a residual that does not end with a batch norm.
struct Add {};

// An activation.
struct GraphValue {
  ImageShape shape;
  bool wants_gradient = true;  // false if nothing before it is trained
  // The numbers of zero pixels that convolutions read beyond the ends of a row, in the value and in
  // its gradient. Without a border, sums over pixels go through a value as one run of pixels. With
  // a border they go row by row.
  int border = 0, gradient_border = 0;
};

// A step of the forward pass. An operation computes a value from one or two other values.
struct Operation {
  // The position of one of the model's tensors.
  struct Tensor {
    std::size_t number;  // in tensors_of()'s order
    std::size_t first;   // place of its first value in a flat vector of the state
    bool trained;        // true: a gradient has it, too
  };

  std::string name;  // of its layer
  LayerKind<Add> kind;
  int input;          // numbers of values
  int addend = -1;    // of an addition, or of a batch norm that adds; else −1
  int output;         // only this operation writes it
  bool relu = false;  // then max(result, 0)
  int dropout = -1;   // number among the model's dropouts: keys its random numbers
  std::vector<Tensor> tensors;
};

// The operations in the order of the forward pass; the backward pass goes from the last to the
// first.
struct ModelGraph {
  std::vector<GraphValue> values;  // the first is the input
  std::vector<Operation> operations;
  int logits = 0;  // the last value
  // The names of layers in profiles: "input", each operation's name, "loss".
  std::vector<std::string> layers() const;
  int classes() const { return values[static_cast<std::size_t>(logits)].shape.channels; }
};

// Throws std::invalid_argument if the model does not end in one value per class.
ModelGraph graph_of(const ModelDescription& model);

}  // namespace spottrain
