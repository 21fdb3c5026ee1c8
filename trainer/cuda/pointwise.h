// A convolution with a 1×1 kernel and without padding, as matrix products: one row of channels per
// pixel, times the weights.
#pragma once

#include "trainer/cuda/node.h"

namespace spottrain::cuda {

// Has the functions of Convolution for one number of images. With a stride above 1 it first gathers
// the used pixels into memory of its own.
class PointwiseConvolution {
 public:
  PointwiseConvolution(const Context& context, const ConvolutionShape& shape,
                       Convolution::DataGradient data_gradient);

  static bool computes(const Conv& conv) { return conv.kernel == 1 && conv.padding == 0; }

  void forward(const void* x, const void* weights, void* y) const;
  void data_gradient(const void* g, const void* weights, void* dx) const;
  void weight_gradient(const void* x, const void* g, void* dw) const;
  std::string algorithms() const { return "product"; }

 private:
  bool gathers() const { return pixels_.stride > 1; }
  // The rows of x that the convolution uses.
  const void* gathered(const void* x) const;

  const Context& context_;
  const Subsampling pixels_;
  const int rows_, in_, out_;
  const bool accumulate_;
  const Array<float> rows_of_x_;
};

}  // namespace spottrain::cuda
