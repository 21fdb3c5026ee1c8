#include <fmt/format.h>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

class NothingRuns : public Invariant {
 public:
  NothingRuns() : Invariant("nothing-runs", "nothing is running at the end") {}

  void end(const Story& story, const Result& result) override {
    const Leftovers& left = result.at_end;
    if (left.running_instances == 0 && left.active_fleets == 0) return;
    broken(story.end,
           fmt::format("{} instances, {} fleets", left.running_instances, left.active_fleets));
  }

  std::span<const std::string_view> excused_by() const override { return kExcuses; }

 private:
  static constexpr std::string_view kExcuses[] = {"running_instances", "active_fleets"};
};

}  // namespace

std::unique_ptr<Invariant> nothing_runs(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<NothingRuns>();
}

}  // namespace sim::run
