// A checkpoint's content as plain data: all that continuing a training takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace spottrain {

// What decides every bit of a training's course. A checkpoint continues only under the same one;
// the number of epochs is not in it, so a finished training may be continued for more.
struct Configuration {
  std::string model;
  std::uint64_t seed = 1;
  std::int64_t batch_size = 32;
  double learning_rate = 0, momentum = 0, weight_decay = 0;
  std::string schedule;          // as on the command line
  std::string data_fingerprint;  // of the data set
  bool operator==(const Configuration&) const = default;
};

// One text for each field that differs, such as "batch size 32, now 64".
std::vector<std::string> differences(const Configuration& saved, const Configuration& now);

// Sums over the steps of the epoch in progress, so that its row of the log is the same after a
// resume.
struct EpochSums {
  double loss = 0;
  std::int64_t correct = 0, images = 0;
  bool operator==(const EpochSums&) const = default;
};

struct Tensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<float> values;
  bool operator==(const Tensor&) const = default;
};

// The order of the data and every random number are functions of the seed and the step; so these
// two are the loader's and the generator's state.
struct Checkpoint {
  std::int64_t step = 0;  // finished steps
  std::int64_t steps_per_epoch = 1;
  Configuration configuration;
  std::string numeric_class;  // numeric_class() of the program that trained
  EpochSums epoch_sums;
  std::vector<Tensor> tensors;  // weights, and as "momentum/NAME" the optimizer's velocities
  bool operator==(const Checkpoint&) const = default;
};

}  // namespace spottrain
