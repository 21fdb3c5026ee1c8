// A training's state and its steps: arithmetic only, no files, no clock, no signals.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "trainer/checkpoint/checkpoint.h"
#include "trainer/data/batch_loader.h"
#include "trainer/data/data_set.h"
#include "trainer/engine/engine.h"
#include "trainer/loop/engines.h"
#include "trainer/loop/settings.h"
#include "trainer/model/schedule.h"

namespace spottrain {

// Owns the engine and the loader. The state depends only on the settings, the data, the numeric
// class and step(), so a restored trainer computes the same bits as one that never stopped.
class Trainer {
 public:
  // Begins at step 0. The data set must outlive the trainer. Throws std::invalid_argument in the
  // cases of check() and load_model(), and the exceptions of make_engine.
  Trainer(const DataSet& data, const Settings& settings, int threads,
          const EngineFactory& make_engine);

  // Continues from a checkpoint of the same configuration. Throws std::invalid_argument that names
  // the difference; then the trainer has not changed.
  void restore(const Checkpoint& checkpoint);
  // Copies the state to `checkpoint`, whose memory is reused. Its metric stays unchanged.
  void snapshot(Checkpoint& checkpoint) const;

  std::int64_t step() const { return step_; }  // finished steps
  std::int64_t steps_per_epoch() const { return batches_.steps_per_epoch(); }
  std::int64_t total_steps() const { return settings_.epochs * steps_per_epoch(); }
  // Takes a step. The last batch of an epoch has the remaining images.
  void train_step();
  double learning_rate(std::int64_t step) const;
  std::string numeric_class() const { return engine_->numeric_class(); }

  // Sums over the steps since the epoch began or start_epoch() was called.
  const EpochSums& epoch_sums() const { return sums_; }
  void start_epoch() { sums_ = {}; }
  // True if the epoch's last step is done and start_epoch() has not been called since.
  bool epoch_ended() const { return step_ % steps_per_epoch() == 0 && sums_.images > 0; }
  // The share of these images that are classified correctly. Empty if there are no images, or if
  // go_on(), which is called before each batch, returns false.
  std::optional<double> accuracy(
      const Images& images, const std::function<bool()>& go_on = [] { return true; });

  const ModelDescription& model() const { return model_; }

 private:
  const DataSet& data_;
  Settings settings_;
  ModelDescription model_;
  Configuration configuration_;
  std::vector<Tensor> tensors_;  // in the order of checkpoints
  Schedule schedule_;
  Normalisation normalisation_;
  BatchLoader batches_;
  LoadedBatch next_;  // batch of next_step_, loaded during the previous step
  std::int64_t next_step_ = -1;
  std::unique_ptr<Engine> engine_;
  std::int64_t step_ = 0;
  EpochSums sums_;
};

}  // namespace spottrain
