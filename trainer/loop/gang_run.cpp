#include "trainer/loop/gang_run.h"

#include <span>
#include <stdexcept>
#include <string>

#include "trainer/checkpoint/checksum.h"
#include "trainer/loop/interruption_signals.h"

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
  gang.broadcast(std::as_writable_bytes(std::span(&checkpoint.epoch_sums, 1)));
  gang.broadcast(std::as_writable_bytes(std::span(checkpoint.values)));
  if (gang.rank() != 0) trainer.restore(checkpoint);
}

namespace {

// A rank other than 0, which follows rank 0.
class Follower {
 public:
  Follower(const TrainRequest& request, Communicator& gang)
      : data_(read_data(request)),
        trainer_(data_, request.settings, request.threads,
                 engine_factory(request.device, request.cpu, &gang)),
        outside_(request.interruptions, request.max_steps, &gang) {
    share_state(trainer_, gang);
    first_ = trainer_.step();
  }

  ExitCode operator()() {
    while (trainer_.step() < trainer_.total_steps() || trainer_.epoch_ended()) {
      if (!trainer_.epoch_ended()) trainer_.train_step();
      if (trainer_.epoch_ended()) end_epoch();
      const bool stop = outside_.after_step(trainer_.step() - first_).notice.has_value();
      const bool done = trainer_.step() >= trainer_.total_steps() && !trainer_.epoch_ended();
      if (stop && !done) return ExitCode::stopped;
    }
    return ExitCode::finished;
  }

 private:
  void end_epoch() {
    bool whole = true;
    const auto go_on = [&] { return whole = whole && !outside_.between_batches().notice; };
    trainer_.accuracy(data_.validation, go_on);
    trainer_.accuracy(data_.test, go_on);
    if (whole) trainer_.start_epoch();
  }

  const DataSet data_;
  Trainer trainer_;
  Outside outside_;
  std::int64_t first_ = 0;
};

}  // namespace

ExitCode follow(const TrainRequest& request, Communicator& gang) {
  return Follower(request, gang)();
}

}  // namespace spottrain
