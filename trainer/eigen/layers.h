// The layers of a model. Scalar is float in the engine. It is double in tests that need the
// definitions without rounding.
#pragma once

#include <memory>
#include <vector>

#include "trainer/eigen/arrays.h"
#include "trainer/engine/graph.h"
#include "trainer/engine/thread_pool.h"

namespace spottrain::eigen {

// The activation of a batch and its gradient: one row for each image, in the order (row, column,
// channel).
template <typename Scalar>
struct Activation {
  GraphValue in_graph;
  Matrix<Scalar> data, gradient;
  // During a backward pass: true after the gradient was set.
  bool has_gradient = false;

  Activation(const GraphValue& value, int batch)
      : in_graph(value),
        data(batch, static_cast<Index>(value.shape.size())),
        gradient(value.wants_gradient ? batch : 0, data.cols()) {}

  const ImageShape& shape() const { return in_graph.shape; }
  Index pixel_count() const { return Index{shape().height} * shape().width; }
  // Rows of pixels, columns of channels.
  Rows<Scalar> pixels(int image) { return of_image(data, image); }
  Rows<Scalar> gradient_pixels(int image) { return of_image(gradient, image); }

 private:
  Rows<Scalar> of_image(Matrix<Scalar>& all, int image) {
    return {all.row(image).data(), pixel_count(), shape().channels,
            Eigen::OuterStride<>(shape().channels)};
  }
};

// The arguments of a layer.
template <typename Scalar>
struct LayerSetup {
  const Operation& operation;
  Activation<Scalar>& input;
  Activation<Scalar>* addend;  // null: the layer has no addend
  Activation<Scalar>& output;
  std::vector<Scalar*> tensors, gradients;  // its own; gradients of the trained ones
  std::uint64_t seed;                       // of dropout
};

// One pass over a batch.
struct Work {
  ThreadPool& pool;
  int images;
  bool training;
  std::int64_t step;

  // Calls body(i) for all i below n, on any thread in any order.
  template <typename Body>
  void for_each(int n, Body body) const {
    pool.run(n, [&](int i, int) { body(i); });
  }
  template <typename Body>
  void for_each_image(Body body) const {
    for_each(images, body);
  }
};

template <typename Scalar>
class Layer {
 public:
  virtual ~Layer() = default;
  // Computes the output.
  virtual void forward(const Work& work) = 0;
  // Sets the gradients of its tensors. Sets its inputs' gradients, or adds to them. The output's
  // gradient exists and may be overwritten.
  virtual void backward(const Work& work) = 0;
};

template <typename Scalar>
std::unique_ptr<Layer<Scalar>> conv_layer(const LayerSetup<Scalar>& setup, const Conv& conv);
template <typename Scalar>
std::unique_ptr<Layer<Scalar>> dense_layer(const LayerSetup<Scalar>& setup, const Dense& dense);
template <typename Scalar>
std::unique_ptr<Layer<Scalar>> batch_norm_layer(const LayerSetup<Scalar>& setup,
                                                const BatchNorm& norm);
// Makes a layer of any kind.
template <typename Scalar>
std::unique_ptr<Layer<Scalar>> make_layer(const LayerSetup<Scalar>& setup);

}  // namespace spottrain::eigen
