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

class Trainer {
 public:
  // At step 0. The data set outlives the trainer. Throws std::invalid_argument where check() or
  // load_model() does, and what make_engine does.
  Trainer(const DataSet& data, const Settings& settings, int threads,
          const EngineFactory& make_engine);

  // Continues from a checkpoint of the same configuration. Throws std::invalid_argument saying what
  // differs or does not fit, and then nothing has changed.
  void restore(const Checkpoint& checkpoint);
  // Into `checkpoint`, whose memory is used again. Its metric is left as it is.
  void snapshot(Checkpoint& checkpoint) const;

  std::int64_t step() const { return step_; }  // finished steps
  std::int64_t steps_per_epoch() const { return batches_.steps_per_epoch(); }
  std::int64_t total_steps() const { return settings_.epochs * steps_per_epoch(); }
  // The last batch of an epoch holds what is left of it.
  void train_step();
  double learning_rate(std::int64_t step) const;
  std::string numeric_class() const { return engine_->numeric_class(); }

  // Over the steps since the epoch began or start_epoch was called.
  const EpochSums& epoch_sums() const { return sums_; }
  void start_epoch() { sums_ = {}; }
  // The epoch's last step is done, and start_epoch() has not been called since.
  bool epoch_ended() const { return step_ % steps_per_epoch() == 0 && sums_.images > 0; }
  // The share of these images that are classified rightly; empty when there are none, and once
  // go_on(), which is asked before each batch, says no.
  std::optional<double> accuracy(
      const Images& images, const std::function<bool()>& go_on = [] { return true; });

  const ModelDescription& model() const { return model_; }

 private:
  const DataSet& data_;
  Settings settings_;
  ModelDescription model_;
  Configuration configuration_;
  std::vector<Tensor> tensors_;  // as a checkpoint lists them
  Schedule schedule_;
  Normalisation normalisation_;
  BatchLoader batches_;
  LoadedBatch next_;  // of next_step_: made while the step before was computed
  std::int64_t next_step_ = -1;
  std::unique_ptr<Engine> engine_;
  std::int64_t step_ = 0;
  EpochSums sums_;
};

}  // namespace spottrain
