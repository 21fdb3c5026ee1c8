#include "trainer/loop/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "trainer/checkpoint/code_revision.h"
#include "trainer/model/models.h"

namespace spottrain {
namespace {

const Settings& checked(const Settings& settings) {
  check(settings);
  return settings;
}

// All tensors of the model, then for each moment the tensors that are trained.
std::vector<Tensor> checkpoint_tensors(const ModelDescription& model, const Optimizer& optimizer) {
  constexpr std::array<std::string_view, 1> velocity{"momentum/"};
  constexpr std::array<std::string_view, 2> adam{"adam_m/", "adam_v/"};
  std::vector<Tensor> tensors;
  const auto infos = tensors_of(model);
  for (const TensorInfo& info : infos) tensors.push_back({info.name, info.shape});
  const auto moments = optimizer.moments() == 1 ? std::span<const std::string_view>(velocity)
                                                : std::span<const std::string_view>(adam);
  for (const std::string_view prefix : moments) {
    for (const TensorInfo& info : infos) {
      if (info.role == TensorRole::running) continue;
      tensors.push_back({std::string(prefix) + info.name, info.shape});
    }
  }
  return tensors;
}

}  // namespace

Trainer::Trainer(const DataSet& data, const Settings& settings, int threads,
                 const EngineFactory& make_engine)
    : data_(data),
      settings_(checked(settings)),
      model_(load_model(settings.model, data.shape(), data.classes)),
      configuration_(configuration_of(settings, model_, data)),
      tensors_(checkpoint_tensors(model_, settings.optimizer)),
      schedule_(settings.schedule),
      normalisation_(normalisation_of(data.train)),
      batches_(data.train, normalisation_, parse_augmentation(settings.augmentation), settings.seed,
               settings.batch_size),
      engine_(make_engine(model_, {.optimizer = settings.optimizer,
                                   .batch_size = static_cast<int>(settings.batch_size),
                                   .threads = threads,
                                   .seed = settings.seed,
                                   .precision = settings.precision,
                                   .deterministic = settings.deterministic})) {
  engine_->set_state(initial_state(model_, settings.seed));
}

void Trainer::snapshot(Checkpoint& checkpoint) const {
  checkpoint.step = step_;
  checkpoint.steps_per_epoch = steps_per_epoch();
  checkpoint.configuration = configuration_;
  checkpoint.numeric_class = numeric_class();
  checkpoint.code_revision = code_revision();
  checkpoint.epoch_sums = sums_;
  checkpoint.tensors = tensors_;
  std::size_t values = 0;
  for (const Tensor& tensor : tensors_) values += tensor.size();
  checkpoint.values.resize(values);
  engine_->snapshot(checkpoint.values);
}

void Trainer::restore(const Checkpoint& checkpoint) {
  const auto differing = differences(checkpoint.configuration, configuration_);
  if (!differing.empty()) {
    throw std::invalid_argument(
        fmt::format("it is of another training: {}", fmt::join(differing, "; ")));
  }
  if (checkpoint.tensors != tensors_ || checkpoint.steps_per_epoch != steps_per_epoch()) {
    throw std::invalid_argument(
        fmt::format("its tensors are not those of {}, or its epochs differ", model_.name));
  }
  std::span<const float> values = checkpoint.values;
  const auto take = [&values](std::size_t count) {
    const auto taken = values.first(count);
    values = values.subspan(count);
    return taken;
  };
  const auto moments = static_cast<std::size_t>(settings_.optimizer.moments());
  const std::size_t trained = engine_->moment(0).size();
  engine_->set_state(take(values.size() - moments * trained));
  for (int which = 0; which < settings_.optimizer.moments(); ++which) {
    engine_->set_moment(which, take(trained));
  }
  step_ = checkpoint.step;
  sums_ = checkpoint.epoch_sums;
}

double Trainer::learning_rate(std::int64_t step) const {
  return schedule_.rate(
      settings_.learning_rate,
      {.step = step, .steps_per_epoch = steps_per_epoch(), .total_steps = total_steps()});
}

void Trainer::train_step() {
  if (next_step_ != step_) next_ = batches_.load(step_);
  const std::size_t images = next_.labels.size();
  engine_->submit({.images = next_.images, .labels = next_.labels},
                  {.index = step_, .learning_rate = learning_rate(step_)});
  next_step_ = step_ + 1;
  next_ = batches_.load(next_step_);
  const Loss loss = engine_->finish();
  sums_.loss += loss.sum;
  sums_.correct += loss.correct;
  sums_.images += static_cast<std::int64_t>(images);
  ++step_;
}

std::optional<double> Trainer::accuracy(const Images& images, const std::function<bool()>& go_on) {
  if (images.size() == 0) return {};
  const auto most = static_cast<std::uint32_t>(settings_.batch_size);
  BatchLoader loader(images, normalisation_, {}, settings_.seed, settings_.batch_size);
  std::int64_t correct = 0;
  for (std::uint32_t first = 0; first < images.size(); first += most) {
    if (!go_on()) return {};
    const LoadedBatch batch = loader.load_plain(first, std::min(most, images.size() - first));
    correct += engine_->evaluate({.images = batch.images, .labels = batch.labels}).correct;
  }
  return static_cast<double>(correct) / images.size();
}

}  // namespace spottrain
