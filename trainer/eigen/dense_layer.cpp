// A fully connected layer with its bias and ReLU.
#include "trainer/eigen/layer_parts.h"

namespace spottrain::eigen {
namespace {

// y = x·W + b. The input is one row of values. Long rows are split into parts, whose sums are
// added.
template <typename Scalar>
class DenseLayer final : public Layer<Scalar> {
 public:
  DenseLayer(const LayerSetup<Scalar>& setup, const Dense& dense)
      : relu_(setup.operation.relu),
        x_(setup.input),
        y_(setup.output),
        in_(x_.data.cols()),
        out_(dense.outputs),
        weights_(matrix(setup.tensors[0], in_, out_)),
        weight_gradient_(matrix(setup.gradients[0], in_, out_)),
        bias_(setup.tensors[1]),
        bias_gradient_(setup.gradients[1]) {}

  void forward(const Work& work) override {
    const Index run = x_.in_graph.border > 0 ? in_ / x_.shape().height : in_;
    for_some_images(work, [&](int first, int count) {
      auto y = y_.data.middleRows(first, count);
      for (Index at = 0; at < in_;) {
        const Index length = std::min<Index>(kLongestProduct, run - at % run);
        Matrix<Scalar> sum = Matrix<Scalar>::Zero(count, out_);
        if (at == 0) sum.rowwise() = row_of(bias_, out_);
        add_product({x_.data.row(first).data() + at, count, length, AnyStride(in_, 1)},
                    part(weights_, at, length), matrix(sum.data(), count, out_));
        give(y, at > 0, sum);
        at += length;
      }
      if (relu_) rectify(y);
    });
  }

  // ∂x = g·Wᵀ, ∂W = Σ over images xᵀ·g, ∂b = Σ over images g.
  void backward(const Work& work) override {
    Images<double> bias(static_cast<std::size_t>(work.images));
    work.for_each_image([&](int n) {
      if (relu_) mask_gradient(y_, n);
      bias[static_cast<std::size_t>(n)] = sum_gradient(y_, n);
    });
    if (x_.in_graph.wants_gradient) {
      const bool accumulate = claim(x_);
      const Matrix<Scalar> turned = weights_.transpose();
      for_some_images(work, [&](int first, int count) {
        Matrix<Scalar> dx = Matrix<Scalar>::Zero(count, in_);
        add_product({y_.gradient.row(first).data(), count, out_, AnyStride(out_, 1)},
                    {turned.data(), out_, in_, Eigen::OuterStride<>(in_)},
                    matrix(dx.data(), count, in_));
        give(x_.gradient.middleRows(first, count), accumulate, dx);
      });
    }
    sum_over_images(work, weight_gradient_, [&](int first, int count, Matrix<Scalar>& sum) {
      add_product({x_.data.row(first).data(), in_, count, AnyStride(1, in_)},
                  {y_.gradient.row(first).data(), count, out_, Eigen::OuterStride<>(out_)},
                  matrix(sum.data(), in_, out_));
    });
    matrix(bias_gradient_, 1, out_) = total(bias, work.images).template cast<Scalar>();
  }

 private:
  // Takes a few images at a time, so that the weights are read less often.
  template <typename Body>
  static void for_some_images(const Work& work, Body body) {
    constexpr int kCount = 4;
    work.for_each((work.images + kCount - 1) / kCount,
                  [&](int i) { body(i * kCount, std::min(kCount, work.images - i * kCount)); });
  }

  const bool relu_;
  Activation<Scalar>&x_, &y_;
  const Index in_, out_;
  const Rows<Scalar> weights_;
  Rows<Scalar> weight_gradient_;
  const Scalar* const bias_;
  Scalar* const bias_gradient_;
};

}  // namespace

template <typename Scalar>
std::unique_ptr<Layer<Scalar>> dense_layer(const LayerSetup<Scalar>& setup, const Dense& dense) {
  return std::make_unique<DenseLayer<Scalar>>(setup, dense);
}
template std::unique_ptr<Layer<float>> dense_layer(const LayerSetup<float>&, const Dense&);
template std::unique_ptr<Layer<double>> dense_layer(const LayerSetup<double>&, const Dense&);

}  // namespace spottrain::eigen
