#include "trainer/loop/gang_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "trainer/checkpoint/checksum.h"
#include "trainer/loop/stop.h"
#include "trainer/spot/interruption_watch.h"

namespace spottrain {
namespace {
using Seconds = std::chrono::duration<double>;
}  // namespace

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

Told agree(Communicator& gang, const Told& own) {
  constexpr std::size_t kValues = 3;  // whether to stop, how many seconds are left, rebalance
  std::vector<double> all(static_cast<std::size_t>(gang.size()) * kValues);
  const auto of_rank = [&](std::size_t rank) { return std::span(all).subspan(rank * kValues); };
  const std::span<double> mine = of_rank(static_cast<std::size_t>(gang.rank()));
  mine[0] = own.notice ? 1 : 0;
  mine[1] = own.notice && own.notice->deadline
                ? Seconds(*own.notice->deadline - monotonic_now()).count()
                : std::numeric_limits<double>::infinity();
  mine[2] = own.rebalance ? 1 : 0;
  gang.sum(std::span(all));
  Told told = own;
  double left = std::numeric_limits<double>::infinity();
  for (std::size_t rank = 0; rank * kValues < all.size(); ++rank) {
    const std::span<const double> theirs = of_rank(rank);
    if (theirs[0] > 0 && !told.notice) told.notice = {"rank " + std::to_string(rank), {}};
    left = std::min(left, theirs[1]);
    told.rebalance |= theirs[2] > 0;
  }
  if (told.notice && std::isfinite(left)) {
    told.notice->deadline =
        monotonic_now() + std::chrono::duration_cast<std::chrono::nanoseconds>(Seconds(left));
  }
  return told;
}

namespace {

// A rank after 0. It says itself why it is to stop, as rank 0 hears no reason.
class Follower {
 public:
  Follower(const TrainRequest& request, Communicator& gang)
      : request_(request),
        gang_(gang),
        data_(read_data(request)),
        trainer_(data_, request.settings, request.threads, engine_factory(request.device, &gang)) {
    share_state(trainer_, gang_);
    first_ = trainer_.step();
  }

  ExitCode operator()() {
    while (trainer_.step() < trainer_.total_steps() || trainer_.epoch_ended()) {
      if (!trainer_.epoch_ended()) trainer_.train_step();
      if (trainer_.epoch_ended()) end_epoch();
      const bool stop = agree(gang_, told(request_.max_steps)).notice.has_value();
      const bool done = trainer_.step() >= trainer_.total_steps() && !trainer_.epoch_ended();
      if (stop && !done) return ExitCode::stopped;
    }
    return ExitCode::finished;
  }

 private:
  void end_epoch() {
    bool whole = true;
    const auto go_on = [&] { return whole = whole && !agree(gang_, told({})).notice; };
    trainer_.accuracy(data_.validation, go_on);
    trainer_.accuracy(data_.test, go_on);
    if (whole) trainer_.start_epoch();
  }

  Told told(std::optional<std::int64_t> max_steps) {
    Told told{watch_.notice(), watch_.rebalance()};
    if (!told.notice && max_steps == trainer_.step() - first_) told.notice = {"max-steps", {}};
    if (told.notice && !said_) {
      std::fprintf(stderr, "spottrain: rank %d is told to stop by %s\n", gang_.rank(),
                   told.notice->reason.c_str());
      said_ = true;
    }
    return told;
  }

  InterruptionSources sources() const {
    InterruptionSources sources = request_.interruptions;
    if (!sources.imds) return sources;
    sources.imds->report = [rank = gang_.rank()](const std::string& text) {
      std::fprintf(stderr, "spottrain: rank %d: %s\n", rank, text.c_str());
    };
    return sources;
  }

  const TrainRequest& request_;
  Communicator& gang_;
  const DataSet data_;
  Trainer trainer_;
  const InterruptionWatch watch_{sources()};
  std::int64_t first_ = 0;
  bool said_ = false;
};

}  // namespace

ExitCode follow(const TrainRequest& request, Communicator& gang) {
  return Follower(request, gang)();
}

}  // namespace spottrain
