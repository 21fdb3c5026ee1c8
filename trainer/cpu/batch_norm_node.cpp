// Batch normalisation over a batch's pixels, with an addition and a ReLU that may follow it.
#include <cmath>

#include "trainer/cpu/image_sums.h"
#include "trainer/cpu/nodes.h"

namespace spottrain::cpu {
namespace {

class BatchNormNode final : public Node {
 public:
  BatchNormNode(const NodeSetup& setup, const BatchNorm& norm, bool relu)
      : Node(setup.addend ? std::vector{setup.input, setup.addend} : std::vector{setup.input},
             setup.output),
        k_(setup.kernels),
        norm_(norm),
        addend_(setup.addend),
        relu_(relu),
        channels_(setup.input->shape().channels),
        scale_(setup.tensors[0]),
        shift_(setup.tensors[1]),
        running_mean_(setup.tensors[2]),
        running_variance_(setup.tensors[3]),
        scale_gradient_(setup.gradients[0]),
        shift_gradient_(setup.gradients[1]),
        first_(setup.batch, channels_),
        second_(setup.batch, channels_) {
    for (auto* row : {&mean_, &factor_, &offset_, &slope_}) {
      row->resize(static_cast<std::size_t>(channels_));
    }
    inverse_deviation_.resize(static_cast<std::size_t>(channels_));
  }

  void add_training(Stages& stages) override {
    const Tensor* x = inputs[0]->data.get();
    const Area area = common_runs({&x->layout()}).area(channels_);
    stages.over_images([=, this](int image, const Pass&) {
      k_.moments(area, x->rows(image), x->row(image, 0), first_.start(image), second_.start(image));
    });
    stages.once([this, x](const Pass& pass) { use_batch_statistics(*x, pass.images); });
    add_normalization(stages);
  }

  void add_inference(Stages& stages) override {
    stages.once([this](const Pass&) {
      for (int c = 0; c < channels_; ++c) {
        set_channel(c, running_mean_[c], running_variance_[c]);
      }
    });
    add_normalization(stages);
  }

  void add_backward(Backward& backward) override;

 private:
  void add_normalization(Stages& stages) {
    const Tensor *x = inputs[0]->data.get(), *y = output->data.get();
    const Tensor* addend = addend_ ? addend_->data.get() : nullptr;
    const Area area =
        common_runs({&x->layout(), &y->layout(), addend ? &addend->layout() : &x->layout()})
            .area(channels_);
    stages.over_images([=, this](int image, const Pass&) {
      k_.normalize(area, x->rows(image), factor_.data(), offset_.data(),
                   addend ? addend->rows(image) : Rows{}, relu_, y->rows(image));
    });
  }

  // y = factor·x + offset.
  void set_channel(int c, double mean, double variance) {
    const auto at = static_cast<std::size_t>(c);
    const double inverse = 1 / std::sqrt(variance + norm_.epsilon);
    const double factor = double{scale_[c]} * inverse;
    mean_[at] = static_cast<float>(mean);
    inverse_deviation_[at] = inverse;
    factor_[at] = static_cast<float>(factor);
    offset_[at] = static_cast<float>(double{shift_[c]} - mean * factor);
  }

  void use_batch_statistics(const Tensor& x, int images);

  const Kernels& k_;
  const BatchNorm norm_;
  Activation* const addend_;
  const bool relu_;
  const int channels_;
  const float *scale_, *shift_;
  float *running_mean_, *running_variance_, *scale_gradient_, *shift_gradient_;
  ImageSums first_, second_;
  std::vector<float> mean_, factor_, offset_, slope_;
  std::vector<double> inverse_deviation_;
};

// Images' means and squared deviations are combined as in Chan, Golub and LeVeque, "Updating
// formulae and a pairwise algorithm for computing sample variances", 1979. The sums of an image are
// computed relative to its first pixel, so that a large mean costs no precision.
void BatchNormNode::use_batch_statistics(const Tensor& x, int images) {
  const ImageShape& shape = x.layout().shape;
  const double pixels = shape.height * shape.width, count = pixels * images;
  std::vector<double> mean(static_cast<std::size_t>(channels_)), deviations = mean;
  for (int image = 0; image < images; ++image) {
    const double share = 1.0 / (image + 1), weight = pixels * image * share;
    const float* origin = x.row(image, 0);
    for (int c = 0; c < channels_; ++c) {
      const auto at = static_cast<std::size_t>(c);
      const double sum = first_.of(image, c);
      const double difference = double{origin[c]} + sum / pixels - mean[at];
      mean[at] += difference * share;
      deviations[at] += second_.of(image, c) - sum * sum / pixels;
      deviations[at] += difference * difference * weight;
    }
  }
  for (int c = 0; c < channels_; ++c) {
    const auto at = static_cast<std::size_t>(c);
    set_channel(c, mean[at], deviations[at] / count);
    const double unbiased = count > 1 ? deviations[at] / (count - 1) : 0;
    const auto move = [&](float& running, double now) {
      running = static_cast<float>((1 - norm_.momentum) * double{running} + norm_.momentum * now);
    };
    move(running_mean_[c], mean[at]);
    move(running_variance_[c], unbiased);
  }
}

// With g = ∂loss/∂y and x̂ = (x − mean) ÷ deviation: ∂loss/∂scale = Σ g·x̂, ∂loss/∂shift = Σ g, and
// ∂loss/∂x = scale ÷ deviation · (g − mean(g) − x̂·mean(g·x̂)).
void BatchNormNode::add_backward(Backward& backward) {
  const Tensor *x = inputs[0]->data.get(), *y = relu_ ? output->data.get() : nullptr;
  const Tensor* g = output->gradient.get();
  const Area area = common_runs({&x->layout(), &output->layout, &g->layout()}).area(channels_);
  backward.stages.over_images([=, this](int image, const Pass&) {
    k_.normalize_sums(area, x->rows(image), mean_.data(), y ? y->rows(image) : Rows{},
                      g->rows(image), first_.start(image), second_.start(image));
  });
  backward.stages.once([this, x](const Pass& pass) {
    const ImageShape& shape = x->layout().shape;
    const double count = double{1} * shape.height * shape.width * pass.images;
    const std::vector<double> sums = first_.totals(pass.images);
    const std::vector<double> products = second_.totals(pass.images);
    for (int c = 0; c < channels_; ++c) {
      const auto at = static_cast<std::size_t>(c);
      const double inverse = inverse_deviation_[at], sum = sums[at], product = products[at];
      shift_gradient_[c] = static_cast<float>(sum);
      scale_gradient_[c] = static_cast<float>(product * inverse);
      offset_[at] = static_cast<float>(sum / count);
      slope_[at] = static_cast<float>(product * inverse * inverse / count);
    }
  });
  backward.flush();
  if (addend_) pass_on_gradient(k_, backward, *output, *addend_);
  Activation& input = *inputs[0];
  if (!input.wants_gradient) return;
  const bool accumulate = backward.claim(input);
  const Tensor* dx = input.gradient.get();
  const Area own = common_runs({&x->layout(), &dx->layout(), &g->layout()}).area(channels_);
  backward.stages.over_images([=, this](int image, const Pass&) {
    k_.normalize_gradient(own, x->rows(image), mean_.data(), g->rows(image), factor_.data(),
                          offset_.data(), slope_.data(), accumulate, dx->rows(image));
  });
}

}  // namespace

std::unique_ptr<Node> batch_norm_node(const NodeSetup& setup, const BatchNorm& norm, bool relu) {
  return std::make_unique<BatchNormNode>(setup, norm, relu);
}

}  // namespace spottrain::cpu
