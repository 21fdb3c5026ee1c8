#include "trainer/eigen/network.h"

#include <algorithm>

namespace spottrain::eigen {
template <typename Scalar>
Network<Scalar>::Network(ModelGraph graph, const EngineOptions& options, Scalar* state,
                         Scalar* gradient)
    : graph_(std::move(graph)), pool_(options.threads) {
  for (const GraphValue& value : graph_.values) values_.emplace_back(value, options.batch_size);
  const auto value = [&](int number) { return &values_[static_cast<std::size_t>(number)]; };
  for (const Operation& operation : graph_.operations) {
    LayerSetup<Scalar> setup{.operation = operation,
                             .input = *value(operation.input),
                             .addend = operation.addend < 0 ? nullptr : value(operation.addend),
                             .output = *value(operation.output),
                             .tensors = {},
                             .gradients = {},
                             .seed = options.seed};
    for (const Operation::Tensor& tensor : operation.tensors) {
      setup.tensors.push_back(state + tensor.first);
      if (tensor.trained) setup.gradients.push_back(gradient + tensor.first);
    }
    layers_.push_back(make_layer(setup));
  }
  losses_.resize(options.batch_size, graph_.classes());
}

template <typename Scalar>
void Network<Scalar>::forward(const Pass& pass, bool training, Profile* profile) {
  const Work work{pool_, pass.images, training, pass.step};
  timed(profile, 0, 0, [&] {
    Matrix<Scalar>& input = values_.front().data;
    std::copy_n(pass.input, pass.images * input.cols(), input.data());
  });
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    timed(profile, i + 1, 0, [&] { layers_[i]->forward(work); });
  }
  if (!pass.labels) return;
  timed(profile, layers_.size() + 1, 0, [&] {
    for (int n = 0; n < pass.images; ++n) losses_.set(n, logits(n), pass.labels[n]);
  });
}

template <typename Scalar>
void Network<Scalar>::backward(const Pass& pass, Profile* profile) {
  for (Activation<Scalar>& value : values_) value.has_gradient = false;
  Activation<Scalar>& logits = values_.back();
  if (!logits.in_graph.wants_gradient) return;
  logits.has_gradient = true;
  timed(profile, layers_.size() + 1, 0, [&] {
    for (int n = 0; n < pass.images; ++n) {
      losses_.gradient(n, pass.images, logits.gradient.row(n).data());
    }
  });
  const Work work{pool_, pass.images, true, pass.step};
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const auto output = static_cast<std::size_t>(graph_.operations[i].output);
    if (!values_[output].in_graph.wants_gradient) continue;
    timed(profile, i + 1, 0, [&] { layers_[i]->backward(work); });
  }
}

template class Network<float>;
template class Network<double>;

}  // namespace spottrain::eigen
