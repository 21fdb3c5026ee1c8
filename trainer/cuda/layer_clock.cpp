#include "trainer/cuda/layer_clock.h"

#include <algorithm>

namespace spottrain::cuda {

LayerClock::LayerClock(std::vector<std::string> layers) : layers_(std::move(layers)) {}

void LayerClock::mark(const Stream& stream, std::size_t layer) {
  Mark& mark = marks_.emplace_back();
  mark.layer = layer;
  mark.event.record(stream);
}

std::vector<std::pair<std::string, double>> LayerClock::take() {
  std::vector<std::pair<std::string, double>> seconds;
  for (const std::string& layer : layers_) seconds.emplace_back(layer, 0.0);
  for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
    if (marks_[i].layer >= layers_.size()) continue;
    seconds[marks_[i].layer].second += seconds_between(marks_[i].event, marks_[i + 1].event);
  }
  marks_.clear();
  std::ranges::stable_sort(seconds,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  return seconds;
}

}  // namespace spottrain::cuda
