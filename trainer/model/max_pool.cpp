#include "trainer/model/max_pool.h"

#include <array>

namespace spottrain::inline small_network {

MaxPool2::MaxPool2(ImageShape input)
    : input_shape_(input), output_shape_{input.height / 2, input.width / 2, input.channels} {}

template <typename Fn>
void MaxPool2::for_each_window(int images, Fn fn) const {
  const auto channels = static_cast<std::size_t>(input_shape_.channels);
  const std::size_t row = static_cast<std::size_t>(input_shape_.width) * channels;
  const std::array<std::size_t, 4> offsets{0, channels, row, row + channels};
  std::size_t to = 0;
  for (int line = 0; line < images * output_shape_.height; ++line) {
    std::size_t from = static_cast<std::size_t>(line) * 2 * row;
    for (int x = 0; x < output_shape_.width; ++x, from += 2 * channels, to += channels) {
      fn(to, from, offsets, channels);
    }
  }
}

Layer::In MaxPool2::forward(In, In input, int images) {
  output_.resize(static_cast<std::size_t>(images) * output_shape_.size());
  winner_.resize(output_.size());
  for_each_window(images,
                  [&](std::size_t to, std::size_t from, const auto& offsets, std::size_t channels) {
                    for (std::size_t c = 0; c < channels; ++c) {
                      float best = input[from + c];
                      std::uint8_t winner = 0;
                      for (std::uint8_t i = 1; i < 4; ++i) {
                        const float value = input[from + offsets[i] + c];
                        winner = value > best ? i : winner;
                        best = value > best ? value : best;
                      }
                      output_[to + c] = best;
                      winner_[to + c] = winner;
                    }
                  });
  return output_;
}

Layer::In MaxPool2::input_gradient(In, In output_gradient) {
  const int images = static_cast<int>(output_gradient.size() / output_shape_.size());
  input_gradient_.resize(output_gradient.size() * 4);
  for_each_window(images, [&](std::size_t to, std::size_t from, const auto& offsets,
                              std::size_t channels) {
    for (std::uint8_t i = 0; i < 4; ++i) {
      for (std::size_t c = 0; c < channels; ++c) {
        input_gradient_[from + offsets[i] + c] = winner_[to + c] == i ? output_gradient[to + c] : 0;
      }
    }
  });
  return input_gradient_;
}

}  // namespace spottrain::inline small_network
