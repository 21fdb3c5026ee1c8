#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

class ProgressKept : public Invariant {
 public:
  ProgressKept()
      : Invariant("progress-kept", "progress never falls below the last durable checkpoint") {}

  std::vector<std::string_view> hears() const override {
    return {"trainer.start", "trainer.checkpoint-durable"};
  }

  void hear(const Line& line) override {
    const std::int64_t step = std::max<std::int64_t>(0, line.whole("step"));
    if (line.kind() == "trainer.checkpoint-durable") {
      if (step < durable_ || is_broken()) return;
      durable_ = step;
      saved_ = line.written();
    } else if (step < durable_) {
      broken(line.at(),
             fmt::format("training began again after step {} at {}, but {} was durable", step,
                         iso_seconds(line.at()), durable_),
             {saved_, line.written()});
    }
  }

  std::span<const std::string_view> excused_by() const override { return kExcuses; }

 private:
  static constexpr std::array<std::string_view, 2> kExcuses{"lost_steps", "lost_time"};
  std::int64_t durable_ = 0;
  std::string saved_;  // its line
};

}  // namespace

std::unique_ptr<Invariant> progress_kept(const InvariantRules&) {
  return std::make_unique<ProgressKept>();
}

}  // namespace sim::run
