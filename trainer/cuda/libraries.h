// The parts that NVIDIA's libraries compute: products of matrices and convolutions. Two
// implementations are linked: nvidia/libraries.cpp and nvidia/convolution.cpp on cuBLAS and cuDNN,
// and emulated/libraries.cpp on the CPU for tests.
#pragma once

#include <memory>
#include <string>

#include "trainer/cuda/device.h"
#include "trainer/cuda/kernels/element.h"
#include "trainer/engine/engine.h"
#include "trainer/model/description.h"

namespace spottrain::cuda {

// c = a·b, or c += a·b if `accumulate`. All matrices are stored row by row. a is rows × inner, or
// stored as its transpose. b is inner × columns, or stored as its transpose. The elements of a and
// b have the type in which the Precision computes.
struct Product {
  int rows, columns, inner;
  const void* a;
  bool a_transposed;
  const void* b;
  bool b_transposed;
  void* c;
  Element c_element;
  bool accumulate;
};

// The shape of a convolution. Images are NHWC, weights (output channel, row, column, input
// channel).
struct ConvolutionShape {
  int images = 1;
  ImageShape input, output;
  Conv conv;
};

class Libraries {
 public:
  Libraries(const Stream& stream, const EngineOptions& options, const DeviceInfo& device);
  ~Libraries();

  void multiply(const Product& product);
  // "cuDNN 9.19.0, cuBLAS 13.1.0"
  std::string versions() const;

  struct Handles;
  Handles& handles() { return *handles_; }

 private:
  std::unique_ptr<Handles> handles_;
};

// One convolution for one number of images. The constructor may take long and allocate memory; the
// convolution itself does neither.
class Convolution {
 public:
  // The gradient of the input. `none`: the input needs no gradient; `add`: add to the existing
  // gradient.
  enum class DataGradient { none, set, add };
  Convolution(Libraries& libraries, const ConvolutionShape& shape, DataGradient data_gradient);
  ~Convolution();

  void forward(const void* x, const void* weights, void* y) const;
  void data_gradient(const void* g, const void* weights, void* dx) const;
  void weight_gradient(const void* x, const void* g, void* dw) const;
  // The algorithms, by cuDNN's numbers. Equal algorithms compute equal bits on equal devices.
  std::string algorithms() const;

 private:
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

}  // namespace spottrain::cuda
