#include "trainer/cuda/pointwise.h"

namespace spottrain::cuda {
namespace {

Subsampling pixels_of(const ConvolutionShape& shape) {
  const auto value = [](int extent) { return static_cast<unsigned>(extent); };
  const ImageShape &x = shape.input, &y = shape.output;
  return {.images = value(shape.images),
          .height = value(x.height),
          .width = value(x.width),
          .channels = value(x.channels),
          .out_height = value(y.height),
          .out_width = value(y.width),
          .out_channels = value(x.channels),
          .stride = value(shape.conv.stride)};
}

}  // namespace

PointwiseConvolution::PointwiseConvolution(const Context& context, const ConvolutionShape& shape,
                                           Convolution::DataGradient data_gradient)
    : context_(context),
      pixels_(pixels_of(shape)),
      rows_(shape.images * shape.output.height * shape.output.width),
      in_(shape.input.channels),
      out_(shape.output.channels),
      accumulate_(data_gradient == Convolution::DataGradient::add),
      rows_of_x_(gathers() ? static_cast<std::size_t>(rows_) * static_cast<std::size_t>(in_) : 1) {}

const void* PointwiseConvolution::gathered(const void* x) const {
  if (!gathers()) return x;
  subsample_pad(context_.launch(), pixels_, x, rows_of_x_.data());
  return rows_of_x_.data();
}

// y = x·Wᵀ. The weights are stored as (output channel, input channel).
void PointwiseConvolution::forward(const void* x, const void* weights, void* y) const {
  context_.libraries.multiply({.rows = rows_,
                               .columns = out_,
                               .inner = in_,
                               .a = gathered(x),
                               .a_transposed = false,
                               .b = weights,
                               .b_transposed = true,
                               .c = y,
                               .c_element = context_.element,
                               .accumulate = false});
}

// ∂x = g·W.
void PointwiseConvolution::data_gradient(const void* g, const void* weights, void* dx) const {
  context_.libraries.multiply({.rows = rows_,
                               .columns = in_,
                               .inner = out_,
                               .a = g,
                               .a_transposed = false,
                               .b = weights,
                               .b_transposed = false,
                               .c = gathers() ? rows_of_x_.data() : dx,
                               .c_element = context_.element,
                               .accumulate = accumulate_ && !gathers()});
  if (gathers()) {
    subsample_pad_gradient(context_.launch(), pixels_, rows_of_x_.data(), dx, accumulate_);
  }
}

// ∂W = gᵀ·x.
void PointwiseConvolution::weight_gradient(const void* x, const void* g, void* dw) const {
  context_.libraries.multiply({.rows = out_,
                               .columns = in_,
                               .inner = rows_,
                               .a = g,
                               .a_transposed = true,
                               .b = gathered(x),
                               .b_transposed = false,
                               .c = dw,
                               .c_element = context_.element,
                               .accumulate = false});
}

}  // namespace spottrain::cuda
