// Convolutions and dense layers, forward and back to the input: a block of output pixels × channels
// stays in registers while the taps pass by.
#include "trainer/cpu/kernels/set.h"
#include "trainer/cpu/kernels/vec.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {
namespace {

constexpr int kPanelVecs = kPanel / kLanes;

// The largest blocks that the registers hold beside one pixel's value and a row of weights.
#if defined(__AVX512F__)
constexpr int kPixels1 = 16, kPixels2 = 12;
#else
constexpr int kPixels1 = kPanelVecs == 2 ? 6 : 3, kPixels2 = 0;
#endif

template <int Pixels, int Panels>
void block(const Product& p, const float* input, const float* weights, const float* bias,
           float* output, int channels) {
  constexpr int kVecs = Panels * kPanelVecs;
  Vec sum[Pixels][kVecs];
#pragma GCC unroll 16
  for (int v = 0; v < kVecs; ++v) {
    const Vec first = bias ? load(bias + v * kLanes) : Vec{};
#pragma GCC unroll 32
    for (int i = 0; i < Pixels; ++i) sum[i][v] = first;
  }
  for (int t = 0; t < p.tap_count; ++t) {
    const float* x = input + p.taps[t].input;
    const float* w = weights + p.taps[t].weight * kPanel;
    for (int k = 0; k < p.taps[t].length; ++k, ++x, w += kPanel) {
      Vec row[kVecs];
#pragma GCC unroll 16
      for (int v = 0; v < kVecs; ++v) {
        row[v] = load(w + (v / kPanelVecs) * p.panel_stride + (v % kPanelVecs) * kLanes);
      }
#pragma GCC unroll 32
      for (int i = 0; i < Pixels; ++i) {
        const Vec value = broadcast(x[i * p.input_pixel]);
#pragma GCC unroll 16
        for (int v = 0; v < kVecs; ++v) sum[i][v] = fmadd(value, row[v], sum[i][v]);
      }
    }
  }
#pragma GCC unroll 32
  for (int i = 0; i < Pixels; ++i) {
    float* y = output + i * p.output_pixel;
#pragma GCC unroll 16
    for (int v = 0; v < kVecs; ++v) {
      const int left = channels - v * kLanes;
      if (left <= 0) continue;
      const Span span{v * kLanes, left < kLanes ? left : kLanes};
      const Vec value = p.accumulate ? span.load_from(y) + sum[i][v] : sum[i][v];
      span.store_to(y, p.relu ? rectified(value) : value);
    }
  }
}

// Blocks of all sizes up to Pixels, so that a row's last block costs no more than its pixels.
template <int Pixels, int Panels>
void block_of(int pixels, const Product& p, const float* input, const float* weights,
              const float* bias, float* output, int channels) {
  if constexpr (Pixels > 0) {
    if (pixels == Pixels) {
      block<Pixels, Panels>(p, input, weights, bias, output, channels);
    } else {
      block_of<Pixels - 1, Panels>(pixels, p, input, weights, bias, output, channels);
    }
  }
}

template <int Pixels, int Panels>
void panels(const Product& p, int first_panel) {
  const float* weights = p.weights + first_panel * p.panel_stride;
  const float* bias = p.bias ? p.bias + first_panel * kPanel : nullptr;
  const int channels = p.channels - first_panel * kPanel;
  const int blocks = (p.pixels + Pixels - 1) / Pixels;
  for (int row = 0; row < p.rows; ++row) {
    const float* input = p.input + row * p.input_row;
    float* output = p.output + row * p.output_row + first_panel * kPanel;
    for (int b = 0; b < blocks; ++b) {
      const int first = p.pixels * b / blocks, last = p.pixels * (b + 1) / blocks;
      block_of<Pixels, Panels>(last - first, p, input + first * p.input_pixel, weights, bias,
                               output + first * p.output_pixel, channels);
    }
  }
}

}  // namespace

void product(const Product& p) {
  const int count = (p.channels + kPanel - 1) / kPanel;
  int panel = 0;
  if constexpr (kPixels2 > 0) {
    for (; panel + 2 <= count; panel += 2) panels<kPixels2, 2>(p, panel);
  }
  for (; panel < count; ++panel) panels<kPixels1, 1>(p, panel);
}

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
