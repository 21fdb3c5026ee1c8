#include <fmt/format.h>

#include <algorithm>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

class ProgressKept : public Invariant {
 public:
  explicit ProgressKept(const RunSoFar& run)
      : Invariant("progress-kept", "progress never falls below the last durable checkpoint"),
        run_(run) {}

  void listen(events::Listeners& log) override { log.on(*this, &ProgressKept::trainer_starts); }

 private:
  void trainer_starts(const events::TrainerStart& event) {
    const std::int64_t step = std::max<std::int64_t>(0, event.step);
    const auto& durable = run_.acknowledged();
    if (!durable || step >= durable->step) return;
    broken(event.time,
           fmt::format("training resumed after step {} at {}, but {} was durable", step,
                       iso_seconds(event.time), durable->step),
           {durable->line, to_line(event)});
  }

  const RunSoFar& run_;
};

}  // namespace

std::unique_ptr<Invariant> progress_kept(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<ProgressKept>(run);
}

}  // namespace sim::result
