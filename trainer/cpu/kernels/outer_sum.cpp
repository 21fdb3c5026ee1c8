// Gradients of weights: a block of inputs × channels stays in registers during the loop over
// pixels.
#include "trainer/cpu/kernels/set.h"
#include "trainer/cpu/kernels/vec.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {
namespace {

// The largest blocks that the registers hold beside a row of the gradient, for one and two panels.
#if defined(__AVX512F__)
constexpr int kInputs1 = 16, kInputs2 = 12;
#else
constexpr int kInputs1 = 6, kInputs2 = 0;
#endif

template <int Inputs, int Panels, bool Whole>
void block(const OuterSum& s, const float* input, const float* gradient, float* sum, int channels) {
  constexpr int kVecs = Panels * kPanelVecs;
  Vec total[Inputs][kVecs];
#pragma GCC unroll 32
  for (int i = 0; i < Inputs; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kVecs; ++v) total[i][v] = load(sum + i * s.sum_stride + v * kLanes);
  }
  for (int row = 0; row < s.rows; ++row) {
    const float* x = input + row * s.input_row;
    const float* g = gradient + row * s.gradient_row;
    for (int pixel = 0; pixel < s.pixels; ++pixel, x += s.input_pixel, g += s.gradient_pixel) {
      Vec values[kVecs];
#pragma GCC unroll 4
      for (int v = 0; v < kVecs; ++v) {
        const int left = Whole ? kLanes : channels - v * kLanes;
        values[v] = left >= kLanes ? load(g + v * kLanes)
                    : left > 0     ? load_first(g + v * kLanes, left)
                                   : Vec{};
      }
#pragma GCC unroll 32
      for (int i = 0; i < Inputs; ++i) {
        const Vec value = broadcast(x[i]);
#pragma GCC unroll 4
        for (int v = 0; v < kVecs; ++v) total[i][v] = fmadd(value, values[v], total[i][v]);
      }
    }
  }
#pragma GCC unroll 32
  for (int i = 0; i < Inputs; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kVecs; ++v) store(sum + i * s.sum_stride + v * kLanes, total[i][v]);
  }
}

template <int Inputs, int Panels>
void block_of(int inputs, const OuterSum& s, const float* input, const float* gradient, float* sum,
              int channels) {
  if constexpr (Inputs > 0) {
    if (inputs != Inputs) {
      block_of<Inputs - 1, Panels>(inputs, s, input, gradient, sum, channels);
    } else if (channels >= Panels * kPanel) {
      block<Inputs, Panels, true>(s, input, gradient, sum, channels);
    } else {
      block<Inputs, Panels, false>(s, input, gradient, sum, channels);
    }
  }
}

template <int Inputs, int Panels>
void panels(const OuterSum& s, int first_channel) {
  const int blocks = (s.inputs + Inputs - 1) / Inputs;
  for (int b = 0; b < blocks; ++b) {
    const int first = s.inputs * b / blocks, last = s.inputs * (b + 1) / blocks;
    block_of<Inputs, Panels>(last - first, s, s.input + first, s.gradient + first_channel,
                             s.sum + first * s.sum_stride + first_channel,
                             s.channels - first_channel);
  }
}

}  // namespace

void outer_sum(const OuterSum& s) {
  int channel = 0;
  if constexpr (kInputs2 > 0) {
    for (; channel + kPanel < s.channels; channel += 2 * kPanel) panels<kInputs2, 2>(s, channel);
  }
  for (; channel < s.channels; channel += kPanel) panels<kInputs1, 1>(s, channel);
}

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
