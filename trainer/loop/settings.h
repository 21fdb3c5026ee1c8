// The settings that determine the course of a training, besides its data.
#pragma once

#include <cstdint>
#include <string>

#include "trainer/checkpoint/checkpoint.h"
#include "trainer/data/data_set.h"
#include "trainer/engine/engine.h"

namespace spottrain {

struct Settings {
  std::string model = "cnn-8-16";  // a built-in model's name, or a file (trainer/model/models.h)
  std::uint64_t seed = 1;          // of initial weights, data order, augmentation and dropout
  std::int64_t epochs = 10;
  std::int64_t batch_size = 32;
  Optimizer optimizer{.weight_decay = 5e-4};
  double learning_rate = 0.01;
  std::string schedule = "constant";
  std::string augmentation = "none";
  Cifar100Labels labels = Cifar100Labels::fine;
  int ranks = 1;  // processes that share each batch
  Precision precision = Precision::fp32;
  bool deterministic = false;  // on a GPU; a CPU always is
};

// "sgd", "nesterov", "adam", "adamw".
std::string_view optimizer_name(Optimizer::Kind kind);

// "fp32", "tf32", "bf16".
std::string_view precision_name(Precision precision);

// Throws std::invalid_argument that names the option with an invalid value.
void check(const Settings& settings);

// All settings that determine a training's bits, as a checkpoint records them. The number of epochs
// is among them only if the schedule depends on the training's length. With other schedules a
// training may be given more epochs.
Configuration configuration_of(const Settings& settings, const ModelDescription& model,
                               const DataSet& data);

}  // namespace spottrain
