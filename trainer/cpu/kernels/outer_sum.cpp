// Gradients of weights: a block of inputs × channels stays in registers while the pixels pass by.
#include "trainer/cpu/kernels/set.h"
#include "trainer/cpu/kernels/vec.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {
namespace {

constexpr int kPanelVecs = kPanel / kLanes;
#if defined(__AVX512F__)
constexpr int kInputs = 16;
#else
constexpr int kInputs = kPanelVecs == 2 ? 6 : 3;
#endif

template <int Inputs, bool Whole>
void block(const OuterSum& s, const float* input, const float* gradient, float* sum, int channels) {
  Vec total[Inputs][kPanelVecs];
#pragma GCC unroll 32
  for (int i = 0; i < Inputs; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kPanelVecs; ++v) total[i][v] = load(sum + i * s.sum_stride + v * kLanes);
  }
  for (int row = 0; row < s.rows; ++row) {
    const float* x = input + row * s.input_row;
    const float* g = gradient + row * s.gradient_row;
    for (int pixel = 0; pixel < s.pixels; ++pixel, x += s.input_pixel, g += s.gradient_pixel) {
      Vec values[kPanelVecs];
#pragma GCC unroll 4
      for (int v = 0; v < kPanelVecs; ++v) {
        const int left = Whole ? kLanes : channels - v * kLanes;
        values[v] = left >= kLanes ? load(g + v * kLanes)
                    : left > 0     ? load_first(g + v * kLanes, left)
                                   : Vec{};
      }
#pragma GCC unroll 32
      for (int i = 0; i < Inputs; ++i) {
        const Vec value = broadcast(x[i]);
#pragma GCC unroll 4
        for (int v = 0; v < kPanelVecs; ++v) total[i][v] = fmadd(value, values[v], total[i][v]);
      }
    }
  }
#pragma GCC unroll 32
  for (int i = 0; i < Inputs; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kPanelVecs; ++v) store(sum + i * s.sum_stride + v * kLanes, total[i][v]);
  }
}

template <int Inputs>
void block_of(int inputs, const OuterSum& s, const float* input, const float* gradient, float* sum,
              int channels) {
  if constexpr (Inputs > 0) {
    if (inputs != Inputs) {
      block_of<Inputs - 1>(inputs, s, input, gradient, sum, channels);
    } else if (channels >= kPanel) {
      block<Inputs, true>(s, input, gradient, sum, channels);
    } else {
      block<Inputs, false>(s, input, gradient, sum, channels);
    }
  }
}

}  // namespace

void outer_sum(const OuterSum& s) {
  const int blocks = (s.inputs + kInputs - 1) / kInputs;
  for (int b = 0; b < blocks; ++b) {
    const int first = s.inputs * b / blocks, last = s.inputs * (b + 1) / blocks;
    for (int c = 0; c < s.channels; c += kPanel) {
      block_of<kInputs>(last - first, s, s.input + first, s.gradient + c,
                        s.sum + first * s.sum_stride + c, s.channels - c);
    }
  }
}

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
