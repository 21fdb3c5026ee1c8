#include "trainer/loop/settings.h"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "trainer/checkpoint/checksum.h"
#include "trainer/data/augmentation.h"
#include "trainer/model/model_text.h"
#include "trainer/model/schedule.h"

namespace spottrain {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

bool share(double value) { return value >= 0 && value < 1; }

}  // namespace

std::string_view optimizer_name(Optimizer::Kind kind) {
  switch (kind) {
    case Optimizer::Kind::sgd:
      return "sgd";
    case Optimizer::Kind::nesterov:
      return "nesterov";
    case Optimizer::Kind::adam:
      return "adam";
    case Optimizer::Kind::adamw:
      return "adamw";
  }
  std::abort();
}

std::string_view precision_name(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return "fp32";
    case Precision::tf32:
      return "tf32";
    case Precision::bf16:
      return "bf16";
  }
  std::abort();
}

void check(const Settings& settings) {
  const Optimizer& optimizer = settings.optimizer;
  require(settings.epochs >= 1 && settings.epochs <= 1'000'000, "--epochs: expected 1 to 1000000");
  require(settings.batch_size >= 1 && settings.batch_size <= 65'536,
          "--batch: expected 1 to 65536");
  require(settings.learning_rate > 0 && settings.learning_rate < 1e6,
          "--learning-rate: expected above 0");
  require(share(optimizer.momentum), "--momentum: expected 0 to below 1");
  require(share(optimizer.weight_decay), "--weight-decay: expected 0 to below 1");
  require(share(optimizer.beta1) && share(optimizer.beta2),
          "--beta1, --beta2: expected 0 to below 1");
  require(optimizer.epsilon > 0 && optimizer.epsilon < 1, "--epsilon: expected above 0, below 1");
  const Schedule schedule(settings.schedule);
  if (schedule.needs_length() &&
      schedule.warm_up_epochs() >= static_cast<double>(settings.epochs)) {
    throw std::invalid_argument(
        fmt::format("schedule '{}': the warm-up takes all of the {} epochs, expected fewer",
                    settings.schedule, settings.epochs));
  }
  parse_augmentation(settings.augmentation);
}

Configuration configuration_of(const Settings& settings, const ModelDescription& model,
                               const DataSet& data) {
  const Optimizer& optimizer = settings.optimizer;
  Configuration all{{"model", model.name},
                    {"model_fingerprint", xxh3_64(model_text(model))},
                    {"seed", settings.seed},
                    {"batch_size", settings.batch_size},
                    {"optimizer", optimizer_name(optimizer.kind)}};
  if (optimizer.moments() == 1) {
    all["momentum"] = optimizer.momentum;
  } else {
    all["beta1"] = optimizer.beta1;
    all["beta2"] = optimizer.beta2;
    all["epsilon"] = optimizer.epsilon;
  }
  all["weight_decay"] = optimizer.weight_decay;
  all["learning_rate"] = settings.learning_rate;
  all["schedule"] = settings.schedule;
  if (Schedule(settings.schedule).needs_length()) all["epochs"] = settings.epochs;
  all["augmentation"] = settings.augmentation;
  if (settings.ranks > 1) all["ranks"] = settings.ranks;
  if (settings.precision != Precision::fp32) all["precision"] = precision_name(settings.precision);
  if (data.format == kCifar100) {
    all["labels"] = settings.labels == Cifar100Labels::fine ? "fine" : "coarse";
  }
  all["data_fingerprint"] = data.fingerprint;
  return all;
}

}  // namespace spottrain
