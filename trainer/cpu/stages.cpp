#include "trainer/cpu/stages.h"

#include <algorithm>

namespace spottrain::cpu {

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
  for (auto first = stages_.begin(); first != stages_.end();) {
    auto last = first + 1;
    if (first->over == Over::images) {
      last = std::find_if(first, stages_.end(),
                          [](const Stage& stage) { return stage.over != Over::images; });
    }
    pool.run(first->count(pass.images), [&](int i, int thread) {
      for (auto stage = first; stage != last; ++stage) {
        timed(profile, static_cast<std::size_t>(stage->layer), thread,
              [&] { stage->body(i, pass); });
      }
    });
    first = last;
  }
}

}  // namespace spottrain::cpu
