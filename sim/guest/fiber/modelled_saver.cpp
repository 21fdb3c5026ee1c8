#include "sim/guest/fiber/modelled_saver.h"

namespace sim::guest {
namespace {

constexpr std::size_t kKeep = 3;  // spottrain's --keep
// The file beside a checkpoint that says what it is.
constexpr std::int64_t kManifestBytes = 280;

}  // namespace

ModelledSaver::~ModelledSaver() {
  if (writing_) simulation_.cancel(*writing_);
}

// Renamed, and durable with its folder: a machine that goes in between may have either.
Duration ModelledSaver::write() {
  return volume_.write_file(model_.checkpoint_bytes) + volume_.write_file(kManifestBytes) +
         volume_.sync_folder();
}

void ModelledSaver::publish(Saved saved) {
  auto& kept = volume_.content.checkpoints;
  if (kept.size() == kKeep) kept.erase(kept.begin());
  kept.push_back(saved.step);
  saved_ = saved;
}

void ModelledSaver::save(std::int64_t step, Fiber& trainer) {
  wait(trainer);
  const Time begin = simulation_.now();
  if (model_.save_mode == SaveMode::kSync) {
    trainer.pause_until(begin + write());
    return publish({step, simulation_.now() - begin});
  }
  trainer.pause_until(begin + model_.snapshot_time);
  durable_at_ = simulation_.now() + write();
  writing_ = simulation_.at(durable_at_, [this, step, begin] {
    writing_.reset();
    publish({step, simulation_.now() - begin});
  });
}

void ModelledSaver::wait(Fiber& trainer) {
  if (writing_) trainer.pause_until(durable_at_);
}

}  // namespace sim::guest
