#include "trainer/loop/batch_gradient.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace spottrain {
namespace {

constexpr std::size_t kGroup = 8;  // images; part of what equal bits depend on

}  // namespace

BatchGradient::BatchGradient(int threads) {
  for (int i = 0; i < threads; ++i) workers_.push_back({make_small_cnn(), {}, {}});
}

template <typename IndexOf, typename Fn>
void BatchGradient::for_each_group(const Images& images, std::size_t count, IndexOf index_of,
                                   Fn fn) {
  const std::size_t groups = (count + kGroup - 1) / kGroup;
  group_losses_.assign(groups, {});
  std::atomic<std::size_t> next{0};
  const auto work = [&](Worker& worker) {
    for (std::size_t group; (group = next.fetch_add(1)) < groups;) {
      worker.input.clear();
      worker.labels.clear();
      for (std::size_t i = group * kGroup; i < std::min(count, (group + 1) * kGroup); ++i) {
        append_normalised(images.image(index_of(i)), worker.input);
        worker.labels.push_back(images.label(index_of(i)));
      }
      group_losses_[group] = fn(worker, group);
    }
  };
  // Started for each batch: some tens of microseconds, and nothing waits or spins between steps.
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(workers_.size(), groups); ++i) {
    others.emplace_back([&work, &worker = workers_[i]] { work(worker); });
  }
  work(workers_.front());
}

Loss BatchGradient::sum_of_losses() const {
  Loss total;
  for (const Loss& loss : group_losses_) {
    total.sum += loss.sum;
    total.correct += loss.correct;
  }
  return total;
}

Loss BatchGradient::compute(std::span<const float> parameters, const Images& images,
                            std::span<const std::uint32_t> indices, std::span<float> gradient) {
  const std::size_t groups = (indices.size() + kGroup - 1) / kGroup;
  group_gradients_.resize(groups * gradient.size());
  const float scale = 1.0f / static_cast<float>(indices.size());
  for_each_group(
      images, indices.size(), [&](std::size_t i) { return indices[i]; },
      [&](Worker& worker, std::size_t group) {
        return worker.network.gradient(
            parameters, worker.input, worker.labels, scale,
            std::span(group_gradients_).subspan(group * gradient.size(), gradient.size()));
      });
  std::fill(gradient.begin(), gradient.end(), 0.0f);
  for (std::size_t group = 0; group < groups; ++group) {
    const float* part = group_gradients_.data() + group * gradient.size();
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += part[i];
  }
  return sum_of_losses();
}

Loss BatchGradient::evaluate(std::span<const float> parameters, const Images& images) {
  for_each_group(
      images, images.size(), [](std::size_t i) { return static_cast<std::uint32_t>(i); },
      [&](Worker& worker, std::size_t) {
        return worker.network.evaluate(parameters, worker.input, worker.labels);
      });
  return sum_of_losses();
}

}  // namespace spottrain
