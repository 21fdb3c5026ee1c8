// A checkpoint as plain data: everything that is needed to continue a training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace spottrain {

// The settings that determine every bit of a training: an ordered object of names and values, such
// as {"model": "resnet20", "seed": 1, …}. A checkpoint continues only with an equal configuration.
// The number of epochs is not part of it, so a finished training can be extended.
using Configuration = nlohmann::ordered_json;

// A text for each name that differs or that only one has, such as "batch_size 32, now 64".
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
  std::vector<std::size_t> shape;  // row-major: the last index runs fastest
  std::size_t size() const;        // number of values; 1 for an empty shape
  bool operator==(const Tensor&) const = default;
};

// A training's state. The order of the data and every random number are functions of the seed and
// the step. So seed and step are also the state of the loader and of the generator.
struct Checkpoint {
  std::int64_t step = 0;  // finished steps
  std::int64_t steps_per_epoch = 1;
  Configuration configuration = Configuration::object();
  std::string numeric_class;  // what equal bits depend on, in the program that trained
  std::string code_revision;  // code_revision() of the program that trained
  EpochSums epoch_sums;
  std::optional<double> metric;  // a measure of this state, more is better: the validation accuracy
  // The model's tensors, such as "conv1.weight". The optimizer's tensors are
  // "momentum/conv1.weight", or "adam_m/…" and "adam_v/…".
  std::vector<Tensor> tensors;
  std::vector<float> values;  // of all tensors, concatenated
  bool operator==(const Checkpoint&) const = default;
};

}  // namespace spottrain
