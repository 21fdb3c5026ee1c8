// A model as nodes with their memory on the device, and the passes over them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trainer/cuda/nodes.h"
#include "trainer/cuda/parameter_layout.h"
#include "trainer/engine/graph.h"
#include "trainer/engine/node_graph.h"

namespace spottrain::cuda {

// The device's flat vectors in the order of ParameterLayout.
struct FlatVectors {
  float* state;     // device_all() values
  Bf16* rounded;    // the trained values in bfloat16; null if activations are float32
  float* gradient;  // device_trained() values
  Bf16* products;   // gradients of convolutions, device_weights() values; may be null like rounded
};

// Owns the nodes, activations and gradients of one model on one GPU.
class Network {
 public:
  // Receives the number of a layer before that layer's work is enqueued. At the end of a pass it
  // receives layers().size().
  using Watch = std::function<void(std::size_t layer)>;

  // `context` must keep its address. Throws std::invalid_argument if a batch is too large for the
  // kernels' 32-bit indices.
  Network(const ModelGraph& graph, const ParameterLayout& layout, const Context& context,
          const FlatVectors& vectors);

  unsigned classes() const { return logits().size(); }
  const Activation& input() const { return graph_.input(); }
  const Activation& logits() const { return graph_.logits(); }
  const std::vector<std::string>& layers() const { return layer_names_; }
  // The algorithms of all libraries for a number of images.
  std::string algorithms(unsigned images);

  // These functions enqueue work for images that are in input().
  void forward(unsigned images, bool training, const Watch& watch);
  // Computes the losses of the last forward pass. If a backward pass follows, `of` is not 0, and
  // that pass sets the gradient of the sum of the losses ÷ of.
  void loss(unsigned images, unsigned of, const int* labels, LossSums* sums, const Watch& watch);
  // Sets the whole gradient of the loss.
  void backward(unsigned images, const Watch& watch);

 private:
  std::vector<Parameter> parameters_of(const Operation& operation) const;
  void plan_backward();

  const Context& context_;
  const ParameterLayout& layout_;
  const FlatVectors vectors_;
  const std::vector<std::string> layer_names_;
  NodeGraph<Activation, Node> graph_;
  Gradients gradients_;
  void* logits_gradient_ = nullptr;
  Array<ImageLoss> losses_;
};

}  // namespace spottrain::cuda
