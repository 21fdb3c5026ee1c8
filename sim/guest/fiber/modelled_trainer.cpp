#include "sim/guest/fiber/modelled_trainer.h"

#include <fmt/format.h>

#include <array>
#include <csignal>

namespace sim::guest {
namespace {

// spottrain's exit codes (trainer/loop/train.h) and its --keep.
constexpr int kFinished = 0, kBadInput = 2, kStopped = 75, kKilled = 128 + SIGTERM;
constexpr std::size_t kKeep = 3;
// The file beside a checkpoint that says what it is.
constexpr std::int64_t kManifestBytes = 280;

std::string checkpoint_name(std::int64_t step) {
  return fmt::format("step-{:010}.safetensors", step);
}

}  // namespace

std::span<const policies::Input> supplied_inputs() {
  using enum policies::Input;
  static constexpr std::array kSupplied{
      step_time,   checkpoint_cost, persist_time,   checkpoint_bytes,
      write_speed, restart_cost,    remaining_work, since_launch,
  };
  return kSupplied;
}

ModelledTrainer::ModelledTrainer(Place place, const TrainerModel& model, Duration step_time,
                                 std::function<void()> exited)
    : place_(std::move(place)),
      model_(model),
      policies_(model.policy),
      step_time_(step_time),
      exited_(std::move(exited)) {
  fiber_.emplace(place_.simulation, [this] { run(); });
}

void ModelledTrainer::signal(int signal) {
  if (status_) return;
  if (signal == SIGTERM && !std::exchange(told_to_stop_, true)) return;
  if (signal != SIGTERM && signal != SIGKILL) return;
  fiber_.reset();
  end(signal == SIGKILL ? spotrun::ExitStatus{.signal = SIGKILL}
                        : spotrun::ExitStatus{.code = kKilled});
}

void ModelledTrainer::end(spotrun::ExitStatus status) {
  status_ = status;
  exited_();
}

void ModelledTrainer::run() { end({.code = train()}); }

int ModelledTrainer::train() {
  if (model_.data_bytes > 0 && !place_.volume.content.data) return kBadInput;
  read_volume();
  say("trainer.start",
      {{"instance_id", place_.machine},
       {"step", step_},
       {"total_steps", model_.steps},
       {"checkpoint",
        place_.volume.content.checkpoints.empty() ? Json() : Json(checkpoint_name(step_))},
       {"step_seconds", seconds(step_time_)},
       {"steps_per_epoch", model_.steps_per_epoch}});
  while (step_ < model_.steps) {
    step();
    const bool stop = told_to_stop_;
    if (const auto wanted = wanted_checkpoint(stop)) checkpoint(*wanted);
    if (!stop || step_ >= model_.steps) continue;
    say("trainer.stop", {{"instance_id", place_.machine}, {"step", step_}, {"reason", "SIGTERM"}});
    return kStopped;
  }
  if (saved_step_ != step_) checkpoint("finished");
  say("trainer.finished", {{"instance_id", place_.machine}, {"step", step_}});
  return kFinished;
}

void ModelledTrainer::read_volume() {
  VolumeModel& volume = place_.volume;
  std::int64_t bytes = 0;
  if (!std::exchange(volume.data_cached, true)) {
    bytes += model_.data_bytes;
    if (!volume.content.checkpoints.empty()) bytes += model_.checkpoint_bytes;
  }
  fiber_->pause_until(place_.simulation.now() + volume.read(bytes));
  if (!volume.content.checkpoints.empty()) step_ = volume.content.checkpoints.back();
  saved_step_ = step_;
  saved_at_ = began_ = place_.simulation.now();
}

void ModelledTrainer::step() {
  fiber_->pause_until(place_.simulation.now() + step_time_);
  ++step_;
  place_.log.append(TrainerStep{place_.simulation.now(), place_.machine, step_});
}

std::optional<std::string> ModelledTrainer::wanted_checkpoint(bool stop) {
  const Time now = place_.simulation.now();
  const auto wish =
      policies_.decide({.step = step_,
                        .steps_per_epoch = model_.steps_per_epoch,
                        .now = now.time_since_epoch(),
                        .last_checkpoint_step = saved_step_,
                        .last_checkpoint_time = saved_at_.time_since_epoch(),
                        .notice = stop,
                        .step_time = step_time_,
                        .checkpoint_cost = checkpoint_time_,
                        .persist_time = checkpoint_time_,
                        .checkpoint_bytes = static_cast<std::uint64_t>(model_.checkpoint_bytes),
                        .write_speed = static_cast<double>(place_.volume.bytes_per_second()),
                        .restart_cost = began_ - place_.launched,
                        .remaining_work = (model_.steps - step_) * step_time_,
                        .since_launch = now - place_.launched});
  if (!wish || saved_step_ == step_) return {};
  return wish->policy;
}

void ModelledTrainer::checkpoint(const std::string& reason) {
  VolumeModel& volume = place_.volume;
  const Time begin = place_.simulation.now();
  say("trainer.checkpoint-begin",
      {{"instance_id", place_.machine}, {"step", step_}, {"reason", reason}});
  fiber_->pause_until(place_.simulation.now() + volume.write_file(model_.checkpoint_bytes));
  fiber_->pause_until(place_.simulation.now() + volume.write_file(kManifestBytes));
  // Renamed, and durable with its folder: a machine that goes in between may have either.
  fiber_->pause_until(place_.simulation.now() + volume.sync_folder());
  auto& kept = volume.content.checkpoints;
  if (kept.size() == kKeep) kept.erase(kept.begin());
  kept.push_back(step_);
  say("trainer.checkpoint-durable",
      {{"instance_id", place_.machine}, {"step", step_}, {"bytes", model_.checkpoint_bytes}});
  saved_step_ = step_;
  saved_at_ = place_.simulation.now();
  checkpoint_time_ = saved_at_ - begin;
}

void ModelledTrainer::say(std::string_view kind, Json fields) {
  place_.log.append(place_.simulation.now(), kind, std::move(fields));
}

}  // namespace sim::guest
