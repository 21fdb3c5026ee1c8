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

// The end of a residual that no batch norm ends.
struct Add {};

// An activation.
struct GraphValue {
  ImageShape shape;
  bool wants_gradient = true;  // false if nothing before it is trained
  // Zero pixels that convolutions read beyond the ends of a row, of the value and of its gradient.
  // Sums over pixels go through a value without a border as one run of pixels, through one with a
  // border row by row.
  int border = 0, gradient_border = 0;
};

struct Operation {
  // The position of one of the model's tensors.
  struct Tensor {
    std::size_t number;  // in tensors_of()'s order
    std::size_t first;   // place of its first value in a flat vector of the state
    bool trained;        // then also in one of a gradient
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

struct ModelGraph {
  std::vector<GraphValue> values;  // the first is the input
  std::vector<Operation> operations;
  int logits = 0;  // the last value
  // The labels of profiles: "input", each operation's name, "loss".
  std::vector<std::string> layers() const;
  int classes() const { return values[static_cast<std::size_t>(logits)].shape.channels; }
};

// Throws std::invalid_argument if the model does not end in one value per class.
ModelGraph graph_of(const ModelDescription& model);

}  // namespace spottrain
