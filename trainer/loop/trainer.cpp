#include "trainer/loop/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "trainer/checkpoint/code_revision.h"
#include "trainer/data/order.h"
#include "trainer/model/sgd.h"

namespace spottrain {
namespace {

constexpr std::string_view kVelocityPrefix = "momentum/";

}  // namespace

Trainer::Trainer(const DataSet& data, Settings settings, int threads)
    : data_(data),
      settings_(std::move(settings)),
      schedule_(settings_.schedule),
      batch_(threads),
      steps_per_epoch_((data.train.size() + settings_.batch_size - 1) / settings_.batch_size),
      weights_(batch_.network().initial_parameters(settings_.seed)),
      velocity_(weights_.size()),
      gradient_(weights_.size()) {}

Configuration Trainer::configuration() const {
  return {{"model", settings_.model},
          {"optimizer", "sgd"},
          {"seed", settings_.seed},
          {"batch_size", settings_.batch_size},
          {"learning_rate", settings_.learning_rate},
          {"momentum", settings_.momentum},
          {"weight_decay", settings_.weight_decay},
          {"schedule", settings_.schedule},
          {"data_fingerprint", data_.fingerprint}};
}

std::vector<Tensor> Trainer::tensors() const {
  std::vector<Tensor> tensors;
  for (const std::string_view prefix : {std::string_view(), kVelocityPrefix}) {
    for (const ParameterShape& parameter : batch_.network().parameters()) {
      tensors.push_back({std::string(prefix) + parameter.name, parameter.shape});
    }
  }
  return tensors;
}

void Trainer::snapshot(Checkpoint& checkpoint) const {
  checkpoint.step = step_;
  checkpoint.steps_per_epoch = steps_per_epoch_;
  checkpoint.configuration = configuration();
  checkpoint.numeric_class = numeric_class();
  checkpoint.code_revision = code_revision();
  checkpoint.epoch_sums = sums_;
  checkpoint.tensors = tensors();
  checkpoint.values.resize(weights_.size() + velocity_.size());
  const auto middle = std::copy(weights_.begin(), weights_.end(), checkpoint.values.begin());
  std::copy(velocity_.begin(), velocity_.end(), middle);
}

void Trainer::restore(const Checkpoint& checkpoint) {
  const auto differing = differences(checkpoint.configuration, configuration());
  if (!differing.empty()) {
    throw std::invalid_argument(
        fmt::format("it is of another training: {}", fmt::join(differing, "; ")));
  }
  if (checkpoint.tensors != tensors() || checkpoint.steps_per_epoch != steps_per_epoch_) {
    throw std::invalid_argument(
        fmt::format("its tensors are not those of {}, or its epochs differ", settings_.model));
  }
  const auto middle = checkpoint.values.begin() + std::ssize(weights_);
  std::copy(checkpoint.values.begin(), middle, weights_.begin());
  std::copy(middle, checkpoint.values.end(), velocity_.begin());
  step_ = checkpoint.step;
  sums_ = checkpoint.epoch_sums;
}

double Trainer::learning_rate() const {
  return schedule_.rate(settings_.learning_rate, step_ / steps_per_epoch_);
}

void Trainer::train_step() {
  const std::int64_t epoch = step_ / steps_per_epoch_;
  if (epoch != ordered_epoch_) {
    order_ = epoch_order(settings_.seed, epoch, data_.train.size());
    ordered_epoch_ = epoch;
  }
  const auto batch_size = static_cast<std::size_t>(settings_.batch_size);
  const std::size_t first = static_cast<std::size_t>(step_ % steps_per_epoch_) * batch_size;
  const auto indices =
      std::span(order_).subspan(first, std::min(batch_size, order_.size() - first));
  const Loss loss = batch_.compute(weights_, data_.train, indices, gradient_);
  sgd_step({.learning_rate = static_cast<float>(learning_rate()),
            .momentum = static_cast<float>(settings_.momentum),
            .weight_decay = static_cast<float>(settings_.weight_decay)},
           gradient_, velocity_, weights_);
  sums_.loss += loss.sum;
  sums_.correct += loss.correct;
  sums_.images += static_cast<std::int64_t>(indices.size());
  ++step_;
}

double Trainer::test_accuracy() {
  return static_cast<double>(batch_.evaluate(weights_, data_.test).correct) / data_.test.size();
}

}  // namespace spottrain
