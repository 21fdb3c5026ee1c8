// Pooling over windows and over whole images. In the gradient of a maximum, each input gathers from
// its windows, so no two threads add to one value.
#include "trainer/cuda/kernels/kernel_language.h"
#include "trainer/cuda/kernels/kernels.h"

namespace spottrain::cuda {
namespace {

template <typename T>
__global__ void max_pool_kernel(Pooling p, const T* x, T* y, std::uint16_t* winners) {
  const unsigned i = own_index();
  if (i >= p.images * p.out_height * p.out_width * p.channels) return;
  const unsigned channel = i % p.channels, pixel = i / p.channels;
  const unsigned image = pixel / p.out_width / p.out_height;
  const int top = static_cast<int>(pixel / p.out_width % p.out_height) * p.stride - p.padding;
  const int left = static_cast<int>(pixel % p.out_width) * p.stride - p.padding;
  float best = 0;
  int winner = -1;
  for (int i_row = 0; i_row < p.size; ++i_row) {
    const int row = top + i_row;
    if (row < 0 || row >= static_cast<int>(p.height)) continue;
    for (int i_column = 0; i_column < p.size; ++i_column) {
      const int column = left + i_column;
      if (column < 0 || column >= static_cast<int>(p.width)) continue;
      const unsigned from =
          (image * p.height + static_cast<unsigned>(row)) * p.width + static_cast<unsigned>(column);
      const float value = to_float(x[std::size_t{from} * p.channels + channel]);
      if (winner >= 0 && !(value > best)) continue;
      best = value;
      winner = i_row * p.size + i_column;
    }
  }
  store_float(y[i], best);
  winners[i] = static_cast<std::uint16_t>(winner);
}

// The windows along one side that contain the input position: the first, and one past the last.
struct Windows {
  int first, end;
};
__device__ inline Windows windows_of(int position, int count, const Pooling& p) {
  const int from = position + p.padding - p.size + p.stride;  // of the first, times the stride
  const int end = (position + p.padding) / p.stride + 1;
  return {from < 0 ? 0 : from / p.stride, end < count ? end : count};
}

template <typename T>
__global__ void max_pool_gradient_kernel(Pooling p, const T* g, const std::uint16_t* winners, T* dx,
                                         bool accumulate) {
  const unsigned i = own_index();
  if (i >= p.images * p.height * p.width * p.channels) return;
  const unsigned channel = i % p.channels, pixel = i / p.channels;
  const unsigned image = pixel / p.width / p.height;
  const int y = static_cast<int>(pixel / p.width % p.height);
  const int x = static_cast<int>(pixel % p.width);
  const Windows rows = windows_of(y, static_cast<int>(p.out_height), p);
  const Windows columns = windows_of(x, static_cast<int>(p.out_width), p);
  float flowing = accumulate ? to_float(dx[i]) : 0.0f;
  for (int row = rows.first; row < rows.end; ++row) {
    for (int column = columns.first; column < columns.end; ++column) {
      const int number =
          (y + p.padding - row * p.stride) * p.size + x + p.padding - column * p.stride;
      const unsigned window = (image * p.out_height + static_cast<unsigned>(row)) * p.out_width +
                              static_cast<unsigned>(column);
      const std::size_t from = std::size_t{window} * p.channels + channel;
      if (winners[from] == number) flowing += to_float(g[from]);
    }
  }
  store_float(dx[i], flowing);
}

template <typename T>
__global__ void average_kernel(unsigned images, Rows image, const T* x, T* y) {
  const unsigned i = own_index();
  if (i >= images * image.channels) return;
  const T* first =
      x + std::size_t{i / image.channels} * image.rows * image.channels + i % image.channels;
  double sum = 0;
  for (unsigned row = 0; row < image.rows; ++row) {
    sum += static_cast<double>(to_float(first[std::size_t{row} * image.channels]));
  }
  store_float(y[i], static_cast<float>(sum / image.rows));
}

template <typename T>
__global__ void average_gradient_kernel(unsigned images, Rows image, const T* g, T* dx,
                                        bool accumulate) {
  const unsigned i = own_index(), size = image.rows * image.channels;
  if (i >= images * size) return;
  const float share = to_float(g[i / size * image.channels + i % image.channels]) *
                      (1.0f / static_cast<float>(image.rows));
  store_float(dx[i], accumulate ? to_float(dx[i]) + share : share);
}

}  // namespace

void max_pool(const Launch& at, const Pooling& p, const void* x, void* y, std::uint16_t* winners) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    launch(at.stream, grid_of(p.images * p.out_height * p.out_width * p.channels),
           max_pool_kernel<T>, p, static_cast<const T*>(x), static_cast<T*>(y), winners);
  });
}

void max_pool_gradient(const Launch& at, const Pooling& p, const void* g,
                       const std::uint16_t* winners, void* dx, bool accumulate) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    launch(at.stream, grid_of(p.images * p.height * p.width * p.channels),
           max_pool_gradient_kernel<T>, p, static_cast<const T*>(g), winners, static_cast<T*>(dx),
           accumulate);
  });
}

void average(const Launch& at, unsigned images, Rows image, const void* x, void* y) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    launch(at.stream, grid_of(images * image.channels), average_kernel<T>, images, image,
           static_cast<const T*>(x), static_cast<T*>(y));
  });
}

void average_gradient(const Launch& at, unsigned images, Rows image, const void* g, void* dx,
                      bool accumulate) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    launch(at.stream, grid_of(images * image.size()), average_gradient_kernel<T>, images, image,
           static_cast<const T*>(g), static_cast<T*>(dx), accumulate);
  });
}

}  // namespace spottrain::cuda
