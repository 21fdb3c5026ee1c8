#include <fmt/format.h>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

class NothingRuns : public Invariant {
 public:
  NothingRuns() : Invariant("nothing-runs", "nothing is running at the end") {}

  void end(const History& history, const Result& result) override {
    const Leftovers& left = result.at_end;
    if (left.running_instances == 0 && left.active_fleets == 0) return;
    std::vector<Verdict::Figure> about;
    if (left.running_instances > 0) about.push_back({"running_instances"});
    if (left.active_fleets > 0) about.push_back({"active_fleets"});
    broken(history.end,
           fmt::format("{} instances, {} fleets{}", left.running_instances, left.active_fleets,
                       names_of_groups(history)),
           {}, std::move(about));
  }

 private:
  static std::string names_of_groups(const History& history) {
    std::string text;
    for (const auto& [name, desired] : history.groups)
      if (desired > 0) text += fmt::format(", Auto Scaling group {} wants {}", name, desired);
    return text;
  }
};

}  // namespace

std::unique_ptr<Invariant> nothing_runs(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<NothingRuns>();
}

}  // namespace sim::result
