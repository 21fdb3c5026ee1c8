#include <algorithm>

#include "trainer/cpu/image_sums.h"
#include "trainer/cpu/nodes.h"

namespace spottrain::cpu {
namespace {

void clear(const Tensor& tensor, int image) {
  for (int run = 0; run < tensor.layout().runs(); ++run) {
    std::fill_n(tensor.row(image, run), tensor.layout().run_size(), 0.0f);
  }
}

class MaxPoolNode final : public Node {
 public:
  MaxPoolNode(const NodeSetup& setup, const MaxPool& pool)
      : Node({setup.input}, setup.output),
        k_(setup.kernels),
        pool_(pool),
        winners_a_image_(setup.output->shape().size()),
        winners_(winners_a_image_ * static_cast<std::size_t>(setup.batch)) {}

  void add_training(Stages& stages) override {
    const Tensor *x = inputs[0]->data.get(), *y = output->data.get();
    stages.over_images(
        [=, this](int image, const Pass&) { k_.max_pool(arguments(*x, *y, image)); });
  }

  void add_backward(Backward& backward) override {
    Activation& input = *inputs[0];
    if (!input.wants_gradient) return;
    const bool accumulate = backward.claim(input);
    const Tensor *dx = input.gradient.get(), *g = output->gradient.get();
    backward.stages.over_images([=, this](int image, const Pass&) {
      if (!accumulate) clear(*dx, image);
      k_.max_pool_gradient(arguments(*dx, *g, image));
    });
  }

 private:
  MaxPooling arguments(const Tensor& x, const Tensor& y, int image) {
    const Layout &from = x.layout(), &to = y.layout();
    return {.input = x.row(image, 0),
            .input_row = from.row(),
            .output = y.row(image, 0),
            .output_row = to.row(),
            .winners = winners_.data() + static_cast<std::size_t>(image) * winners_a_image_,
            .height = from.shape.height,
            .width = from.shape.width,
            .channels = from.shape.channels,
            .output_height = to.shape.height,
            .output_width = to.shape.width,
            .size = pool_.size,
            .stride = pool_.stride,
            .padding = pool_.padding};
  }

  const Kernels& k_;
  const MaxPool pool_;
  const std::size_t winners_a_image_;
  std::vector<float> winners_;
};

// The mean over an image's pixels.
class AverageNode final : public Node {
 public:
  explicit AverageNode(const NodeSetup& setup)
      : Node({setup.input}, setup.output),
        k_(setup.kernels),
        channels_(setup.input->shape().channels),
        pixels_(setup.input->shape().height * setup.input->shape().width),
        sums_(setup.batch, channels_) {}

  void add_training(Stages& stages) override {
    const Tensor *x = inputs[0]->data.get(), *y = output->data.get();
    const Area area = common_runs({&x->layout()}).area(channels_);
    stages.over_images([=, this](int image, const Pass&) {
      k_.sum(area, x->rows(image), sums_.start(image));
      for (int c = 0; c < channels_; ++c) {
        y->row(image, 0)[c] = static_cast<float>(sums_.of(image, c) / pixels_);
      }
    });
  }

  void add_backward(Backward& backward) override {
    Activation& input = *inputs[0];
    if (!input.wants_gradient) return;
    const bool accumulate = backward.claim(input);
    const Tensor *dx = input.gradient.get(), *g = output->gradient.get();
    backward.stages.over_images([=, this](int image, const Pass&) {
      const Layout& layout = dx->layout();
      for (int y = 0; y < layout.shape.height; ++y) {
        for (int x = 0; x < layout.shape.width; ++x) {
          k_.scale(static_cast<std::size_t>(channels_), g->row(image, 0),
                   1.0f / static_cast<float>(pixels_), nullptr, accumulate,
                   dx->row(image, y) + x * layout.pixel());
        }
      }
    });
  }

 private:
  const Kernels& k_;
  const int channels_, pixels_;
  ImageSums sums_;
};

// Picks pixels and adds zero channels, which nothing ever writes.
class SubsamplePadNode final : public Node {
 public:
  SubsamplePadNode(const NodeSetup& setup, const SubsamplePad& pad)
      : Node({setup.input}, setup.output), k_(setup.kernels), stride_(pad.stride) {}

  void add_training(Stages& stages) override {
    const Tensor *x = inputs[0]->data.get(), *y = output->data.get();
    stages.over_images([=, this](int image, const Pass&) {
      for_each_pixel(*x, *y, image, [&](float* from, float* to, std::size_t channels) {
        std::copy_n(from, channels, to);
      });
    });
  }

  void add_backward(Backward& backward) override {
    Activation& input = *inputs[0];
    if (!input.wants_gradient) return;
    const bool accumulate = backward.claim(input);
    const Tensor *dx = input.gradient.get(), *g = output->gradient.get();
    backward.stages.over_images([=, this](int image, const Pass&) {
      if (!accumulate) clear(*dx, image);
      for_each_pixel(*dx, *g, image, [&](float* to, float* from, std::size_t channels) {
        k_.add(channels, to, from, false, to);
      });
    });
  }

 private:
  template <typename Body>
  void for_each_pixel(const Tensor& x, const Tensor& y, int image, Body body) const {
    const Layout &wide = x.layout(), &narrow = y.layout();
    const int zeros = (narrow.shape.channels - wide.shape.channels) / 2;
    for (int row = 0; row < narrow.shape.height; ++row) {
      for (int column = 0; column < narrow.shape.width; ++column) {
        body(x.row(image, row * stride_) + column * stride_ * wide.pixel(),
             y.row(image, row) + column * narrow.pixel() + zeros,
             static_cast<std::size_t>(wide.shape.channels));
      }
    }
  }

  const Kernels& k_;
  const int stride_;
};

}  // namespace

std::unique_ptr<Node> max_pool_node(const NodeSetup& setup, const MaxPool& pool) {
  return std::make_unique<MaxPoolNode>(setup, pool);
}

std::unique_ptr<Node> average_node(const NodeSetup& setup) {
  return std::make_unique<AverageNode>(setup);
}

std::unique_ptr<Node> subsample_pad_node(const NodeSetup& setup, const SubsamplePad& pad) {
  return std::make_unique<SubsamplePadNode>(setup, pad);
}

}  // namespace spottrain::cpu
