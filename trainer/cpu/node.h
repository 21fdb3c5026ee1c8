// A network as nodes. Each node makes one value from others. Layers that can be computed together
// are one node.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "trainer/cpu/kernels/kernels.h"
#include "trainer/cpu/stages.h"
#include "trainer/cpu/tensor.h"
#include "trainer/engine/node_graph.h"

namespace spottrain::cpu {

// An activation.
struct Activation {
  Layout layout, gradient_layout;
  bool wants_gradient = true;
  std::unique_ptr<Tensor> data = nullptr;
  // Set while the backward pass is planned, after a node has added to it.
  std::shared_ptr<Tensor> gradient = nullptr;

  const ImageShape& shape() const { return layout.shape; }
};

// Plans the backward pass, from the last node to the first.
class Backward {
 public:
  explicit Backward(int batch) : batch_(batch) {}
  Stages stages;

  // Memory for the value's gradient. True if it has content already, to which the caller must add.
  bool claim(Activation& value);
  // Lets `to`, which has no gradient yet, take over the gradient of `from`. False if that is
  // impossible.
  bool hand_over(const Activation& from, Activation& to);
  // The plan has no more nodes that read the gradient, so its memory can be reused.
  void release(Activation& value);

  // Adds work that no other node waits for, such as gradients of weights. It runs before the next
  // stage that needs all images, and may read the gradient of `value`.
  void later(const Activation& value, std::function<void(Stages&)> add);
  // Adds the deferred work.
  void flush();

 private:
  struct Later {
    int layer;
    std::shared_ptr<Tensor> held;
    std::function<void(Stages&)> add;
  };
  int batch_;
  std::vector<std::shared_ptr<Tensor>> tensors_;
  std::vector<Later> later_;
};

class Node : public GraphNode<Activation> {
 public:
  using GraphNode::GraphNode;

  // Adds tasks that bring weights into the order in which kernels read them. Tasks may run in any
  // order.
  virtual void add_packing(std::vector<std::function<void()>>&) {}
  virtual void add_training(Stages&) = 0;
  virtual void add_inference(Stages& stages) { add_training(stages); }
  virtual void add_backward(Backward&) = 0;
};

// The longest runs of contiguous pixels that several layouts of one shape have in common.
struct Runs {
  int count, pixels;
  std::size_t size;  // floats
  Area area(int channels) const { return {count, pixels, channels}; }
};
Runs common_runs(std::initializer_list<const Layout*> layouts);

// Adds to the plan: `to`'s gradient += `from`'s gradient.
void add_gradient(const Kernels& kernels, Backward& backward, const Activation& from,
                  Activation& to);
// The same, if this is the last use of `from`: `to` takes over its gradient if possible.
void pass_on_gradient(const Kernels& kernels, Backward& backward, const Activation& from,
                      Activation& to);

}  // namespace spottrain::cpu
