#include "sim/serve/served_host.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sim::serve {
namespace {

// Ten minutes of training, for jobs whose duration neither the scenario nor the job states.
constexpr Duration kStep = std::chrono::seconds{1};
constexpr std::int64_t kSteps = 600, kStepsPerEpoch = 60, kCheckpointBytes = 100'000'000;

}  // namespace

ServedHost::ServedHost(Simulation& simulation, EventLog& log, const Streams& streams,
                       const scenario::Scenario& scenario, guest::TrainerModel trainer)
    : simulation_(simulation),
      log_(log),
      streams_(streams),
      scenario_(scenario),
      trainer_(std::move(trainer)) {}

void ServedHost::connect(cloud::Cloud& cloud) {
  places_.emplace(trainer_, cloud, cloud::kNoLatencies.api);
  containers_.emplace(
      guest::ModelledContainer::Surroundings{simulation_, log_, streams_, trainer_, *places_},
      guest::FiberContainers::Options{
          .has_image = [this](const std::string& image) { return has_image(image); },
          .os_grace = scenario_.cloud.durations.os_grace,
          .give_up = [](const std::string& what) { throw std::runtime_error(what); }});
}

// True if the image exists. If the scenario names no container image, every image exists.
bool ServedHost::has_image(const std::string& image) const {
  const auto& images = scenario_.guest.images;
  const auto is_container = [](const auto& entry) { return !entry.first.starts_with("ami-"); };
  return images.contains(image) || std::ranges::none_of(images, is_container);
}

void ServedHost::shut_down(const cloud::Instance& instance, cloud::Shutdown how,
                           std::function<void()> gone) {
  if (!containers_->shut_down(instance.id, how, gone))
    simulation_.after(Duration{}, std::move(gone));
}

cloud::ContainerFolder ServedHost::container_folder(const cloud::InstanceId& instance) {
  return containers_->folder(instance);
}

bool ServedHost::run_container(const cloud::Instance& instance, const cloud::Container& container,
                               cloud::ContainerHooks hooks) {
  return containers_->run(instance, container, std::move(hooks));
}

void ServedHost::stop_container(const cloud::InstanceId& instance, Duration grace) {
  containers_->stop(instance, grace);
}

guest::TrainerModel served_trainer(const scenario::Scenario& scenario) {
  guest::TrainerModel trainer = scenario.trainer.value_or(guest::TrainerModel{
      .steps = kSteps, .steps_per_epoch = kStepsPerEpoch, .checkpoint_bytes = kCheckpointBytes});
  if (!trainer.step_time) trainer.step_time = kStep;
  return trainer;
}

}  // namespace sim::serve
