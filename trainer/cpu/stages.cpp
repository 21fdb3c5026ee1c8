#include "trainer/cpu/stages.h"

#include <algorithm>
#include <chrono>

namespace spottrain::cpu {

Profile::Profile(std::vector<std::string> layers, int threads)
    : layers_(std::move(layers)),
      seconds_(static_cast<std::size_t>(threads), std::vector<double>(layers_.size())) {}

void Profile::add(int layer, int thread, double seconds) {
  seconds_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(layer)] += seconds;
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

void Stages::over_images(std::function<void(int, const Pass&)> body) {
  stages_.push_back({Over::images, layer_, [](int images) { return images; }, std::move(body)});
}

void Stages::over_tasks(std::function<int(int)> count, std::function<void(int, const Pass&)> body) {
  stages_.push_back({Over::tasks, layer_, std::move(count), std::move(body)});
}

void Stages::once(std::function<void(const Pass&)> body) {
  stages_.push_back({Over::once, layer_, [](int) { return 1; },
                     [body = std::move(body)](int, const Pass& pass) { body(pass); }});
}

void Stages::run(ThreadPool& pool, const Pass& pass, Profile* profile) const {
  using Clock = std::chrono::steady_clock;
  for (auto first = stages_.begin(); first != stages_.end();) {
    auto last = first + 1;
    if (first->over == Over::images) {
      last = std::find_if(first, stages_.end(),
                          [](const Stage& stage) { return stage.over != Over::images; });
    }
    pool.run(first->count(pass.images), [&](int i, int thread) {
      for (auto stage = first; stage != last; ++stage) {
        if (!profile) {
          stage->body(i, pass);
          continue;
        }
        const auto start = Clock::now();
        stage->body(i, pass);
        const std::chrono::duration<double> took = Clock::now() - start;
        profile->add(stage->layer, thread, took.count());
      }
    });
    first = last;
  }
}

}  // namespace spottrain::cpu
