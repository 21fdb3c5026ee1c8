// What NVIDIA's libraries compute for the engine: products of matrices and convolutions. Two
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

// c = a·b, or c += a·b if `accumulate`. All matrices are row by row. a is rows × inner, or its
// transpose is in memory. b is inner × columns, likewise. The elements of a and b have the type in
// which the Precision computes.
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

// Images are NHWC, weights (output channel, row, column, input channel).
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

// One convolution for one number of images. Its making may take long and take memory, its work does
// neither.
class Convolution {
 public:
  // data_gradient: none if the input needs no gradient; add: to what the gradient holds already.
  enum class DataGradient { none, set, add };
  Convolution(Libraries& libraries, const ConvolutionShape& shape, DataGradient data_gradient);
  ~Convolution();

  void forward(const void* x, const void* weights, void* y) const;
  void data_gradient(const void* g, const void* weights, void* dx) const;
  void weight_gradient(const void* x, const void* g, void* dw) const;
  // The algorithms, by cuDNN's numbers: equal ones compute equal bits on equal devices.
  std::string algorithms() const;

 private:
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

}  // namespace spottrain::cuda
