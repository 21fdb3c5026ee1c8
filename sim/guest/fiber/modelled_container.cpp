#include "sim/guest/fiber/modelled_container.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/time/duration.h"
#include "sim/kernel/check.h"

namespace sim::guest {
namespace {

std::string variable(const cloud::Container& container, const char* name, const char* otherwise) {
  const auto found = container.environment.find(name);
  return found == container.environment.end() ? otherwise : found->second;
}

std::string checkpoint_folder(const cloud::Container& container) {
  return variable(container, "SM_CHECKPOINT_DIR", "/opt/ml/checkpoints");
}

// The name below the mounted folder: "checkpoints".
std::string name_in(const cloud::Container& container, const std::string& path) {
  return std::filesystem::path(path).lexically_relative(container.mounted_at).string();
}

// The hyperparameter emulate-step-time or the environment variable, as spottrain reads them.
Duration step_time_of(const cloud::Container& container, const TrainerModel& model) {
  std::string text = variable(container, "EMULATE_STEP_TIME", "");
  const auto file = container.folder.model->find("input/config/hyperparameters.json");
  if (file != container.folder.model->end()) {
    const auto given = nlohmann::json::parse(file->second.text, nullptr, false);
    for (const char* name : {"emulate_step_time", "emulate-step-time"})
      if (given.is_object() && given.contains(name)) text = given[name].get<std::string>();
  }
  if (text.empty() && model.step_time) return *model.step_time;
  if (const auto time = base::parse_positive_duration(text)) return *time;
  throw std::runtime_error(fmt::format(
      "the training job's HyperParameters: emulate-step-time: found {}, expected a duration such "
      "as 2s, which a modelled trainer needs",
      text.empty() ? "none" : '"' + text + '"'));
}

// The time of the first crash among the processes on all hosts of the job.
std::optional<Duration> crash_of(const TrainerModel& trainer, const Streams& streams,
                                 const std::string& machine, std::size_t hosts) {
  if (!trainer.crash_every) return {};
  const Duration mean =
      *trainer.crash_every / std::max<std::int64_t>(static_cast<std::int64_t>(hosts), 1);
  return streams.stream("trainer-crash", machine + "/1").exponential(mean);
}

}  // namespace

ModelledContainer::ModelledContainer(Surroundings world, const cloud::Instance& instance,
                                     const cloud::Container& container,
                                     std::function<void(int status)> exited)
    : simulation_(world.simulation),
      folder_(container.folder.model),
      exited_(std::move(exited)),
      model_(world.trainer),
      checkpoints_(world.simulation, *folder_, name_in(container, checkpoint_folder(container))),
      memory_(world.trainer) {
  const Duration step_time = step_time_of(container, world.trainer);
  trainer_.emplace(
      ModelledTrainer::Setup{.simulation = world.simulation,
                             .log = world.log,
                             .machine = instance.id.value,
                             .launched = instance.launched_at,
                             .volume = nullptr,
                             .folder = checkpoint_folder(container),
                             .checkpoints = places(world.places),
                             .spot = {},
                             .crashes_after = crash_of(world.trainer, world.streams,
                                                       instance.id.value, container.hosts.size())},
      world.trainer, step_time,
      ModelledTrainer::Hooks{.exited = [this] { trainer_ended(); }, .saved = [] {}});
}

ModelledContainer::~ModelledContainer() {
  if (told_) simulation_.cancel(*told_);
}

std::vector<CheckpointPlace*> ModelledContainer::places(JobPlaces& shared) {
  std::vector<CheckpointPlace*> all;
  for (const CheckpointTier& tier : model_.tiers) {
    switch (tier.to) {
      case TierKind::kMemory:
        all.push_back(&memory_);
        break;
      case TierKind::kVolume:
        all.push_back(&checkpoints_);
        break;
      case TierKind::kObjectStore:
        all.push_back(&*shared.object_store);
        break;
      case TierKind::kSnapshot:
        throw std::runtime_error(
            "trainer.checkpoint: found the place snapshot, expected memory, volume or "
            "object-store: a training job's container has no EBS volume of the account");
    }
  }
  return all;
}

// The trainer may be in the middle of its last step.
void ModelledContainer::trainer_ended() {
  told_ = simulation_.after({}, [this] {
    told_.reset();
    const spotrun::ExitStatus status = *trainer_->status();
    if (status.code == 0 && status.signal == 0)
      (*folder_)["model/model.safetensors"] = {
          .size = static_cast<std::uint64_t>(model_.checkpoint_bytes),
          .text = {},
          .written = simulation_.now()};
    exited_(status.signal != 0 ? 128 + status.signal : status.code);
  });
}

void ModelledContainer::inflict(const GuestFault& fault) {
  switch (fault.what) {
    case GuestFault::What::kCrash:
    case GuestFault::What::kOutOfMemory:
      return trainer_->signal(SIGKILL);
    case GuestFault::What::kBadMemory:
      return trainer_->lose_numbers();
    case GuestFault::What::kHang:
      return trainer_->hang();
    default:
      return;
  }
}

}  // namespace sim::guest
