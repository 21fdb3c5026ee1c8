// A training's state and its steps: arithmetic only, no files, no clock, no signals.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trainer/checkpoint/checkpoint.h"
#include "trainer/data/data_set.h"
#include "trainer/loop/batch_gradient.h"
#include "trainer/model/schedule.h"

namespace spottrain {

// What a training's course depends on besides its data.
struct Settings {
  std::string model;
  std::uint64_t seed = 1;
  std::int64_t batch_size = 32;
  double learning_rate = 0, momentum = 0, weight_decay = 0;
  std::string schedule;  // as on the command line
};

class Trainer {
 public:
  // At step 0. The data set outlives the trainer. Throws std::invalid_argument when the schedule
  // cannot be read.
  Trainer(const DataSet& data, Settings settings, int threads);

  // Continues from a checkpoint of the same configuration. Throws std::invalid_argument saying what
  // differs or does not fit, and then nothing has changed.
  void restore(const Checkpoint& checkpoint);
  // Into `checkpoint`, whose memory is used again. Its metric is left as it is.
  void snapshot(Checkpoint& checkpoint) const;

  std::int64_t step() const { return step_; }  // finished steps
  std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  // The last batch of an epoch holds what is left of it.
  void train_step();
  double learning_rate() const;  // of the next step

  // Over the steps since the epoch began or start_epoch was called.
  const EpochSums& epoch_sums() const { return sums_; }
  void start_epoch() { sums_ = {}; }
  // The share of test images that are classified rightly.
  double test_accuracy();

 private:
  Configuration configuration() const;
  std::vector<Tensor> tensors() const;

  const DataSet& data_;
  Settings settings_;
  Schedule schedule_;
  BatchGradient batch_;
  std::int64_t steps_per_epoch_;
  std::int64_t step_ = 0;
  EpochSums sums_;
  std::vector<float> weights_, velocity_, gradient_;
  std::int64_t ordered_epoch_ = -1;  // the epoch that order_ is of
  std::vector<std::uint32_t> order_;
};

}  // namespace spottrain
