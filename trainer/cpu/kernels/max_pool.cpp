#include "trainer/cpu/kernels/set.h"
#include "trainer/cpu/kernels/vec.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {
namespace {

// Calls body(input pixel, number in the window) for the pixels of a window that are in the image.
template <typename Body>
inline void for_each_in_window(const MaxPooling& p, int row, int column, Body body) {
  for (int i = 0; i < p.size; ++i) {
    const int y = row * p.stride - p.padding + i;
    if (y < 0 || y >= p.height) continue;
    for (int j = 0; j < p.size; ++j) {
      const int x = column * p.stride - p.padding + j;
      if (x < 0 || x >= p.width) continue;
      body(p.input + y * p.input_row + static_cast<std::ptrdiff_t>(x) * p.channels,
           static_cast<float>(i * p.size + j));
    }
  }
}

// Calls body(output pixel, its winners, row, column).
template <typename Body>
inline void for_each_output(const MaxPooling& p, Body body) {
  float* winners = p.winners;
  for (int row = 0; row < p.output_height; ++row) {
    float* output = p.output + row * p.output_row;
    for (int column = 0; column < p.output_width; ++column) {
      body(output, winners, row, column);
      output += p.channels;
      winners += p.channels;
    }
  }
}

}  // namespace

void max_pool(const MaxPooling& p) {
  for_each_output(p, [&](float* output, float* winners, int row, int column) {
    for_each_span(p.channels, [&](auto span) {
      Vec best{}, winner = broadcast(-1);
      for_each_in_window(p, row, column, [&](const float* input, float number) {
        const Vec v = span.load_from(input);
        const auto better = (v > best) | (winner < 0.0f);
        best = better ? v : best;
        winner = better ? broadcast(number) : winner;
      });
      span.store_to(output, best);
      span.store_to(winners, winner);
    });
  });
}

void max_pool_gradient(const MaxPooling& p) {
  for_each_output(p, [&](const float* gradient, const float* winners, int row, int column) {
    for_each_span(p.channels, [&](auto span) {
      const Vec flowing = span.load_from(gradient), winner = span.load_from(winners);
      for_each_in_window(p, row, column, [&](float* input, float number) {
        const Vec share = winner == number ? flowing : Vec{};
        span.store_to(input, span.load_from(input) + share);
      });
    });
  });
}

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
