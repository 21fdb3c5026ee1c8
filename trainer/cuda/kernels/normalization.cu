// Sums over pixels, and batch normalisation (Ioffe and Szegedy, 2015) fused with the operations
// around it. A sum has two passes. First, blocks add up chunks of rows. Then one block adds up the
// chunks of a few channels. The shape determines both orders, so every run computes the same bits.
#include "trainer/cuda/kernels/kernel_language.h"
#include "trainer/cuda/kernels/kernels.h"

namespace spottrain::cuda {
namespace {

// The division of the first pass's work among threads. In a block, `lanes` adjacent threads have a
// pack of channels each. kThreads ÷ lanes such rows of threads share the rows of a chunk.
struct SumShape {
  unsigned rows, channels, packs;  // packs: of channels, in a row
  unsigned lanes, rows_a_chunk, chunks;
};
constexpr unsigned kMostChunks = 256, kEnoughBlocks = 512;

SumShape sum_shape(Rows rows, unsigned width) {
  SumShape s{rows.rows, rows.channels, rows.channels / width, 1, 1, 1};
  while (s.lanes < s.packs && s.lanes < 32) s.lanes *= 2;
  const unsigned tiles = (s.packs + s.lanes - 1) / s.lanes, row_lanes = kThreads / s.lanes;
  const unsigned wanted = (kEnoughBlocks + tiles - 1) / tiles;
  const unsigned sensible = (s.rows + 4 * row_lanes - 1) / (4 * row_lanes);
  unsigned chunks = wanted < sensible ? wanted : sensible;
  if (chunks > kMostChunks) chunks = kMostChunks;
  s.rows_a_chunk = (s.rows + chunks - 1) / chunks;
  s.chunks = (s.rows + s.rows_a_chunk - 1) / s.rows_a_chunk;
  return s;
}

// partial[chunk][channel] = the chunk's two sums of the terms that Terms computes from each row.
template <int Width, typename Terms>
__global__ void chunk_sums(SumShape s, Terms terms, float* partial) {
  __shared__ float first[kThreads * Width];
  __shared__ float second[kThreads * Width];
  const unsigned pack = blockIdx.x * s.lanes + threadIdx.x % s.lanes;
  const unsigned row_lane = threadIdx.x / s.lanes, row_lanes = kThreads / s.lanes;
  float a[Width] = {}, b[Width] = {};
  if (pack < s.packs) {
    const auto channel = terms.template channel<Width>(pack * Width);
    const unsigned begin = blockIdx.y * s.rows_a_chunk;
    const unsigned end = begin + s.rows_a_chunk < s.rows ? begin + s.rows_a_chunk : s.rows;
    for (unsigned row = begin + row_lane; row < end; row += row_lanes) {
      terms.add(channel, std::size_t{row} * s.channels + pack * Width, a, b);
    }
  }
  for (int v = 0; v < Width; ++v) {
    first[threadIdx.x * Width + v] = a[v];
    second[threadIdx.x * Width + v] = b[v];
  }
  for (unsigned half = row_lanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (row_lane >= half) continue;
    for (int v = 0; v < Width; ++v) {
      first[threadIdx.x * Width + v] += first[(threadIdx.x + half * s.lanes) * Width + v];
      second[threadIdx.x * Width + v] += second[(threadIdx.x + half * s.lanes) * Width + v];
    }
  }
  if (row_lane > 0 || pack >= s.packs) return;
  float* own = partial + (std::size_t{blockIdx.y} * s.channels + pack * Width) * 2;
  for (int v = 0; v < Width; ++v) {
    own[2 * v] = first[threadIdx.x * Width + v];
    own[2 * v + 1] = second[threadIdx.x * Width + v];
  }
}

// Calls finish(channel, …) with each channel's two sums over the chunks, in double precision.
constexpr unsigned kChannelsABlock = 8;
template <typename Finish>
__global__ void finish_sums(unsigned channels, unsigned chunks, const float* partial,
                            Finish finish) {
  __shared__ double first[kThreads];
  __shared__ double second[kThreads];
  const unsigned channel = blockIdx.x * kChannelsABlock + threadIdx.x % kChannelsABlock;
  constexpr unsigned lanes = kThreads / kChannelsABlock;
  const unsigned lane = threadIdx.x / kChannelsABlock;
  double a = 0, b = 0;
  if (channel < channels) {
    for (unsigned chunk = lane; chunk < chunks; chunk += lanes) {
      const float* own = partial + (std::size_t{chunk} * channels + channel) * 2;
      a += static_cast<double>(own[0]);
      b += static_cast<double>(own[1]);
    }
  }
  first[threadIdx.x] = a;
  second[threadIdx.x] = b;
  for (unsigned half = lanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (lane >= half) continue;
    first[threadIdx.x] += first[threadIdx.x + half * kChannelsABlock];
    second[threadIdx.x] += second[threadIdx.x + half * kChannelsABlock];
  }
  if (lane == 0 && channel < channels) finish(channel, first[threadIdx.x], second[threadIdx.x]);
}

template <int Width>
struct ChannelValues {
  float at[Width];
};

// The batch's moments. They are relative to its first pixel, so that a large mean costs no
// precision.
template <typename T>
struct MomentTerms {
  const T* x;
  template <int Width>
  __device__ ChannelValues<Width> channel(unsigned c) const {
    ChannelValues<Width> origin;
    for (int v = 0; v < Width; ++v) origin.at[v] = to_float(x[c + v]);
    return origin;
  }
  template <int Width>
  __device__ void add(const ChannelValues<Width>& origin, std::size_t at, float (&first)[Width],
                      float (&second)[Width]) const {
    const Pack<T, Width> values = load<Width>(x + at);
    for (int v = 0; v < Width; ++v) {
      const float d = to_float(values.at[v]) - origin.at[v];
      first[v] += d;
      second[v] = fmaf(d, d, second[v]);
    }
  }
};

// The gradient, after a ReLU if y is not null, and its product with x − mean. x may be null.
template <typename T>
struct GradientTerms {
  const T* x;
  const float* mean;
  const T* y;
  T* g;
  template <int Width>
  __device__ ChannelValues<Width> channel(unsigned c) const {
    ChannelValues<Width> means{};
    if (x == nullptr) return means;
    for (int v = 0; v < Width; ++v) means.at[v] = mean[c + v];
    return means;
  }
  template <int Width>
  __device__ void add(const ChannelValues<Width>& means, std::size_t at, float (&first)[Width],
                      float (&second)[Width]) const {
    Pack<T, Width> flowing = load<Width>(g + at);
    if (y != nullptr) {
      const Pack<T, Width> output = load<Width>(y + at);
      for (int v = 0; v < Width; ++v) {
        if (!(to_float(output.at[v]) > 0.0f)) flowing.at[v] = T{};
      }
      store(g + at, flowing);
    }
    for (int v = 0; v < Width; ++v) first[v] += to_float(flowing.at[v]);
    if (x == nullptr) return;
    const Pack<T, Width> values = load<Width>(x + at);
    for (int v = 0; v < Width; ++v) {
      second[v] = fmaf(to_float(flowing.at[v]), to_float(values.at[v]) - means.at[v], second[v]);
    }
  }
};

__device__ inline void set_channel(unsigned c, const BatchNormState& state,
                                   const Channels& channels, double mean, double variance) {
  const double inverse = 1 / sqrt(variance + static_cast<double>(state.epsilon));
  const double factor = static_cast<double>(state.scale[c]) * inverse;
  channels.mean[c] = static_cast<float>(mean);
  channels.inverse_deviation[c] = static_cast<float>(inverse);
  channels.factor[c] = static_cast<float>(factor);
  channels.offset[c] = static_cast<float>(static_cast<double>(state.shift[c]) - mean * factor);
}

template <typename T>
struct FinishStatistics {
  const T* x;
  BatchNormState state;
  Channels channels;
  double count;
  __device__ void operator()(unsigned c, double first, double second) const {
    const double mean = static_cast<double>(to_float(x[c])) + first / count;
    const double rest = second - first * first / count;
    const double deviations = rest > 0 ? rest : 0;
    set_channel(c, state, channels, mean, deviations / count);
    move(state.running_mean[c], mean);
    move(state.running_variance[c], count > 1 ? deviations / (count - 1) : 0);
  }
  __device__ void move(float& running, double now) const {
    const double momentum = static_cast<double>(state.momentum);
    running = static_cast<float>((1 - momentum) * static_cast<double>(running) + momentum * now);
  }
};

// With x̂ = (x − mean) ÷ deviation: ∂loss/∂scale = Σ g·x̂, ∂loss/∂shift = Σ g, and
// ∂loss/∂x = scale ÷ deviation · (g − mean(g) − x̂·mean(g·x̂)).
struct FinishGradients {
  const float* inverse_deviation;
  NormGradients gradients;
  double count;
  __device__ void operator()(unsigned c, double sum, double product) const {
    const double inverse = static_cast<double>(inverse_deviation[c]);
    gradients.shift[c] = static_cast<float>(sum);
    gradients.scale[c] = static_cast<float>(product * inverse);
    gradients.constant[c] = static_cast<float>(sum / count);
    gradients.slope[c] = static_cast<float>(product * inverse * inverse / count);
  }
};

struct FinishBias {
  float* gradient;
  __device__ void operator()(unsigned c, double sum, double) const {
    gradient[c] = static_cast<float>(sum);
  }
};

template <typename T, typename Terms, typename Finish>
void sum_rows(const Launch& at, Rows rows, const Terms& terms, const Finish& finish,
              float* partial) {
  with_width<T>(rows.channels, [&](auto width) {
    const SumShape shape = sum_shape(rows, width);
    const Grid grid{(shape.packs + shape.lanes - 1) / shape.lanes, shape.chunks};
    launch_cooperating(at.stream, grid, chunk_sums<width, Terms>, shape, terms, partial);
    const Grid blocks{(rows.channels + kChannelsABlock - 1) / kChannelsABlock, 1};
    launch_cooperating(at.stream, blocks, finish_sums<Finish>, rows.channels, shape.chunks,
                       static_cast<const float*>(partial), finish);
  });
}

__global__ void running_statistics_kernel(unsigned count, BatchNormState state, Channels channels) {
  const unsigned c = own_index();
  if (c >= count) return;
  set_channel(c, state, channels, static_cast<double>(state.running_mean[c]),
              static_cast<double>(state.running_variance[c]));
}

template <typename T, int Width>
__global__ void normalize_kernel(unsigned packs, unsigned packs_a_row, Channels channels,
                                 const T* x, const T* addend, bool relu, T* y) {
  const unsigned i = own_index();
  if (i >= packs) return;
  const std::size_t at = std::size_t{i} * Width;
  const unsigned c = i % packs_a_row * Width;
  Pack<T, Width> values = load<Width>(x + at);
  Pack<T, Width> others{};
  if (addend != nullptr) others = load<Width>(addend + at);
  for (int v = 0; v < Width; ++v) {
    float value = fmaf(to_float(values.at[v]), channels.factor[c + v], channels.offset[c + v]);
    if (addend != nullptr) value += to_float(others.at[v]);
    store_float(values.at[v], relu && !(value > 0.0f) ? 0.0f : value);
  }
  store(y + at, values);
}

template <typename T, int Width>
__global__ void normalize_gradient_kernel(unsigned packs, unsigned packs_a_row, Channels channels,
                                          NormGradients gradients, const T* x, const T* g, T* dx,
                                          bool accumulate) {
  const unsigned i = own_index();
  if (i >= packs) return;
  const std::size_t at = std::size_t{i} * Width;
  const unsigned c = i % packs_a_row * Width;
  const Pack<T, Width> values = load<Width>(x + at), flowing = load<Width>(g + at);
  Pack<T, Width> result{};
  if (accumulate) result = load<Width>(dx + at);
  for (int v = 0; v < Width; ++v) {
    const float centred = to_float(values.at[v]) - channels.mean[c + v];
    const float share =
        fmaf(centred, -gradients.slope[c + v], to_float(flowing.at[v]) - gradients.constant[c + v]);
    store_float(result.at[v], fmaf(channels.factor[c + v], share, to_float(result.at[v])));
  }
  store(dx + at, result);
}

}  // namespace

std::size_t partial_sums(unsigned channels) { return std::size_t{2} * kMostChunks * channels; }

void batch_statistics(const Launch& at, Rows rows, const void* x, const BatchNormState& state,
                      const Channels& channels, float* partial) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    const T* from = static_cast<const T*>(x);
    sum_rows<T>(at, rows, MomentTerms<T>{from},
                FinishStatistics<T>{from, state, channels, static_cast<double>(rows.rows)},
                partial);
  });
}

void running_statistics(const Launch& at, unsigned channels, const BatchNormState& state,
                        const Channels& values) {
  launch(at.stream, grid_of(channels), running_statistics_kernel, channels, state, values);
}

void normalize(const Launch& at, Rows rows, const Channels& channels, const void* x,
               const void* addend, bool relu, void* y) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    with_width<T>(rows.channels, [&](auto width) {
      const unsigned packs = rows.size() / width;
      launch(at.stream, grid_of(packs), normalize_kernel<T, width>, packs, rows.channels / width,
             channels, static_cast<const T*>(x), static_cast<const T*>(addend), relu,
             static_cast<T*>(y));
    });
  });
}

void normalize_sums(const Launch& at, Rows rows, const Channels& channels, const void* x,
                    const void* y, void* g, const NormGradients& gradients, float* partial) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    sum_rows<T>(
        at, rows,
        GradientTerms<T>{static_cast<const T*>(x), channels.mean, static_cast<const T*>(y),
                         static_cast<T*>(g)},
        FinishGradients{channels.inverse_deviation, gradients, static_cast<double>(rows.rows)},
        partial);
  });
}

void normalize_gradient(const Launch& at, Rows rows, const Channels& channels,
                        const NormGradients& gradients, const void* x, const void* g, void* dx,
                        bool accumulate) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    with_width<T>(rows.channels, [&](auto width) {
      const unsigned packs = rows.size() / width;
      launch(at.stream, grid_of(packs), normalize_gradient_kernel<T, width>, packs,
             rows.channels / width, channels, gradients, static_cast<const T*>(x),
             static_cast<const T*>(g), static_cast<T*>(dx), accumulate);
    });
  });
}

void bias_gradient(const Launch& at, Rows rows, const void* y, void* g, float* gradient,
                   float* partial) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    sum_rows<T>(at, rows,
                GradientTerms<T>{nullptr, nullptr, static_cast<const T*>(y), static_cast<T*>(g)},
                FinishBias{gradient}, partial);
  });
}

}  // namespace spottrain::cuda
