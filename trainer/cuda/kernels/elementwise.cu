// Kernels whose results each depend on a few values.
#include "trainer/cuda/kernels/kernel_language.h"
#include "trainer/cuda/kernels/kernels.h"

namespace spottrain::cuda {
namespace {

template <typename To, typename From>
__global__ void convert_kernel(unsigned count, const From* from, To* to) {
  const unsigned i = own_index();
  if (i < count) store_float(to[i], to_float(from[i]));
}

template <typename T, int Width>
__global__ void add_kernel(unsigned packs, const T* a, const T* b, bool relu, T* y) {
  const unsigned i = own_index();
  if (i >= packs) return;
  const std::size_t at = std::size_t{i} * Width;
  Pack<T, Width> sum = load<Width>(a + at);
  Pack<T, Width> other{};
  if (b != nullptr) other = load<Width>(b + at);
  for (int v = 0; v < Width; ++v) {
    const float value = to_float(sum.at[v]) + (b != nullptr ? to_float(other.at[v]) : 0.0f);
    store_float(sum.at[v], relu && !(value > 0.0f) ? 0.0f : value);
  }
  store(y + at, sum);
}

template <typename T, int Width>
__global__ void relu_gradient_kernel(unsigned packs, const T* y, T* g) {
  const unsigned i = own_index();
  if (i >= packs) return;
  const std::size_t at = std::size_t{i} * Width;
  const Pack<T, Width> output = load<Width>(y + at);
  Pack<T, Width> flowing = load<Width>(g + at);
  for (int v = 0; v < Width; ++v) {
    if (!(to_float(output.at[v]) > 0.0f)) flowing.at[v] = T{};
  }
  store(g + at, flowing);
}

template <typename T, int Width>
__global__ void add_bias_kernel(unsigned packs, unsigned packs_a_row, const float* bias, bool relu,
                                T* y) {
  const unsigned i = own_index();
  if (i >= packs) return;
  const std::size_t at = std::size_t{i} * Width;
  const float* own = bias + i % packs_a_row * Width;
  Pack<T, Width> values = load<Width>(y + at);
  for (int v = 0; v < Width; ++v) {
    const float value = to_float(values.at[v]) + own[v];
    store_float(values.at[v], relu && !(value > 0.0f) ? 0.0f : value);
  }
  store(y + at, values);
}

// Philox 4x32-10, as trainer/data/philox.h.
__device__ inline void philox(std::uint32_t (&counter)[4], std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter[0] = static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key0;
    counter[1] = static_cast<std::uint32_t>(b);
    counter[2] = static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key1;
    counter[3] = static_cast<std::uint32_t>(a);
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
}

template <typename T>
__global__ void dropout_kernel(DropoutKey key, const StepParameters* step, unsigned images,
                               unsigned size, const T* x, T* y, bool accumulate) {
  const unsigned groups = (size + 3) / 4, group = own_index();
  if (group >= images * groups) return;
  std::uint32_t word[4] = {group, static_cast<std::uint32_t>(step->index),
                           static_cast<std::uint32_t>(step->index >> 32), key.purpose};
  philox(word, static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32));
  const unsigned first = group % groups * 4;
  const std::size_t image = std::size_t{group / groups} * size;
  for (unsigned v = 0; v < 4; ++v) {
    if (first + v >= size) break;
    const std::size_t at = image + first + v;
    const float kept = word[v] >= key.threshold ? key.factor * to_float(x[at]) : 0.0f;
    store_float(y[at], accumulate ? to_float(y[at]) + kept : kept);
  }
}

template <typename T>
__global__ void subsample_pad_kernel(Subsampling s, const T* x, T* y) {
  const unsigned i = own_index();
  if (i >= s.images * s.out_height * s.out_width * s.out_channels) return;
  const unsigned channel = i % s.out_channels, pixel = i / s.out_channels;
  const unsigned column = pixel % s.out_width, row = pixel / s.out_width % s.out_height;
  const unsigned image = pixel / s.out_width / s.out_height;
  const unsigned zeros = (s.out_channels - s.channels) / 2;
  if (channel < zeros || channel >= zeros + s.channels) {
    y[i] = T{};
    return;
  }
  const unsigned from = (image * s.height + row * s.stride) * s.width + column * s.stride;
  y[i] = x[std::size_t{from} * s.channels + channel - zeros];
}

template <typename T>
__global__ void subsample_pad_gradient_kernel(Subsampling s, const T* g, T* dx, bool accumulate) {
  const unsigned i = own_index();
  if (i >= s.images * s.height * s.width * s.channels) return;
  const unsigned channel = i % s.channels, pixel = i / s.channels;
  const unsigned column = pixel % s.width, row = pixel / s.width % s.height;
  const unsigned image = pixel / s.width / s.height;
  float flowing = 0;
  if (row % s.stride == 0 && column % s.stride == 0) {
    const unsigned from = (image * s.out_height + row / s.stride) * s.out_width + column / s.stride;
    const unsigned zeros = (s.out_channels - s.channels) / 2;
    flowing = to_float(g[std::size_t{from} * s.out_channels + channel + zeros]);
  }
  store_float(dx[i], accumulate ? to_float(dx[i]) + flowing : flowing);
}

}  // namespace

void convert(const Launch& at, unsigned count, const float* from, void* to) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    launch(at.stream, grid_of(count), convert_kernel<T, float>, count, from, static_cast<T*>(to));
  });
}

void widen(CUstream_st* stream, unsigned count, const Bf16* from, float* to) {
  if (count == 0) return;
  launch(stream, grid_of(count), convert_kernel<float, Bf16>, count, from, to);
}

void add(const Launch& at, unsigned count, const void* a, const void* b, bool relu, void* y) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    with_width<T>(count, [&](auto width) {
      const unsigned packs = count / width;
      launch(at.stream, grid_of(packs), add_kernel<T, width>, packs, static_cast<const T*>(a),
             static_cast<const T*>(b), relu, static_cast<T*>(y));
    });
  });
}

void relu_gradient(const Launch& at, unsigned count, const void* y, void* g) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    with_width<T>(count, [&](auto width) {
      const unsigned packs = count / width;
      launch(at.stream, grid_of(packs), relu_gradient_kernel<T, width>, packs,
             static_cast<const T*>(y), static_cast<T*>(g));
    });
  });
}

void add_bias(const Launch& at, Rows rows, const float* bias, bool relu, void* y) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    with_width<T>(rows.channels, [&](auto width) {
      const unsigned packs = rows.size() / width;
      launch(at.stream, grid_of(packs), add_bias_kernel<T, width>, packs, rows.channels / width,
             bias, relu, static_cast<T*>(y));
    });
  });
}

void dropout(const Launch& at, const DropoutKey& key, const StepParameters* step, unsigned images,
             unsigned size, const void* x, void* y, bool accumulate) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    launch(at.stream, grid_of(images * ((size + 3) / 4)), dropout_kernel<T>, key, step, images,
           size, static_cast<const T*>(x), static_cast<T*>(y), accumulate);
  });
}

void subsample_pad(const Launch& at, const Subsampling& s, const void* x, void* y) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    launch(at.stream, grid_of(s.images * s.out_height * s.out_width * s.out_channels),
           subsample_pad_kernel<T>, s, static_cast<const T*>(x), static_cast<T*>(y));
  });
}

void subsample_pad_gradient(const Launch& at, const Subsampling& s, const void* g, void* dx,
                            bool accumulate) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    launch(at.stream, grid_of(s.images * s.height * s.width * s.channels),
           subsample_pad_gradient_kernel<T>, s, static_cast<const T*>(g), static_cast<T*>(dx),
           accumulate);
  });
}

}  // namespace spottrain::cuda
