#include "trainer/loop/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "trainer/data/order.h"
#include "trainer/model/sgd.h"

namespace spottrain {
namespace {

constexpr std::string_view kVelocityPrefix = "momentum/";

// Cuts a flat vector into named tensors.
void append_tensors(const std::vector<ParameterShape>& parameters, std::string_view prefix,
                    const std::vector<float>& values, std::vector<Tensor>& tensors) {
  auto from = values.begin();
  for (const ParameterShape& parameter : parameters) {
    const auto end = from + static_cast<std::ptrdiff_t>(parameter.size());
    tensors.push_back({std::string(prefix) + parameter.name, parameter.shape, {from, end}});
    from = end;
  }
}

}  // namespace

Trainer::Trainer(const DataSet& data, Configuration configuration, int threads)
    : data_(data),
      configuration_(std::move(configuration)),
      schedule_(configuration_.schedule),
      batch_(threads),
      steps_per_epoch_((data.train.size() + configuration_.batch_size - 1) /
                       configuration_.batch_size),
      weights_(batch_.network().initial_parameters(configuration_.seed)),
      velocity_(weights_.size()),
      gradient_(weights_.size()) {}

std::vector<Tensor> Trainer::tensors() const {
  std::vector<Tensor> tensors;
  const auto parameters = batch_.network().parameters();
  append_tensors(parameters, "", weights_, tensors);
  append_tensors(parameters, kVelocityPrefix, velocity_, tensors);
  return tensors;
}

Checkpoint Trainer::snapshot() const {
  return {.step = step_,
          .steps_per_epoch = steps_per_epoch_,
          .configuration = configuration_,
          .numeric_class = numeric_class(),
          .epoch_sums = sums_,
          .tensors = tensors()};
}

void Trainer::restore(const Checkpoint& checkpoint) {
  const auto differing = differences(checkpoint.configuration, configuration_);
  if (!differing.empty()) {
    throw std::invalid_argument(
        fmt::format("it is of another training: {}", fmt::join(differing, "; ")));
  }
  const std::vector<Tensor> own = tensors();
  const bool same_tensors = std::equal(
      own.begin(), own.end(), checkpoint.tensors.begin(), checkpoint.tensors.end(),
      [](const Tensor& a, const Tensor& b) { return a.name == b.name && a.shape == b.shape; });
  if (!same_tensors || checkpoint.steps_per_epoch != steps_per_epoch_) {
    throw std::invalid_argument(
        fmt::format("its tensors are not those of {}, or its epochs differ", configuration_.model));
  }
  auto weight = weights_.begin(), velocity = velocity_.begin();
  for (const Tensor& tensor : checkpoint.tensors) {
    auto& to = tensor.name.starts_with(kVelocityPrefix) ? velocity : weight;
    to = std::copy(tensor.values.begin(), tensor.values.end(), to);
  }
  step_ = checkpoint.step;
  sums_ = checkpoint.epoch_sums;
}

double Trainer::learning_rate() const {
  return schedule_.rate(configuration_.learning_rate, step_ / steps_per_epoch_);
}

void Trainer::train_step() {
  const std::int64_t epoch = step_ / steps_per_epoch_;
  if (epoch != ordered_epoch_) {
    order_ = epoch_order(configuration_.seed, epoch, data_.train.size());
    ordered_epoch_ = epoch;
  }
  const auto batch_size = static_cast<std::size_t>(configuration_.batch_size);
  const std::size_t first = static_cast<std::size_t>(step_ % steps_per_epoch_) * batch_size;
  const auto indices =
      std::span(order_).subspan(first, std::min(batch_size, order_.size() - first));
  const Loss loss = batch_.compute(weights_, data_.train, indices, gradient_);
  sgd_step({.learning_rate = static_cast<float>(learning_rate()),
            .momentum = static_cast<float>(configuration_.momentum),
            .weight_decay = static_cast<float>(configuration_.weight_decay)},
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
