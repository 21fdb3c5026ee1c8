#include "sim/guest/fiber/modelled_trainer.h"

#include <fmt/format.h>

#include <csignal>

namespace sim::guest {
namespace {

// spottrain's exit codes (trainer/loop/train.h).
constexpr int kFinished = 0, kBadInput = 2, kStopped = 75, kKilled = 128 + SIGTERM;
constexpr Duration kOneRequest = 1s;  // (trainer/loop/stop.h)

std::string checkpoint_name(std::int64_t step) {
  return fmt::format("step-{:010}.safetensors", step);
}

}  // namespace

ModelledTrainer::ModelledTrainer(Place place, const TrainerModel& model, Duration step_time,
                                 std::function<void()> exited)
    : place_(std::move(place)),
      model_(model),
      policies_(model.policy),
      step_time_(step_time),
      exited_(std::move(exited)) {
  saver_.emplace(place_.simulation, model_, place_.checkpoints);
  fiber_.emplace(place_.simulation, [this] { run(); });
}

void ModelledTrainer::signal(int signal) {
  if (status_) return;
  if (signal != SIGTERM && signal != SIGKILL) return;
  const Time now = place_.simulation.now();
  if (!told_to_stop_at_) told_to_stop_at_ = now;
  if (signal == SIGTERM && now - *told_to_stop_at_ < kOneRequest) return;
  fiber_.reset();
  end(signal == SIGKILL ? spotrun::ExitStatus{.signal = SIGKILL}
                        : spotrun::ExitStatus{.code = kKilled});
}

void ModelledTrainer::end(spotrun::ExitStatus status) {
  saver_.reset();
  status_ = status;
  exited_();
}

void ModelledTrainer::run() { end({.code = train()}); }

int ModelledTrainer::train() {
  if (model_.data_bytes > 0 && !place_.volume.content.data) return kBadInput;
  restore();
  say("trainer.start",
      {{"instance_id", place_.machine},
       {"step", step_},
       {"total_steps", model_.steps},
       {"checkpoint",
        place_.checkpoints.checkpoints().empty() ? Json() : Json(checkpoint_name(step_))},
       {"step_seconds", seconds(step_time_)},
       {"steps_per_epoch", model_.steps_per_epoch}});
  while (step_ < model_.steps) {
    step();
    tell_saves();
    const bool told = told_to_stop_at_.has_value();
    const auto wanted = wanted_checkpoint(told);
    if (wanted) checkpoint(*wanted);
    if (step_ >= model_.steps) break;
    if (told) return stop();
    if (wanted && durable_.step != asked_for_.step)
      say("trainer.checkpoint-snapshot", {{"instance_id", place_.machine}, {"step", step_}});
  }
  return finish();
}

int ModelledTrainer::stop() {
  await_saves();
  say("trainer.stop", {{"instance_id", place_.machine}, {"step", step_}, {"reason", "SIGTERM"}});
  return kStopped;
}

int ModelledTrainer::finish() {
  await_saves();
  if (durable_.step != step_) checkpoint("finished");
  await_saves();
  say("trainer.finished", {{"instance_id", place_.machine}, {"step", step_}});
  return kFinished;
}

void ModelledTrainer::restore() {
  VolumeModel& volume = place_.volume;
  const auto& checkpoints = place_.checkpoints.checkpoints();
  Duration time{};
  if (!std::exchange(volume.data_cached, true)) time += volume.read(model_.data_bytes);
  if (!checkpoints.empty()) {
    time += place_.checkpoints.read_checkpoint(model_.checkpoint_bytes);
    step_ = checkpoints.back();
  }
  fiber_->pause_until(place_.simulation.now() + time);
  began_ = place_.simulation.now();
  durable_ = asked_for_ = {step_, began_};
}

void ModelledTrainer::step() {
  fiber_->pause_until(place_.simulation.now() + step_time_);
  ++step_;
  place_.log.append(TrainerStep{place_.simulation.now(), place_.machine, step_});
}

std::optional<std::string> ModelledTrainer::wanted_checkpoint(bool stop) {
  const Time now = place_.simulation.now();
  policies::CheckpointState state{.step = step_,
                                  .steps_per_epoch = model_.steps_per_epoch,
                                  .now = now.time_since_epoch(),
                                  .last_checkpoint_step = asked_for_.step,
                                  .last_checkpoint_time = asked_for_.at.time_since_epoch(),
                                  .persisting = durable_.step != asked_for_.step,
                                  .notice = stop,
                                  .step_time = step_time_,
                                  .restart_cost = began_ - place_.launched,
                                  .remaining_work = (model_.steps - step_) * step_time_,
                                  .since_launch = now - place_.launched};
  if (measured_) {
    state.checkpoint_cost = measured_->stall;
    state.persist_time = measured_->persist;
    state.checkpoint_bytes = static_cast<std::uint64_t>(model_.checkpoint_bytes);
    state.write_speed = static_cast<double>(model_.checkpoint_bytes) / seconds(measured_->persist);
  }
  place_.spot.look(now, state);
  const auto wish = policies_.decide(state);
  if (!wish || asked_for_.step == step_) return {};
  return wish->policy;
}

void ModelledTrainer::checkpoint(const std::string& reason) {
  say("trainer.checkpoint-begin",
      {{"instance_id", place_.machine}, {"step", step_}, {"reason", reason}});
  await_saves();
  const Time begin = place_.simulation.now();
  saver_->save(step_, *fiber_);
  asked_for_ = {step_, place_.simulation.now()};
  stall_ = asked_for_.at - begin;
  tell_saves();
}

void ModelledTrainer::await_saves() {
  saver_->wait(*fiber_);
  tell_saves();
}

void ModelledTrainer::tell_saves() {
  const auto saved = saver_->take_saved();
  if (!saved) return;
  say("trainer.checkpoint-durable",
      {{"instance_id", place_.machine}, {"step", saved->step}, {"bytes", model_.checkpoint_bytes}});
  measured_ = {stall_, saved->took};
  durable_ = asked_for_;
}

void ModelledTrainer::say(std::string_view kind, Json fields) {
  place_.log.append(place_.simulation.now(), kind, std::move(fields));
}

}  // namespace sim::guest
