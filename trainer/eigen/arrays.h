// Eigen as this folder uses it: views of memory, and the two operations whose rounding matters. The
// folder does not use `*` of matrices or .sum(), because their order depends on the processor's
// caches and registers.
#pragma once

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <cstdint>

namespace spottrain::eigen {

using Eigen::Index;

// A matrix whose rows are pixels or weights, and whose columns are channels.
template <typename Scalar>
using Matrix = Eigen::Array<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename Scalar>
using Channels = Eigen::Array<Scalar, 1, Eigen::Dynamic>;
// Views of memory that another object owns. Rows may be any distance apart and may overlap. Columns
// may also be any distance apart.
template <typename Scalar>
using Rows = Eigen::Map<Matrix<Scalar>, Eigen::Unaligned, Eigen::OuterStride<>>;
template <typename Scalar>
using ConstRows = Eigen::Map<const Matrix<Scalar>, Eigen::Unaligned, Eigen::OuterStride<>>;
using AnyStride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
template <typename Scalar>
using ConstView = Eigen::Map<const Matrix<Scalar>, Eigen::Unaligned, AnyStride>;

template <typename Scalar>
Eigen::Map<const Channels<Scalar>> row_of(const Scalar* values, Index size) {
  return {values, size};
}

// a·b + c, rounded once, even if the processor has no instruction for it. The product is exact in
// double precision. The sum is rounded to odd: its last bit is set if the sum is not exact. Then
// the rounding to float gives the same result as a single rounding (Boldo and Melquiond, "Emulation
// of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
inline float fused(float a, float b, float c) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_fmaf(a, b, c);
#else
  const double product = double{a} * double{b}, addend = c;
  const double sum = product + addend;
  const double part = sum - product;  // Knuth's exact error of the sum
  const double error = (product - (sum - part)) + (addend - part);
  // An error of 0 or NaN is neither above nor below.
  const bool above = error > 0, below = error < 0;
  const auto bits = std::bit_cast<std::int64_t>(sum);
  const std::int64_t is_even = ~bits & 1, away_from_zero = (sum > 0) == above ? 1 : -1;
  const std::int64_t step = above || below ? is_even * away_from_zero : 0;
  return static_cast<float>(std::bit_cast<double>(bits + step));
#endif
}
// Double precision is used in tests only, which allow for rounding.
inline double fused(double a, double b, double c) { return a * b + c; }

template <typename Scalar>
struct Fused {
  Scalar operator()(const Scalar& a, const Scalar& b, const Scalar& c) const {
    return fused(a, b, c);
  }
};
// fused(), coefficient by coefficient; the arguments must outlive the expression.
template <typename A, typename B, typename C>
auto fma(const Eigen::ArrayBase<A>& a, const Eigen::ArrayBase<B>& b, const Eigen::ArrayBase<C>& c) {
  return Eigen::CwiseTernaryOp<Fused<typename A::Scalar>, const A, const B, const C>(
      a.derived(), b.derived(), c.derived());
}

// sums(i, c) = fused(a(i, k), b(k, c), sums(i, c)) for k = 0, 1, 2 …: the product of two matrices,
// added in this order.
void add_product(const ConstView<float>& a, const ConstRows<float>& b, Rows<float> sums);
void add_product(const ConstView<double>& a, const ConstRows<double>& b, Rows<double> sums);

}  // namespace spottrain::eigen
