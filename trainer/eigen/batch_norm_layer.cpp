#include <limits>

#include "trainer/eigen/layer_parts.h"

namespace spottrain::eigen {
namespace {

// Batch normalisation (Ioffe and Szegedy, 2015) over the pixels of all images, then an addition and
// a ReLU: y = max(scale·(x − mean) ÷ √(variance + ε) + shift + addend, 0).
template <typename Scalar>
class BatchNormLayer final : public Layer<Scalar> {
 public:
  BatchNormLayer(const LayerSetup<Scalar>& setup, const BatchNorm& norm)
      : norm_(norm),
        relu_(setup.operation.relu),
        x_(setup.input),
        y_(setup.output),
        addend_(setup.addend),
        channels_(x_.shape().channels),
        tensors_(setup.tensors),
        gradients_(setup.gradients) {}

  void forward(const Work& work) override {
    if (work.training) {
      use_batch_statistics(work);
    } else {
      use_statistics(tensor(running_mean).template cast<double>(),
                     tensor(running_variance).template cast<double>());
    }
    work.for_each_image([&](int n) {
      const auto x = x_.pixels(n);
      auto y = y_.pixels(n);
      for (Index p = 0; p < y.rows(); ++p) y.row(p) = fma(x.row(p), factor_, offset_);
      if (addend_) y += addend_->pixels(n);
      if (relu_) rectify(y);
    });
  }

  void backward(const Work& work) override;

 private:
  enum Tensor { scale, shift, running_mean, running_variance };
  Rows<Scalar> tensor(Tensor which) const { return matrix(tensors_[which], 1, channels_); }

  void use_batch_statistics(const Work& work);
  // y = factor·x + offset.
  void use_statistics(const Channels<double>& mean, const Channels<double>& variance) {
    inverse_deviation_ = 1.0 / (variance + norm_.epsilon).sqrt();
    const Channels<double> factor = tensor(scale).template cast<double>() * inverse_deviation_;
    mean_ = mean.cast<Scalar>();
    factor_ = factor.cast<Scalar>();
    offset_ = (tensor(shift).template cast<double>() - mean * factor).template cast<Scalar>();
  }

  const BatchNorm norm_;
  const bool relu_;
  Activation<Scalar>&x_, &y_;
  Activation<Scalar>* const addend_;
  const Index channels_;
  const std::vector<Scalar*> tensors_, gradients_;
  Channels<Scalar> mean_, factor_, offset_;
  Channels<double> inverse_deviation_;
};

// Images' means and squared deviations are combined as in Chan, Golub and LeVeque, "Updating
// formulae and a pairwise algorithm for computing sample variances", 1979. The sums of an image are
// computed relative to its first pixel, so that a large mean costs no precision.
template <typename Scalar>
void BatchNormLayer<Scalar>::use_batch_statistics(const Work& work) {
  Images<double> sums(static_cast<std::size_t>(work.images)), squares = sums;
  work.for_each_image([&](int n) {
    const auto x = x_.pixels(n);
    LaneSums<Scalar> sum(channels_), square(channels_);
    for_each_pixel(x_.shape(), x_.in_graph.border > 0, [&](Index p, Index lane) {
      const Channels<Scalar> d = x.row(p) - x.row(0);
      sum.lanes.row(lane) += d;
      square.lanes.row(lane) = fma(d, d, square.lanes.row(lane));
    });
    sums[static_cast<std::size_t>(n)] = sum.total();
    squares[static_cast<std::size_t>(n)] = square.total();
  });
  const auto pixels = static_cast<double>(x_.pixel_count()), count = pixels * work.images;
  Channels<double> mean = Channels<double>::Zero(channels_), deviations = mean;
  for (int n = 0; n < work.images; ++n) {
    const double share = 1.0 / (n + 1), weight = pixels * n * share;
    const Channels<double>& sum = sums[static_cast<std::size_t>(n)];
    const Channels<double> difference =
        x_.pixels(n).row(0).template cast<double>() + sum / pixels - mean;
    mean += difference * share;
    deviations += squares[static_cast<std::size_t>(n)] - sum * sum / pixels;
    deviations += difference * difference * weight;
  }
  use_statistics(mean, deviations / count);
  const double unbiased = count > 1 ? count - 1 : std::numeric_limits<double>::infinity();
  const auto move = [&](Rows<Scalar> running, const Channels<double>& now) {
    running = ((1 - norm_.momentum) * running.template cast<double>() + norm_.momentum * now)
                  .template cast<Scalar>();
  };
  move(tensor(running_mean), mean);
  move(tensor(running_variance), deviations / unbiased);
}

// With g = ∂loss/∂y and x̂ = (x − mean) ÷ deviation: ∂loss/∂scale = Σ g·x̂, ∂loss/∂shift = Σ g, and
// ∂loss/∂x = scale ÷ deviation · (g − mean(g) − x̂·mean(g·x̂)).
template <typename Scalar>
void BatchNormLayer<Scalar>::backward(const Work& work) {
  Images<double> sums(static_cast<std::size_t>(work.images)), products = sums;
  const bool has_border =
      x_.in_graph.border > 0 || y_.in_graph.border > 0 || y_.in_graph.gradient_border > 0;
  work.for_each_image([&](int n) {
    if (relu_) mask_gradient(y_, n);
    const auto x = x_.pixels(n), g = y_.gradient_pixels(n);
    LaneSums<Scalar> sum(channels_), product(channels_);
    for_each_pixel(x_.shape(), has_border, [&](Index p, Index lane) {
      sum.lanes.row(lane) += g.row(p);
      product.lanes.row(lane) = fma(g.row(p), x.row(p) - mean_, product.lanes.row(lane));
    });
    sums[static_cast<std::size_t>(n)] = sum.total();
    products[static_cast<std::size_t>(n)] = product.total();
  });
  const Channels<double> sum = total(sums, work.images), product = total(products, work.images);
  const double count = static_cast<double>(x_.pixel_count()) * work.images;
  matrix(gradients_[scale], 1, channels_) = (product * inverse_deviation_).template cast<Scalar>();
  matrix(gradients_[shift], 1, channels_) = sum.template cast<Scalar>();
  const Channels<Scalar> mean_of_g = (sum / count).template cast<Scalar>();
  const Channels<Scalar> minus_slope =
      -(product * inverse_deviation_ * inverse_deviation_ / count).template cast<Scalar>();
  if (addend_) pass_on(work, y_, *addend_);
  if (!x_.in_graph.wants_gradient) return;
  const bool accumulate = claim(x_);
  work.for_each_image([&](int n) {
    const auto x = x_.pixels(n), g = y_.gradient_pixels(n);
    auto dx = x_.gradient_pixels(n);
    for (Index p = 0; p < x.rows(); ++p) {
      give(dx.row(p), accumulate,
           factor_ * fma(x.row(p) - mean_, minus_slope, g.row(p) - mean_of_g));
    }
  });
}

}  // namespace

template <typename Scalar>
std::unique_ptr<Layer<Scalar>> batch_norm_layer(const LayerSetup<Scalar>& setup,
                                                const BatchNorm& norm) {
  return std::make_unique<BatchNormLayer<Scalar>>(setup, norm);
}
template std::unique_ptr<Layer<float>> batch_norm_layer(const LayerSetup<float>&, const BatchNorm&);
template std::unique_ptr<Layer<double>> batch_norm_layer(const LayerSetup<double>&,
                                                         const BatchNorm&);

}  // namespace spottrain::eigen
