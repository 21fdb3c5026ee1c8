#include "trainer/engine/profile.h"

#include <algorithm>

namespace spottrain {

Profile::Profile(std::vector<std::string> layers, int threads)
    : layers_(std::move(layers)),
      seconds_(static_cast<std::size_t>(threads), std::vector<double>(layers_.size())) {}

void Profile::add(std::size_t layer, int thread, double seconds) {
  seconds_[static_cast<std::size_t>(thread)][layer] += seconds;
}

std::vector<std::pair<std::string, double>> Profile::take() {
  std::vector<std::pair<std::string, double>> all;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    double total = 0;
    for (std::vector<double>& thread : seconds_) total += std::exchange(thread[layer], 0.0);
    all.emplace_back(layers_[layer], total / static_cast<double>(seconds_.size()));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return all;
}

}  // namespace spottrain
