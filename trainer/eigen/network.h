// The layers of a model in sequence, forward and backward.
#pragma once

#include <memory>
#include <vector>

#include "trainer/eigen/layers.h"
#include "trainer/engine/engine.h"
#include "trainer/engine/host_engine.h"
#include "trainer/engine/profile.h"
#include "trainer/engine/softmax_loss.h"

namespace spottrain::eigen {

template <typename Scalar>
class Network {
 public:
  // `state` and `gradient` are flat vectors in the order of tensors_of(), and must keep their
  // addresses.
  Network(ModelGraph graph, const EngineOptions& options, Scalar* state, Scalar* gradient);

  // Implements HostNetwork's passes; `profile` may be null.
  void forward(const Pass& pass, bool training, Profile* profile = nullptr);
  void backward(const Pass& pass, Profile* profile = nullptr);
  Loss loss(int images) const { return losses_.total(images); }
  const Scalar* logits(int image) const { return values_.back().data.row(image).data(); }

  const ModelGraph& graph() const { return graph_; }
  ThreadPool& pool() { return pool_; }

 private:
  const ModelGraph graph_;
  std::vector<Activation<Scalar>> values_;
  std::vector<std::unique_ptr<Layer<Scalar>>> layers_;  // one for each operation
  SoftmaxLoss losses_;
  ThreadPool pool_;
};

}  // namespace spottrain::eigen
