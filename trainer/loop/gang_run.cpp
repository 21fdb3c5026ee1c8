#include "trainer/loop/gang_run.h"

#include <array>
#include <stdexcept>

#include "trainer/checkpoint/checksum.h"

namespace spottrain {

void share_state(Trainer& trainer, Communicator& gang) {
  Checkpoint checkpoint;
  trainer.snapshot(checkpoint);
  const std::string own = xxh3_64(checkpoint.configuration.dump());
  std::string first = own;
  gang.broadcast(std::as_writable_bytes(std::span(first)));
  if (first != own) {
    throw std::invalid_argument("rank " + std::to_string(gang.rank()) +
                                ": its options, model or data differ from rank 0's");
  }
  gang.broadcast(std::as_writable_bytes(std::span(&checkpoint.step, 1)));
  gang.broadcast(std::as_writable_bytes(std::span(checkpoint.values)));
  if (gang.rank() != 0) trainer.restore(checkpoint);
}

bool any_wants_to_stop(Communicator& gang, bool this_one) {
  std::array<float, 1> votes{this_one ? 1.0f : 0.0f};
  gang.sum(std::span<float>(votes));
  return votes[0] > 0;
}

ExitCode follow(const TrainRequest& request, Communicator& gang) {
  const DataSet data = read_data(request);
  Trainer trainer(data, request.settings, request.threads, engine_factory(request.device, &gang));
  share_state(trainer, gang);
  const InterruptionWatch watch(request.interruptions);
  const std::int64_t first = trainer.step();
  while (trainer.step() < trainer.total_steps()) {
    trainer.train_step();
    if (trainer.step() % trainer.steps_per_epoch() == 0) {
      trainer.accuracy(data.validation);
      trainer.accuracy(data.test);
      trainer.start_epoch();
    }
    const bool stop = watch.notice() || request.max_steps == trainer.step() - first;
    if (any_wants_to_stop(gang, stop) && trainer.step() < trainer.total_steps()) {
      return ExitCode::stopped;
    }
  }
  return ExitCode::finished;
}

}  // namespace spottrain
