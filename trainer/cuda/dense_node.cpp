#include "trainer/cuda/nodes.h"

namespace spottrain::cuda {
namespace {

class DenseNode final : public Node {
 public:
  DenseNode(const NodeSetup& setup, bool relu)
      : Node({setup.input}, setup.output),
        context_(setup.context),
        relu_(relu),
        weights_(setup.tensors[0]),
        bias_(setup.tensors[1]),
        in_(static_cast<int>(setup.input->size())),
        out_(static_cast<int>(setup.output->size())) {}

  // y = x·W + b.
  void forward(unsigned images, bool) override {
    context_.libraries.multiply({.rows = static_cast<int>(images),
                                 .columns = out_,
                                 .inner = in_,
                                 .a = inputs[0]->data->data(),
                                 .a_transposed = false,
                                 .b = weights_.factor,
                                 .b_transposed = false,
                                 .c = output->data->data(),
                                 .c_element = context_.element,
                                 .accumulate = false});
    add_bias(context_.launch(), output->rows(images), bias_.value, relu_, output->data->data());
  }

  void plan_backward(Gradients& gradients) override {
    gradient_ = output->gradient->data();
    input_gradient_.plan(gradients, *output, *inputs[0], false);
  }

  // ∂W = xᵀ·g and ∂x = g·Wᵀ.
  void backward(unsigned images) override {
    bias_gradient(context_.launch(), output->rows(images), relu_ ? output->data->data() : nullptr,
                  gradient_, bias_.gradient, context_.partial.data());
    context_.libraries.multiply({.rows = in_,
                                 .columns = out_,
                                 .inner = static_cast<int>(images),
                                 .a = inputs[0]->data->data(),
                                 .a_transposed = true,
                                 .b = gradient_,
                                 .b_transposed = false,
                                 .c = weights_.gradient,
                                 .c_element = Element::f32,
                                 .accumulate = false});
    if (!input_gradient_.data) return;
    context_.libraries.multiply({.rows = static_cast<int>(images),
                                 .columns = in_,
                                 .inner = out_,
                                 .a = gradient_,
                                 .a_transposed = false,
                                 .b = weights_.factor,
                                 .b_transposed = true,
                                 .c = input_gradient_.data,
                                 .c_element = context_.element,
                                 .accumulate = input_gradient_.accumulate});
  }

 private:
  const Context& context_;
  const bool relu_;
  const Parameter weights_, bias_;
  const int in_, out_;
  void* gradient_ = nullptr;
  InputGradient input_gradient_;
};

}  // namespace

std::unique_ptr<Node> dense_node(const NodeSetup& setup, const Dense&, bool relu) {
  return std::make_unique<DenseNode>(setup, relu);
}

}  // namespace spottrain::cuda
