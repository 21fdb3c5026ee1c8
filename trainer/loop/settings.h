// What a training's course depends on besides its data.
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

// Throws std::invalid_argument naming the option with a value that makes no sense.
void check(const Settings& settings);

// All that decides a training's bits, as a checkpoint records it. The number of epochs is part of
// it only under a schedule that stretches with it; a training under another one may be given more.
Configuration configuration_of(const Settings& settings, const ModelDescription& model,
                               const DataSet& data);

}  // namespace spottrain
