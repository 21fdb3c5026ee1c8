#include "sim/result/invariants/list.h"

#include <array>

namespace sim::run {
namespace {

constexpr std::array<MakeInvariant*, 6> kInvariants{
    time_adds_up, money_adds_up, on_graphs, nothing_runs, progress_kept, one_volume,
};

}  // namespace

std::vector<std::unique_ptr<Invariant>> all_invariants(const InvariantRules& rules) {
  std::vector<std::unique_ptr<Invariant>> all;
  for (MakeInvariant* const make : kInvariants) all.push_back(make(rules));
  return all;
}

}  // namespace sim::run
