#include "sim/guest/fiber/modelled_saver.h"

#include <algorithm>

namespace sim::guest {

ModelledSaver::~ModelledSaver() {
  if (writing_) simulation_.cancel(*writing_);
}

void ModelledSaver::publish(CheckpointWrite& write) {
  if (std::string why = write.place->write_error(simulation_.now()); !why.empty()) {
    failures_.push_back({write.place, write.checkpoint.step, std::move(why)});
    return;
  }
  write.checkpoint.at = simulation_.now();
  write.place->publish(write.checkpoint);
}

void ModelledSaver::save(std::vector<CheckpointWrite>& writes, Fiber& trainer) {
  wait(trainer);
  if (model_.save_mode == SaveMode::kSync) {
    for (CheckpointWrite& write : writes) {
      if (!begins(write)) continue;
      write.stall = write.place->write_checkpoint(write.checkpoint);
      trainer.pause_until(simulation_.now() + write.stall);
      publish(write);
    }
    return;
  }
  std::int64_t most = 0;
  for (const CheckpointWrite& write : writes) most = std::max(most, write.checkpoint.bytes);
  const Duration copy = copy_time(model_, most);
  trainer.pause_until(simulation_.now() + copy);
  for (CheckpointWrite& write : writes) {
    write.stall = copy;
    if (write.to == TierKind::kMemory)
      publish(write);
    else
      queue_.push_back(write);
  }
  write_next();
}

// True if the checkpoint fits into its place. Otherwise the save has failed.
bool ModelledSaver::begins(const CheckpointWrite& write) {
  if (write.place->has_room(write.checkpoint)) return true;
  failures_.push_back({write.place, write.checkpoint.step, "No space left on device"});
  return false;
}

void ModelledSaver::write_next() {
  while (!queue_.empty() && !begins(queue_.front())) queue_.pop_front();
  if (queue_.empty()) return;
  const CheckpointWrite& write = queue_.front();
  written_at_ = simulation_.now() + write.place->write_checkpoint(write.checkpoint);
  writing_ = simulation_.at(written_at_, [this] {
    writing_.reset();
    publish(queue_.front());
    queue_.pop_front();
    write_next();
  });
}

std::vector<ModelledSaver::FailedSave> ModelledSaver::take_failures(const CheckpointPlace& place) {
  std::vector<FailedSave> taken;
  std::erase_if(failures_, [&](const FailedSave& failure) {
    if (failure.place == &place) taken.push_back(failure);
    return failure.place == &place;
  });
  return taken;
}

bool ModelledSaver::writes_to(const CheckpointPlace& place) const {
  return std::any_of(queue_.begin(), queue_.end(),
                     [&](const CheckpointWrite& write) { return write.place == &place; });
}

void ModelledSaver::wait(Fiber& trainer) {
  while (writing_) trainer.pause_until(written_at_);
}

}  // namespace sim::guest
