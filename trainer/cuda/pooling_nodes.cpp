#include "trainer/cuda/nodes.h"

namespace spottrain::cuda {
namespace {

class MaxPoolNode final : public Node {
 public:
  MaxPoolNode(const NodeSetup& setup, const MaxPool& pool)
      : Node({setup.input}, setup.output),
        context_(setup.context),
        pool_(pool),
        winners_(std::size_t{setup.context.batch} * setup.output->size()) {}

  void forward(unsigned images, bool) override {
    max_pool(context_.launch(), shape(images), inputs[0]->data->data(), output->data->data(),
             winners_.data());
  }
  void plan_backward(Gradients& gradients) override {
    gradient_ = output->gradient->data();
    input_gradient_.plan(gradients, *output, *inputs[0], false);
  }
  void backward(unsigned images) override {
    if (!input_gradient_.data) return;
    max_pool_gradient(context_.launch(), shape(images), gradient_, winners_.data(),
                      input_gradient_.data, input_gradient_.accumulate);
  }

 private:
  Pooling shape(unsigned images) const {
    const auto value = [](int extent) { return static_cast<unsigned>(extent); };
    const ImageShape &x = inputs[0]->shape, &y = output->shape;
    return {images,         value(x.height), value(x.width), value(x.channels), value(y.height),
            value(y.width), pool_.size,      pool_.stride,   pool_.padding};
  }

  const Context& context_;
  const MaxPool pool_;
  const Array<std::uint16_t> winners_;
  void* gradient_ = nullptr;
  InputGradient input_gradient_;
};

// The mean over an image's pixels.
class AverageNode final : public Node {
 public:
  explicit AverageNode(const NodeSetup& setup)
      : Node({setup.input}, setup.output), context_(setup.context) {}

  void forward(unsigned images, bool) override {
    average(context_.launch(), images, inputs[0]->rows(1), inputs[0]->data->data(),
            output->data->data());
  }
  void plan_backward(Gradients& gradients) override {
    gradient_ = output->gradient->data();
    input_gradient_.plan(gradients, *output, *inputs[0], false);
  }
  void backward(unsigned images) override {
    if (!input_gradient_.data) return;
    average_gradient(context_.launch(), images, inputs[0]->rows(1), gradient_, input_gradient_.data,
                     input_gradient_.accumulate);
  }

 private:
  const Context& context_;
  void* gradient_ = nullptr;
  InputGradient input_gradient_;
};

}  // namespace

std::unique_ptr<Node> max_pool_node(const NodeSetup& setup, const MaxPool& pool) {
  return std::make_unique<MaxPoolNode>(setup, pool);
}

std::unique_ptr<Node> average_node(const NodeSetup& setup) {
  return std::make_unique<AverageNode>(setup);
}

}  // namespace spottrain::cuda
