#include <fmt/format.h>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

class TimeAddsUp : public Invariant {
 public:
  TimeAddsUp()
      : Invariant("time-adds-up", "every billed second belongs to one key of the time ledger") {}

  void end(const History& history, const Result& result) override {
    if (result.time.sum() == result.time.billed) return;
    broken(history.end, fmt::format("the keys add up to {} s of {} s billed",
                                    seconds(result.time.sum()), seconds(result.time.billed)));
  }
};

}  // namespace

std::unique_ptr<Invariant> time_adds_up(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<TimeAddsUp>();
}

}  // namespace sim::result
