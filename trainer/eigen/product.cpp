#include "trainer/eigen/arrays.h"

namespace spottrain::eigen {
namespace {

// A block of the sums stays in registers during the loop over k. The size of the block does not
// change a sum.
template <int Height, int Width, typename Scalar, typename Fuse>
[[gnu::always_inline]] inline void add_block(const ConstView<Scalar>& a, const ConstRows<Scalar>& b,
                                             Rows<Scalar>& sums, Index row, Index column,
                                             Fuse fuse) {
  using Block = Eigen::Array<Scalar, Height, Width, Width == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  Block sum = sums.template block<Height, Width>(row, column);
  const Scalar* row_of_b = &b.coeffRef(0, column);
  for (Index k = 0; k < a.cols(); ++k, row_of_b += b.outerStride()) {
    for (int i = 0; i < Height; ++i) {
      const Scalar factor = a.coeff(row + i, k);
#pragma GCC unroll 1  // or GCC 12 makes no vectors of it
      for (int c = 0; c < Width; ++c) {
        sum.coeffRef(i, c) = fuse(factor, row_of_b[c], sum.coeff(i, c));
      }
    }
  }
  sums.template block<Height, Width>(row, column) = sum;
}

template <int Height, typename Scalar, typename Fuse>
[[gnu::always_inline]] inline void add_rows(const ConstView<Scalar>& a, const ConstRows<Scalar>& b,
                                            Rows<Scalar>& sums, Index row, Fuse fuse) {
  Index column = 0;
  for (; column + 16 <= sums.cols(); column += 16) {
    add_block<Height, 16>(a, b, sums, row, column, fuse);
  }
  for (; column + 4 <= sums.cols(); column += 4) {
    add_block<Height, 4>(a, b, sums, row, column, fuse);
  }
  for (; column < sums.cols(); ++column) add_block<Height, 1>(a, b, sums, row, column, fuse);
}

template <typename Scalar, typename Fuse>
[[gnu::always_inline]] inline void add_all(const ConstView<Scalar>& a, const ConstRows<Scalar>& b,
                                           Rows<Scalar>& sums, Fuse fuse) {
  Index row = 0;
  for (; row + 4 <= sums.rows(); row += 4) add_rows<4>(a, b, sums, row, fuse);
  for (; row < sums.rows(); ++row) add_rows<1>(a, b, sums, row, fuse);
}

#if defined(__x86_64__) && !defined(__FMA__)
// The same code for processors that have the instruction, a dozen times as fast.
[[gnu::target("avx2,fma")]] void add_product_by_instruction(const ConstView<float>& a,
                                                            const ConstRows<float>& b,
                                                            Rows<float>& sums) {
  add_all(a, b, sums, [](float x, float y, float z) { return __builtin_fmaf(x, y, z); });
}
bool has_instruction() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
void add_product_by_instruction(const ConstView<float>&, const ConstRows<float>&, Rows<float>&) {}
bool has_instruction() { return false; }
#endif

}  // namespace

void add_product(const ConstView<float>& a, const ConstRows<float>& b, Rows<float> sums) {
  static const bool by_instruction = has_instruction();
  if (by_instruction) return add_product_by_instruction(a, b, sums);
  add_all(a, b, sums, [](float x, float y, float z) { return fused(x, y, z); });
}

void add_product(const ConstView<double>& a, const ConstRows<double>& b, Rows<double> sums) {
  add_all(a, b, sums, [](double x, double y, double z) { return fused(x, y, z); });
}

}  // namespace spottrain::eigen
