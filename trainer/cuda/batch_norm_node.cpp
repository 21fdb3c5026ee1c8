// Batch normalisation over a batch's pixels, with the addition and the ReLU that may follow it.
#include "trainer/cuda/nodes.h"

namespace spottrain::cuda {
namespace {

class BatchNormNode final : public Node {
 public:
  BatchNormNode(const NodeSetup& setup, const BatchNorm& norm, bool relu)
      : Node(setup.addend ? std::vector{setup.input, setup.addend} : std::vector{setup.input},
             setup.output),
        context_(setup.context),
        addend_(setup.addend),
        relu_(relu),
        channels_(setup.input->channels()),
        memory_(std::size_t{6} * channels_),
        state_{setup.tensors[0].value,           setup.tensors[1].value,
               setup.tensors[2].value,           setup.tensors[3].value,
               static_cast<float>(norm.epsilon), static_cast<float>(norm.momentum)},
        values_{row(0), row(1), row(2), row(3)},
        gradients_{setup.tensors[0].gradient, setup.tensors[1].gradient, row(4), row(5)} {}

  void forward(unsigned images, bool training) override {
    const Activation &x = *inputs[0], &y = *output;
    if (training) {
      batch_statistics(context_.launch(), x.rows(images), x.data->data(), state_, values_,
                       context_.partial.data());
    } else {
      running_statistics(context_.launch(), channels_, state_, values_);
    }
    normalize(context_.launch(), x.rows(images), values_, x.data->data(),
              addend_ ? addend_->data->data() : nullptr, relu_, y.data->data());
  }

  void plan_backward(Gradients& gradients) override {
    gradient_ = output->gradient->data();
    if (addend_) to_addend_.plan(gradients, gradient_, *output, *addend_);
    input_gradient_.plan(gradients, *output, *inputs[0], addend_ == nullptr);
  }

  void backward(unsigned images) override {
    const Activation &x = *inputs[0], &y = *output;
    normalize_sums(context_.launch(), x.rows(images), values_, x.data->data(),
                   relu_ ? y.data->data() : nullptr, gradient_, gradients_,
                   context_.partial.data());
    if (addend_) to_addend_.enqueue(context_, images);
    if (!input_gradient_.data) return;
    normalize_gradient(context_.launch(), x.rows(images), values_, gradients_, x.data->data(),
                       gradient_, input_gradient_.data, input_gradient_.accumulate);
  }

 private:
  float* row(unsigned i) const { return memory_.data() + std::size_t{i} * channels_; }

  const Context& context_;
  Activation* const addend_;
  const bool relu_;
  const unsigned channels_;
  const Array<float> memory_;
  const BatchNormState state_;
  const Channels values_;
  const NormGradients gradients_;
  void* gradient_ = nullptr;
  PassOn to_addend_;
  InputGradient input_gradient_;
};

}  // namespace

std::unique_ptr<Node> batch_norm_node(const NodeSetup& setup, const BatchNorm& norm, bool relu) {
  return std::make_unique<BatchNormNode>(setup, norm, relu);
}

}  // namespace spottrain::cuda
