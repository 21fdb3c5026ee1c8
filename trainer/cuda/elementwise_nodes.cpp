#include <cmath>

#include "trainer/cuda/nodes.h"
#include "trainer/data/philox.h"

namespace spottrain::cuda {
namespace {

class ReluNode final : public Node {
 public:
  explicit ReluNode(const NodeSetup& setup)
      : Node({setup.input}, setup.output), context_(setup.context) {}

  void forward(unsigned images, bool) override {
    add(context_.launch(), images * output->size(), inputs[0]->data->data(), nullptr, true,
        output->data->data());
  }
  void plan_backward(Gradients& gradients) override {
    gradient_ = output->gradient->data();
    to_input_.plan(gradients, gradient_, *output, *inputs[0]);
  }
  void backward(unsigned images) override {
    relu_gradient(context_.launch(), images * output->size(), output->data->data(), gradient_);
    to_input_.enqueue(context_, images);
  }

 private:
  const Context& context_;
  void* gradient_ = nullptr;
  PassOn to_input_;
};

class AddNode final : public Node {
 public:
  AddNode(const NodeSetup& setup, bool relu)
      : Node({setup.input, setup.addend}, setup.output), context_(setup.context), relu_(relu) {}

  void forward(unsigned images, bool) override {
    add(context_.launch(), images * output->size(), inputs[0]->data->data(),
        inputs[1]->data->data(), relu_, output->data->data());
  }
  void plan_backward(Gradients& gradients) override {
    gradient_ = output->gradient->data();
    to_addend_.plan(gradients, gradient_, *output, *inputs[1]);
    to_input_.plan(gradients, gradient_, *output, *inputs[0]);
  }
  void backward(unsigned images) override {
    if (relu_) {
      relu_gradient(context_.launch(), images * output->size(), output->data->data(), gradient_);
    }
    to_addend_.enqueue(context_, images);
    to_input_.enqueue(context_, images);
  }

 private:
  const Context& context_;
  const bool relu_;
  void* gradient_ = nullptr;
  PassOn to_addend_, to_input_;
};

class DropoutNode final : public Node {
 public:
  DropoutNode(const NodeSetup& setup, const Dropout& dropout, int number)
      : Node({setup.input}, setup.output),
        context_(setup.context),
        key_{setup.context.seed,
             static_cast<std::uint32_t>(Purpose::dropout) +
                 (static_cast<std::uint32_t>(number) << 8),
             static_cast<std::uint32_t>(std::ldexp(dropout.rate, 32)),
             static_cast<float>(1 / (1 - dropout.rate))} {}

  void forward(unsigned images, bool training) override {
    if (training) {
      enqueue(images, inputs[0]->data->data(), output->data->data(), false);
    } else {
      add(context_.launch(), images * output->size(), inputs[0]->data->data(), nullptr, false,
          output->data->data());
    }
  }
  void plan_backward(Gradients& gradients) override {
    gradient_ = output->gradient->data();
    input_gradient_.plan(gradients, *output, *inputs[0], true);
  }
  void backward(unsigned images) override {
    if (!input_gradient_.data) return;
    enqueue(images, gradient_, input_gradient_.data, input_gradient_.accumulate);
  }

 private:
  void enqueue(unsigned images, const void* from, void* to, bool accumulate) const {
    dropout(context_.launch(), key_, context_.step, images, output->size(), from, to, accumulate);
  }

  const Context& context_;
  const DropoutKey key_;
  void* gradient_ = nullptr;
  InputGradient input_gradient_;
};

class SubsamplePadNode final : public Node {
 public:
  SubsamplePadNode(const NodeSetup& setup, const SubsamplePad& pad)
      : Node({setup.input}, setup.output), context_(setup.context), stride_(pad.stride) {}

  void forward(unsigned images, bool) override {
    subsample_pad(context_.launch(), shape(images), inputs[0]->data->data(), output->data->data());
  }
  void plan_backward(Gradients& gradients) override {
    gradient_ = output->gradient->data();
    input_gradient_.plan(gradients, *output, *inputs[0], false);
  }
  void backward(unsigned images) override {
    if (!input_gradient_.data) return;
    subsample_pad_gradient(context_.launch(), shape(images), gradient_, input_gradient_.data,
                           input_gradient_.accumulate);
  }

 private:
  Subsampling shape(unsigned images) const {
    const auto value = [](int extent) { return static_cast<unsigned>(extent); };
    const ImageShape &x = inputs[0]->shape, &y = output->shape;
    return {images,          value(x.height), value(x.width),    value(x.channels),
            value(y.height), value(y.width),  value(y.channels), value(stride_)};
  }

  const Context& context_;
  const int stride_;
  void* gradient_ = nullptr;
  InputGradient input_gradient_;
};

}  // namespace

std::unique_ptr<Node> relu_node(const NodeSetup& setup) {
  return std::make_unique<ReluNode>(setup);
}

std::unique_ptr<Node> add_node(const NodeSetup& setup, bool relu) {
  return std::make_unique<AddNode>(setup, relu);
}

std::unique_ptr<Node> dropout_node(const NodeSetup& setup, const Dropout& dropout, int number) {
  return std::make_unique<DropoutNode>(setup, dropout, number);
}

std::unique_ptr<Node> subsample_pad_node(const NodeSetup& setup, const SubsamplePad& pad) {
  return std::make_unique<SubsamplePadNode>(setup, pad);
}

}  // namespace spottrain::cuda
