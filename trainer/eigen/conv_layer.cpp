// A convolution with its bias and ReLU.
#include "trainer/eigen/layer_parts.h"

namespace spottrain::eigen {
namespace {

// y[row][column][o] = bias[o] + Σ over kernel rows i, columns j, input channels c:
//   x[row·stride − padding + i][column·stride − padding + j][c] · w[i][j][c][o],
// in this order; rows outside of the image are left out, columns outside are zeros.
template <typename Scalar>
class ConvLayer final : public Layer<Scalar> {
 public:
  ConvLayer(const LayerSetup<Scalar>& setup, const Conv& conv)
      : conv_(conv),
        relu_(setup.operation.relu),
        x_(setup.input),
        y_(setup.output),
        in_(x_.shape().channels),
        out_(conv.channels),
        run_(conv.kernel * in_),
        weights_(matrix(setup.tensors[0], conv.kernel * run_, out_)),
        weight_gradient_(matrix(setup.gradients[0], conv.kernel * run_, out_)),
        bias_(conv.bias ? setup.tensors[1] : nullptr),
        bias_gradient_(conv.bias ? setup.gradients[1] : nullptr) {}

  void forward(const Work& work) override {
    work.for_each_image([&](int n) {
      const Matrix<Scalar> x = with_border(x_.data.row(n).data(), x_.shape(), x_.in_graph.border);
      for (int row = 0; row < y_.shape().height; ++row) {
        Rows<Scalar> y = row_of_pixels(y_.data, y_.shape(), n, row);
        y.setZero();
        if (bias_) y.rowwise() = row_of(bias_, out_);
        for (int i = 0; i < conv_.kernel; ++i) {
          const int from = row * conv_.stride - conv_.padding + i;
          if (from < 0 || from >= x_.shape().height) continue;
          add_product(patches(x, from), part(weights_, i * run_, run_), y);
        }
        if (relu_) rectify(y);
      }
    });
  }

  void backward(const Work& work) override {
    Images<double> bias(static_cast<std::size_t>(work.images));
    work.for_each_image([&](int n) {
      if (relu_) mask_gradient(y_, n);
      if (bias_) bias[static_cast<std::size_t>(n)] = sum_gradient(y_, n);
    });
    if (x_.in_graph.wants_gradient) add_input_gradient(work);
    add_weight_gradient(work);
    if (!bias_) return;
    matrix(bias_gradient_, 1, out_) = total(bias, work.images).template cast<Scalar>();
  }

 private:
  // The image's rows with zero pixels before and after each.
  static Matrix<Scalar> with_border(const Scalar* image, const ImageShape& shape, int border) {
    const Index channels = shape.channels, size = shape.width * channels;
    Matrix<Scalar> wide = Matrix<Scalar>::Zero(shape.height, size + 2 * border * channels);
    wide.middleCols(border * channels, size) =
        matrix(const_cast<Scalar*>(image), shape.height, size);
    return wide;
  }
  static Rows<Scalar> row_of_pixels(Matrix<Scalar>& all, const ImageShape& shape, int n, int row) {
    const Index size = Index{shape.width} * shape.channels;
    return matrix(all.row(n).data() + row * size, shape.width, shape.channels);
  }
  // The inputs for the output's columns, in one row of the input. Each row of the view is for one
  // column; the rows overlap.
  ConstView<Scalar> patches(const Matrix<Scalar>& x, int row) const {
    const Index first = (x_.in_graph.border - conv_.padding) * in_;
    return {x.row(row).data() + first, y_.shape().width, run_, AnyStride(conv_.stride * in_, 1)};
  }

  void add_input_gradient(const Work& work);
  void add_weight_gradient(const Work& work);
  void add_image(int n, Matrix<Scalar>& sum);

  const Conv conv_;
  const bool relu_;
  Activation<Scalar>&x_, &y_;
  const Index in_, out_, run_;
  const Rows<Scalar> weights_;
  Rows<Scalar> weight_gradient_;
  const Scalar* const bias_;
  Scalar* const bias_gradient_;
};

// ∂/∂x[y][x][c] =
//   Σ over the kernel's rows i, its columns j from the last to the first, and output channels o:
//   g[(y + padding − i) ÷ stride][(x + padding − j) ÷ stride][o] · w[i][j][c][o],
// where these quotients are whole. With a stride, every stride-th column meets the same kernel
// columns.
template <typename Scalar>
void ConvLayer<Scalar>::add_input_gradient(const Work& work) {
  const int kernel = conv_.kernel, stride = conv_.stride, padding = conv_.padding;
  // w[i][j] transposed, for j = residue, residue + stride … from the last to the first.
  std::vector<Matrix<Scalar>> flipped;
  for (int i = 0; i < kernel; ++i) {
    for (int residue = 0; residue < stride; ++residue) {
      const int columns = residue < kernel ? (kernel - residue - 1) / stride + 1 : 0;
      Matrix<Scalar>& turned = flipped.emplace_back(columns * out_, in_);
      for (int j = 0; j < columns; ++j) {
        const Index tap = i * kernel + residue + (columns - 1 - j) * stride;
        turned.middleRows(j * out_, out_) = weights_.middleRows(tap * in_, in_).transpose();
      }
    }
  }
  const bool accumulate = claim(x_);
  work.for_each_image([&](int n) {
    const ImageShape& shape = x_.shape();
    const int border = y_.in_graph.gradient_border;
    const Matrix<Scalar> g = with_border(y_.gradient.row(n).data(), y_.shape(), border);
    for (int y = 0; y < shape.height; ++y) {
      Matrix<Scalar> dx = Matrix<Scalar>::Zero(shape.width, in_);
      for (int residue = 0; residue < stride; ++residue) {
        const int first = ((residue - padding) % stride + stride) % stride;
        if (first >= shape.width) continue;
        const Index pixels = (shape.width - first + stride - 1) / stride;
        for (int i = 0; i < kernel; ++i) {
          const Matrix<Scalar>& w = flipped[static_cast<std::size_t>(i * stride + residue)];
          const int row = (y + padding - i) / stride;
          if (y + padding < i || row * stride != y + padding - i || w.rows() == 0) continue;
          if (row >= y_.shape().height) continue;
          const Index left = (first + padding - residue) / stride + border + 1 - w.rows() / out_;
          add_product({g.row(row).data() + left * out_, pixels, w.rows(), AnyStride(out_, 1)},
                      {w.data(), w.rows(), in_, Eigen::OuterStride<>(in_)},
                      {dx.row(first).data(), pixels, in_, Eigen::OuterStride<>(stride * in_)});
        }
      }
      give(row_of_pixels(x_.gradient, shape, n, y), accumulate, dx);
    }
  });
}

// ∂/∂w[i][j][c][o] = Σ over images, output rows and columns: the input that the weight meets there
// × g[row][column][o].
template <typename Scalar>
void ConvLayer<Scalar>::add_weight_gradient(const Work& work) {
  sum_over_images(work, weight_gradient_, [&](int first, int count, Matrix<Scalar>& sum) {
    for (int n = first; n < first + count; ++n) add_image(n, sum);
  });
}

template <typename Scalar>
void ConvLayer<Scalar>::add_image(int n, Matrix<Scalar>& sum) {
  const Matrix<Scalar> x = with_border(x_.data.row(n).data(), x_.shape(), x_.in_graph.border);
  for (int i = 0; i < conv_.kernel; ++i) {
    for (int row = 0; row < y_.shape().height; ++row) {
      const int from = row * conv_.stride - conv_.padding + i;
      if (from < 0 || from >= x_.shape().height) continue;
      const ConstView<Scalar> met = patches(x, from);
      const Rows<Scalar> g = row_of_pixels(y_.gradient, y_.shape(), n, row);
      add_product({met.data(), met.cols(), met.rows(), AnyStride(1, met.outerStride())},
                  part(g, 0, g.rows()),
                  {sum.row(i * run_).data(), run_, out_, Eigen::OuterStride<>(out_)});
    }
  }
}

}  // namespace

template <typename Scalar>
std::unique_ptr<Layer<Scalar>> conv_layer(const LayerSetup<Scalar>& setup, const Conv& conv) {
  return std::make_unique<ConvLayer<Scalar>>(setup, conv);
}
template std::unique_ptr<Layer<float>> conv_layer(const LayerSetup<float>&, const Conv&);
template std::unique_ptr<Layer<double>> conv_layer(const LayerSetup<double>&, const Conv&);

}  // namespace spottrain::eigen
