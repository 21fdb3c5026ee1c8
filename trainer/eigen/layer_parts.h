// Building blocks of several layers. The order of each sum is part of the definition, because the
// fast engine adds in the same order.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "trainer/eigen/layers.h"
#include "trainer/engine/arithmetic.h"

namespace spottrain::eigen {

// A matrix with one row for each image.
template <typename Scalar>
using Images = std::vector<Channels<Scalar>>;

// max(x, 0), but NaN stays.
template <typename Pixels>
void rectify(Pixels x) {
  x = (x < 0).select(0, x);
}

// ∂/∂x of max(x, 0) is 0 where the maximum y is.
template <typename Scalar>
void mask_gradient(Activation<Scalar>& y, int image) {
  auto g = y.gradient_pixels(image);
  g = (y.pixels(image) > 0).select(g, 0);
}

// True if a layer must add to `to`'s gradient, false if it must set it.
template <typename Scalar>
bool claim(Activation<Scalar>& to) {
  return std::exchange(to.has_gradient, true);
}

template <typename To, typename Gradient>
void give(To to, bool accumulate, const Gradient& gradient) {
  if (accumulate) {
    to += gradient;
  } else {
    to = gradient;
  }
}

// Passes a layer's gradient unchanged to one of its inputs.
template <typename Scalar>
void pass_on(const Work& work, Activation<Scalar>& from, Activation<Scalar>& to) {
  if (!to.in_graph.wants_gradient) return;
  const bool accumulate = claim(to);
  work.for_each_image(
      [&](int n) { give(to.gradient_pixels(n), accumulate, from.gradient_pixels(n)); });
}

// Sums over an image's pixels, channel by channel. Pixel p of a run adds to lane p mod 4.
template <typename Scalar>
struct LaneSums {
  Matrix<Scalar> lanes;
  explicit LaneSums(Index channels) : lanes(Matrix<Scalar>::Zero(kSumLanes, channels)) {}
  Channels<double> total() const {
    const Matrix<double> l = lanes.template cast<double>();
    return (l.row(0) + l.row(1)) + (l.row(2) + l.row(3));
  }
};

// Calls body(pixel, lane) for an image's pixels. A run is the whole image, or a row if memory has a
// border between rows.
template <typename Body>
void for_each_pixel(const ImageShape& shape, bool has_border, Body body) {
  const Index pixels = Index{shape.height} * shape.width;
  const Index run = has_border ? shape.width : pixels;
  for (Index p = 0; p < pixels; ++p) body(p, p % run % kSumLanes);
}

// The gradient of a value that all pixels of an image share.
template <typename Scalar>
Channels<double> sum_gradient(Activation<Scalar>& value, int image) {
  LaneSums<Scalar> sums(value.shape().channels);
  const auto g = value.gradient_pixels(image);
  const GraphValue& in_graph = value.in_graph;
  for_each_pixel(value.shape(), in_graph.border > 0 || in_graph.gradient_border > 0,
                 [&](Index p, Index lane) { sums.lanes.row(lane) += g.row(p); });
  return sums.total();
}

inline Channels<double> total(const Images<double>& images, int count) {
  Channels<double> sum = Channels<double>::Zero(images[0].size());
  for (int n = 0; n < count; ++n) sum += images[static_cast<std::size_t>(n)];
  return sum;
}

// gradient = Σ over chunks of images. For each chunk, add(first image, number of images, sum) adds
// to a sum.
template <typename Scalar, typename Add>
void sum_over_images(const Work& work, Rows<Scalar> gradient, Add add) {
  const int most =
      most_chunks(static_cast<int>(gradient.rows()), static_cast<int>(gradient.cols()));
  const int chunks = std::min(work.images, most);
  std::vector<Matrix<Scalar>> sums(static_cast<std::size_t>(chunks));
  work.for_each(chunks, [&](int chunk) {
    Matrix<Scalar>& sum = sums[static_cast<std::size_t>(chunk)];
    sum.setZero(gradient.rows(), gradient.cols());
    const int first = work.images * chunk / chunks;
    add(first, work.images * (chunk + 1) / chunks - first, sum);
  });
  gradient = sums[0];
  for (std::size_t chunk = 1; chunk < sums.size(); ++chunk) gradient += sums[chunk];
}

template <typename Scalar>
Rows<Scalar> matrix(Scalar* values, Index rows, Index columns) {
  return {values, rows, columns, Eigen::OuterStride<>(columns)};
}
template <typename Scalar>
ConstRows<Scalar> part(const Rows<Scalar>& m, Index first_row, Index rows) {
  return {m.data() + first_row * m.outerStride(), rows, m.cols(),
          Eigen::OuterStride<>(m.outerStride())};
}

}  // namespace spottrain::eigen
