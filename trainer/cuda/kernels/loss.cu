// Softmax and cross-entropy: one warp an image, then one block for the sum over images.
#include "trainer/cuda/kernels/kernel_language.h"
#include "trainer/cuda/kernels/kernels.h"

namespace spottrain::cuda {
namespace {

constexpr unsigned kWarp = 32, kAll = 0xffffffffu;

template <typename T>
__global__ void softmax_loss_kernel(unsigned images, unsigned classes, const T* logits,
                                    const int* labels, ImageLoss* losses, T* gradient,
                                    unsigned of) {
  const unsigned image = own_index() / kWarp;
  const unsigned lane = threadIdx.x % kWarp;
  if (image >= images) return;  // a whole warp
  const T* own = logits + std::size_t{image} * classes;
  const auto label = static_cast<unsigned>(labels[image]);

  // The largest, and the first class that has it.
  double best = -INFINITY;
  int winner = static_cast<int>(classes);
  for (unsigned c = lane; c < classes; c += kWarp) {
    const double value = static_cast<double>(to_float(own[c]));
    if (!(value > best)) continue;
    best = value;
    winner = static_cast<int>(c);
  }
  for (unsigned bits = kWarp / 2; bits > 0; bits /= 2) {
    const double other = __shfl_xor_sync(kAll, best, bits);
    const int other_winner = __shfl_xor_sync(kAll, winner, bits);
    if (other > best || (other == best && other_winner < winner)) {
      best = other;
      winner = other_winner;
    }
  }

  double sum = 0;
  for (unsigned c = lane; c < classes; c += kWarp) {
    sum += exp(static_cast<double>(to_float(own[c])) - best);
  }
  for (unsigned bits = kWarp / 2; bits > 0; bits /= 2) sum += __shfl_xor_sync(kAll, sum, bits);

  if (lane == 0) {
    losses[image].loss = log(sum) - (static_cast<double>(to_float(own[label])) - best);
    losses[image].correct = winner == static_cast<int>(label) ? 1 : 0;
  }
  if (gradient == nullptr) return;
  for (unsigned c = lane; c < classes; c += kWarp) {
    const double softmax = exp(static_cast<double>(to_float(own[c])) - best) / sum;
    store_float(gradient[std::size_t{image} * classes + c],
                static_cast<float>((softmax - (c == label ? 1.0 : 0.0)) / of));
  }
}

__global__ void sum_losses_kernel(unsigned images, const ImageLoss* losses, LossSums* sums) {
  __shared__ double loss[kThreads];
  __shared__ int correct[kThreads];
  loss[threadIdx.x] = 0;
  correct[threadIdx.x] = 0;
  for (unsigned image = threadIdx.x; image < images; image += kThreads) {
    loss[threadIdx.x] += losses[image].loss;
    correct[threadIdx.x] += losses[image].correct;
  }
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    loss[threadIdx.x] += loss[threadIdx.x + half];
    correct[threadIdx.x] += correct[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *sums = {loss[0], correct[0]};
}

}  // namespace

void softmax_loss(const Launch& at, unsigned images, unsigned classes, const void* logits,
                  const int* labels, ImageLoss* losses, const LogitsGradient& gradient) {
  with_element(at.element, [&](auto element) {
    using T = decltype(element);
    launch_cooperating(at.stream, grid_of(images * kWarp), softmax_loss_kernel<T>, images, classes,
                       static_cast<const T*>(logits), labels, losses,
                       static_cast<T*>(gradient.data), gradient.of);
  });
}

void sum_losses(const Launch& at, unsigned images, const ImageLoss* losses, LossSums* sums) {
  launch_cooperating(at.stream, Grid{1, 1}, sum_losses_kernel, images, losses, sums);
}

}  // namespace spottrain::cuda
