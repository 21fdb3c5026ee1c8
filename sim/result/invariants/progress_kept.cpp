#include <fmt/format.h>

#include <algorithm>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

class ProgressKept : public Invariant {
 public:
  explicit ProgressKept(const RunSoFar& run)
      : Invariant("progress-kept", "progress never falls below the last durable checkpoint"),
        run_(run) {}

  std::vector<std::string_view> hears() const override { return {"trainer.start"}; }

  void hear(const Line& line) override {
    const std::int64_t step = std::max<std::int64_t>(0, line.whole("step"));
    const auto& durable = run_.acknowledged();
    if (!durable || step >= durable->step) return;
    broken(line.at(),
           fmt::format("training began again after step {} at {}, but {} was durable", step,
                       iso_seconds(line.at()), durable->step),
           {durable->line.written(), line.written()});
  }

 private:
  const RunSoFar& run_;
};

}  // namespace

std::unique_ptr<Invariant> progress_kept(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<ProgressKept>(run);
}

}  // namespace sim::run
