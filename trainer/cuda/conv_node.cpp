#include <map>
#include <variant>

#include "trainer/cuda/nodes.h"
#include "trainer/cuda/pointwise.h"

namespace spottrain::cuda {
namespace {

class ConvNode final : public Node {
 public:
  ConvNode(const NodeSetup& setup, const Conv& conv, bool relu)
      : Node({setup.input}, setup.output),
        context_(setup.context),
        conv_(conv),
        relu_(relu),
        weights_(setup.tensors[0]),
        bias_(conv.bias ? setup.tensors[1] : Parameter{}) {}

  void forward(unsigned images, bool) override {
    const Activation &x = *inputs[0], &y = *output;
    std::visit(
        [&](const auto& own) { own.forward(x.data->data(), weights_.factor, y.data->data()); },
        convolution(images));
    if (conv_.bias) {
      add_bias(context_.launch(), y.rows(images), bias_.value, relu_, y.data->data());
    } else if (relu_) {
      add(context_.launch(), images * y.size(), y.data->data(), nullptr, true, y.data->data());
    }
  }

  void plan_backward(Gradients& gradients) override {
    gradient_ = output->gradient->data();
    input_gradient_.plan(gradients, *output, *inputs[0], false);
  }

  void backward(unsigned images) override {
    const Activation &x = *inputs[0], &y = *output;
    if (conv_.bias) {
      bias_gradient(context_.launch(), y.rows(images), relu_ ? y.data->data() : nullptr, gradient_,
                    bias_.gradient, context_.partial.data());
    } else if (relu_) {
      relu_gradient(context_.launch(), images * y.size(), y.data->data(), gradient_);
    }
    const auto enqueue = [&](const auto& own) {
      own.weight_gradient(x.data->data(), gradient_, weights_.product);
      if (input_gradient_.data) {
        own.data_gradient(gradient_, weights_.factor, input_gradient_.data);
      }
    };
    std::visit(enqueue, convolution(images));
  }

  std::string algorithms(unsigned images) override {
    return std::visit([](const auto& own) { return own.algorithms(); }, convolution(images));
  }

 private:
  using Either = std::variant<Convolution, PointwiseConvolution>;

  const Either& convolution(unsigned images) {
    const auto found = convolutions_.find(images);
    if (found != convolutions_.end()) return found->second;
    using DataGradient = Convolution::DataGradient;
    const DataGradient data_gradient = !input_gradient_.data        ? DataGradient::none
                                       : input_gradient_.accumulate ? DataGradient::add
                                                                    : DataGradient::set;
    const ConvolutionShape shape{static_cast<int>(images), inputs[0]->shape, output->shape, conv_};
    if (is_product()) {
      return convolutions_
          .try_emplace(images, std::in_place_type<PointwiseConvolution>, context_, shape,
                       data_gradient)
          .first->second;
    }
    return convolutions_
        .try_emplace(images, std::in_place_type<Convolution>, context_.libraries, shape,
                     data_gradient)
        .first->second;
  }

  // Chooses matrix products for a 1×1 kernel in float32 without tensor cores, because cuDNN's
  // algorithms are many times slower there. With tensor cores cuDNN's algorithms are faster
  // (docs/cuda.md).
  bool is_product() const {
    return context_.precision == Precision::fp32 && PointwiseConvolution::computes(conv_);
  }

  const Context& context_;
  const Conv conv_;
  const bool relu_;
  const Parameter weights_, bias_;
  std::map<unsigned, Either> convolutions_;  // by the number of images
  void* gradient_ = nullptr;
  InputGradient input_gradient_;
};

}  // namespace

std::unique_ptr<Node> conv_node(const NodeSetup& setup, const Conv& conv, bool relu) {
  return std::make_unique<ConvNode>(setup, conv, relu);
}

}  // namespace spottrain::cuda
