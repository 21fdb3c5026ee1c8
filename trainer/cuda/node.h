// A network as nodes. Each node makes one value from others. Layers that can be computed together
// are one node.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trainer/cuda/device.h"
#include "trainer/cuda/kernels/kernels.h"
#include "trainer/cuda/libraries.h"
#include "trainer/engine/node_graph.h"

namespace spottrain::cuda {

// The data that all nodes of a network share.
struct Context {
  const Stream& stream;
  Libraries& libraries;
  Element element;
  Precision precision;
  unsigned batch;              // the maximum number of images
  const StepParameters* step;  // on the device
  std::uint64_t seed;
  Array<float> partial;  // for sums over rows, one at a time

  Launch launch() const { return {stream.raw(), element}; }
};

// An activation of up to Context::batch images.
struct Activation {
  ImageShape shape;
  bool wants_gradient = true;
  std::unique_ptr<Memory> data;
  // Set while the backward pass is planned, after a node has set it.
  std::shared_ptr<Memory> gradient = nullptr;

  unsigned size() const { return static_cast<unsigned>(shape.size()); }
  unsigned pixels() const { return static_cast<unsigned>(shape.height * shape.width); }
  unsigned channels() const { return static_cast<unsigned>(shape.channels); }
  Rows rows(unsigned images) const { return {images * pixels(), channels()}; }
};

// Memory for gradients while the backward pass is planned, from the last node to the first. One
// stream computes the passes in that order, so memory that later nodes of the plan do not read can
// be reused.
class Gradients {
 public:
  Gradients(std::size_t images, Element element) : images_(images), element_(element) {}

  // Memory for the value's gradient. True if it has content already, to which the caller must add.
  bool claim(Activation& value);
  // Lets `to`, if it has no gradient yet, take over the gradient of `from`, unless another value
  // has. False if that is impossible.
  bool hand_over(Activation& from, Activation& to);

 private:
  struct Owned {
    std::shared_ptr<Memory> memory;
    std::size_t bytes;
  };
  std::size_t images_;
  Element element_;
  std::vector<Owned> owned_;
};

class Node : public GraphNode<Activation> {
 public:
  using GraphNode::GraphNode;

  // These functions enqueue work. The first call for a number of images may take long and allocate
  // memory.
  virtual void forward(unsigned images, bool training) = 0;
  virtual void backward(unsigned images) = 0;
  // Claims gradients of the inputs. The output's gradient exists.
  virtual void plan_backward(Gradients& gradients) = 0;
  // The libraries' algorithms for a number of images.
  virtual std::string algorithms(unsigned /*images*/) { return {}; }
};

// Passes the output's gradient unchanged to one of the inputs.
class PassOn {
 public:
  // Plans the step. `gradient` is the gradient of `from`, even if another input has taken it over.
  void plan(Gradients& gradients, const void* gradient, Activation& from, Activation& to);
  void enqueue(const Context& context, unsigned images) const;

 private:
  unsigned size_ = 0;
  const void* from_ = nullptr;
  void* to_ = nullptr;  // null: there is nothing to do
  bool accumulate_ = false;
};

// The place where a node sets or adds to its input's gradient. Empty if the input needs none.
struct InputGradient {
  void* data = nullptr;
  bool accumulate = false;
  // Plans the gradient. `in_place`: it may overwrite the output's gradient, if the input has none
  // yet.
  void plan(Gradients& gradients, Activation& output, Activation& input, bool in_place);
};

}  // namespace spottrain::cuda
