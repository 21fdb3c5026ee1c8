#include "trainer/checkpoint/checkpoint.h"

#include <fmt/format.h>

namespace spottrain {

std::vector<std::string> differences(const Configuration& saved, const Configuration& now) {
  std::vector<std::string> texts;
  const auto compare = [&](std::string_view what, const auto& before, const auto& after) {
    if (before != after) texts.push_back(fmt::format("{} {}, now {}", what, before, after));
  };
  compare("model", saved.model, now.model);
  compare("seed", saved.seed, now.seed);
  compare("batch size", saved.batch_size, now.batch_size);
  compare("learning rate", saved.learning_rate, now.learning_rate);
  compare("momentum", saved.momentum, now.momentum);
  compare("weight decay", saved.weight_decay, now.weight_decay);
  compare("schedule", saved.schedule, now.schedule);
  compare("data set", saved.data_fingerprint, now.data_fingerprint);
  return texts;
}

}  // namespace spottrain
