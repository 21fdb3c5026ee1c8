#include "trainer/loop/interruption_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trainer/loop/stop.h"

namespace spottrain {
namespace {
using Seconds = std::chrono::duration<double>;
}  // namespace

InterruptionSignals agree(Communicator& gang, const InterruptionSignals& own) {
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
  InterruptionSignals told = own;
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

Outside::Outside(InterruptionSources sources, std::optional<std::int64_t> max_steps,
                 Communicator* gang)
    : max_steps_(max_steps), gang_(gang), watch_(reporting(std::move(sources))) {}

InterruptionSources Outside::reporting(InterruptionSources sources) const {
  if (!sources.imds) return sources;
  const std::string who = follows() ? fmt::format("rank {}: ", gang_->rank()) : "";
  sources.imds->report = [who](const std::string& text) {
    std::fprintf(stderr, "spottrain: %s%s\n", who.c_str(), text.c_str());
  };
  return sources;
}

InterruptionSignals Outside::heard(bool last_step) {
  InterruptionSignals own{watch_.notice(), watch_.rebalance()};
  if (!own.notice && last_step) own.notice = {"max-steps", {}};
  if (own.notice && follows() && !std::exchange(said_, true)) {
    std::fprintf(stderr, "spottrain: rank %d stops: %s\n", gang_->rank(),
                 own.notice->reason.c_str());
  }
  return gang_ == nullptr ? own : agree(*gang_, own);
}

}  // namespace spottrain
