// A pass over the network as a list of stages. Stages over images run in sequence for each image,
// so that a stage finds the previous one's output in the cache. A stage that needs all images waits
// for them.
#pragma once

#include <functional>
#include <vector>

#include "trainer/engine/host_engine.h"
#include "trainer/engine/profile.h"
#include "trainer/engine/thread_pool.h"

namespace spottrain::cpu {

// Owns the stages of one pass, in order. Nodes add their stages when the pass is planned.
class Stages {
 public:
  // Sets the layer of the stages that are added from now on.
  void of_layer(int layer) { layer_ = layer; }
  int layer() const { return layer_; }

  void over_images(std::function<void(int image, const Pass&)> body);
  void over_tasks(std::function<int(int images)> count,
                  std::function<void(int task, const Pass&)> body);
  void once(std::function<void(const Pass&)> body);

  // profile may be null.
  void run(ThreadPool& pool, const Pass& pass, Profile* profile) const;

 private:
  enum class Over { images, tasks, once };
  struct Stage {
    Over over;
    int layer;
    std::function<int(int)> count;
    std::function<void(int, const Pass&)> body;
  };
  std::vector<Stage> stages_;
  int layer_ = 0;
};

}  // namespace spottrain::cpu
