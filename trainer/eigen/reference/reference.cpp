#include "trainer/eigen/reference/reference.h"

#include "trainer/eigen/network.h"

namespace spottrain {
namespace {

using Network = eigen::Network<double>;

Pass pass_of(const Batch& batch) {
  return {.images = static_cast<int>(batch.labels.size()),
          .input = batch.images.data(),
          .labels = batch.labels.data()};
}

std::size_t values_of(const ModelDescription& model) {
  std::size_t size = 0;
  for (const TensorInfo& tensor : tensors_of(model)) size += tensor.size();
  return size;
}

}  // namespace

struct Reference::Engine {
  std::vector<double> state, gradient;
  Network network;

  Engine(const ModelDescription& model, int images)
      : state(values_of(model)),
        gradient(state.size()),
        network(graph_of(model), {.batch_size = images}, state.data(), gradient.data()) {}
};

Reference::Reference(const ModelDescription& model, const Batch& batch)
    : batch_(batch),
      engine_(std::make_unique<Engine>(model, static_cast<int>(batch.labels.size()))) {}
Reference::~Reference() = default;

ReferenceLoss Reference::loss(std::span<const double> state, bool training) {
  engine_->state.assign(state.begin(), state.end());
  const Pass pass = pass_of(batch_);
  Network& network = engine_->network;
  network.forward(pass, training);
  ReferenceLoss result{.sum = network.loss(pass.images).sum, .logits = {}};
  for (int n = 0; n < pass.images; ++n) {
    result.logits.insert(result.logits.end(), network.logits(n),
                         network.logits(n) + network.graph().classes());
  }
  return result;
}

std::vector<double> Reference::gradient(std::span<const double> state) {
  loss(state, true);
  engine_->network.backward(pass_of(batch_));
  return engine_->gradient;
}

double Reference::derivative(std::span<const double> state, std::size_t i) {
  constexpr double kStep = 1e-6;
  std::vector<double> moved(state.begin(), state.end());
  moved[i] = state[i] + kStep;
  const double above = loss(moved, true).sum;
  moved[i] = state[i] - kStep;
  const double below = loss(moved, true).sum;
  return (above - below) / (2 * kStep) / static_cast<double>(batch_.labels.size());
}

}  // namespace spottrain
