#include "sim/guest/fiber/modelled_saver.h"

namespace sim::guest {
namespace {

constexpr std::size_t kKeep = 3;  // spottrain's --keep

}  // namespace

ModelledSaver::~ModelledSaver() {
  if (writing_) simulation_.cancel(*writing_);
}

void ModelledSaver::publish(Saved saved) {
  auto& kept = place_.checkpoints();
  if (kept.size() == kKeep) kept.erase(kept.begin());
  kept.push_back(saved.step);
  saved_ = saved;
}

void ModelledSaver::save(std::int64_t step, Fiber& trainer) {
  wait(trainer);
  const Time begin = simulation_.now();
  if (model_.save_mode == SaveMode::kSync) {
    trainer.pause_until(begin + place_.write_checkpoint(model_.checkpoint_bytes));
    return publish({step, simulation_.now() - begin});
  }
  trainer.pause_until(begin + model_.snapshot_time);
  durable_at_ = simulation_.now() + place_.write_checkpoint(model_.checkpoint_bytes);
  writing_ = simulation_.at(durable_at_, [this, step, begin] {
    writing_.reset();
    publish({step, simulation_.now() - begin});
  });
}

void ModelledSaver::wait(Fiber& trainer) {
  if (writing_) trainer.pause_until(durable_at_);
}

}  // namespace sim::guest
