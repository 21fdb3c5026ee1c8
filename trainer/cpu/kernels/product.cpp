// Convolutions and dense layers, forward and back to the input. A block of output pixels × channels
// stays in registers during the loop over taps.
#include "trainer/cpu/kernels/set.h"
#include "trainer/cpu/kernels/vec.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {
namespace {

// The largest blocks that the registers hold beside one pixel's value and a row of weights.
#if defined(__AVX512F__)
constexpr int kPixels1 = 16, kPixels2 = 12;
#else
constexpr int kPixels1 = 6, kPixels2 = 0;
#endif

// Forces v to stay in a register, so that the compiler does not compute it again.
template <typename T>
inline void in_register(T& v) {
  asm("" : "+r"(v));
}

// The positions of some input pixels, which move along the channels. Addresses are few pointers
// plus 0 to 3 strides, which the processor adds itself. A pointer per pixel would need too many
// registers.
template <int Pixels>
class PixelValues {
 public:
  PixelValues(const float* first, std::ptrdiff_t stride) : stride_(stride), stride3_(3 * stride) {
#pragma GCC unroll 8
    for (int g = 0; g < kGroups; ++g) group_[g] = first + 4 * g * stride;
    in_register(stride_);
    in_register(stride3_);
  }
  // Pixel i's value.
  Vec operator[](int i) const {
    const float* group = group_[i / 4];
    const int strides = i % 4;
    return broadcast(strides == 3 ? group[stride3_] : group[strides * stride_]);
  }
  void next() {
#pragma GCC unroll 8
    for (int g = 0; g < kGroups; ++g) in_register(++group_[g]);
  }

 private:
  static constexpr int kGroups = (Pixels + 3) / 4;
  const float* group_[kGroups];
  std::ptrdiff_t stride_, stride3_;
};

template <int Pixels, int Panels>
struct Block {
  static constexpr int kVecs = Panels * kPanelVecs;
  Vec sum[Pixels][kVecs];

  void start(const float* bias) {
#pragma GCC unroll 16
    for (int v = 0; v < kVecs; ++v) {
      const Vec first = bias ? load(bias + v * kLanes) : Vec{};
#pragma GCC unroll 32
      for (int i = 0; i < Pixels; ++i) sum[i][v] = first;
    }
  }

  void add(const Product& p, const float* x, const float* w, int length) {
    PixelValues<Pixels> values(x, p.input_pixel);
    for (int k = 0; k < length; ++k, values.next(), w += kPanel) {
      Vec row[kVecs];
#pragma GCC unroll 16
      for (int v = 0; v < kVecs; ++v) {
        row[v] = load(w + (v / kPanelVecs) * p.panel_stride + (v % kPanelVecs) * kLanes);
      }
#pragma GCC unroll 32
      for (int i = 0; i < Pixels; ++i) {
        const Vec value = values[i];
#pragma GCC unroll 16
        for (int v = 0; v < kVecs; ++v) sum[i][v] = fmadd(value, row[v], sum[i][v]);
      }
    }
  }

  // Calls body(sum, output) for each vector.
  template <typename Body>
  void for_each(float* output, std::ptrdiff_t pixel, Body body) {
#pragma GCC unroll 32
    for (int i = 0; i < Pixels; ++i, output += pixel) {
#pragma GCC unroll 16
      for (int v = 0; v < kVecs; ++v) body(sum[i][v], output, v * kLanes);
    }
  }

  // channels may be fewer than the block's.
  void finish(const Product& p, float* output, int channels) {
    const bool whole = channels >= Panels * kPanel;
    const auto span = [channels](int first) {
      const int left = channels - first;
      return Span<false>{first, left < 0 ? 0 : left < kLanes ? left : kLanes};
    };
    if (p.accumulate) {
      for_each(output, p.output_pixel, [=](Vec& v, float* y, int first) {
        v += whole ? load(y + first) : span(first).load_from(y);
      });
    }
    if (p.relu) {
      for_each(output, p.output_pixel, [](Vec& v, float*, int) { v = rectified(v); });
    }
    if (whole) {
      for_each(output, p.output_pixel, [](Vec v, float* y, int first) { store(y + first, v); });
    } else {
      for_each(output, p.output_pixel,
               [=](Vec v, float* y, int first) { span(first).store_to(y, v); });
    }
  }
};

template <int Pixels, int Panels>
void block(const Product& p, const float* input, const float* weights, const float* bias,
           float* output, int channels) {
  Block<Pixels, Panels> block;
  block.start(bias);
  for (int t = 0; t < p.tap_count; ++t) {
    const Tap& tap = p.taps[t];
    block.add(p, input + tap.input, weights + tap.weight * kPanel, tap.length);
  }
  block.finish(p, output, channels);
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
