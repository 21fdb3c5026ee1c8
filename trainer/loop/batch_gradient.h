// The gradient of a batch on one or several threads, with the same bits for any number of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trainer/data/data_set.h"
#include "trainer/model/network.h"

namespace spottrain {

// The batch is cut into groups of eight images whatever the number of threads; a thread takes whole
// groups, and the groups' results are added in their order.
class BatchGradient {
 public:
  // threads >= 1; a network for each.
  explicit BatchGradient(int threads);

  const Network& network() const { return workers_.front().network; }

  // The loss on these images of a set, and its mean gradient.
  Loss compute(std::span<const float> parameters, const Images& images,
               std::span<const std::uint32_t> indices, std::span<float> gradient);
  Loss evaluate(std::span<const float> parameters, const Images& images);

 private:
  // A thread's network and the group of images that it works on.
  struct Worker {
    Network network;
    std::vector<float> input;
    std::vector<int> labels;
  };
  // Calls fn(worker, group) for each group of this many images, on all threads, with the worker
  // holding the images that index_of names.
  template <typename IndexOf, typename Fn>
  void for_each_group(const Images& images, std::size_t count, IndexOf index_of, Fn fn);
  Loss sum_of_losses() const;

  std::vector<Worker> workers_;
  std::vector<float> group_gradients_;
  std::vector<Loss> group_losses_;
};

}  // namespace spottrain
