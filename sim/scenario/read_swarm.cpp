// The block `swarm`: random faults. Each seed draws some of the kinds. The block becomes entries of
// the plan.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "sim/faults/kinds.h"
#include "sim/guest/fiber/fiber_host.h"
#include "sim/guest/process/abilities.h"
#include "sim/scenario/blocks.h"

namespace sim::scenario {
namespace {

// True if guests at every level support the fault. Faults of files and disks are excluded
// (docs/faults.md).
bool all_guests_can(const faults::Kind& kind) {
  return !kind.needs || (guest::FiberHost::able(*kind.needs) &&
                         guest::process_guests_can(*kind.needs, guest::Level::kPlain));
}

// True if a job is expected to survive the fault, and every guest supports it.
bool is_usual(const faults::Kind& kind) {
  return kind.passes && !kind.trials.empty() && all_guests_can(kind);
}

std::vector<const faults::Kind*> read_kinds(const std::optional<Value>& list) {
  std::vector<const faults::Kind*> kinds;
  if (!list) {
    std::ranges::copy_if(faults::kinds(), std::back_inserter(kinds),
                         [](const faults::Kind* kind) { return is_usual(*kind); });
    return kinds;
  }
  std::vector<std::string> names;
  for (const faults::Kind* kind : faults::kinds())
    if (!kind->trials.empty()) names.emplace_back(kind->name);
  for (const Value& entry : list->list("a list of kinds of faults")) {
    const auto name = entry.word(names);
    if (!name) continue;
    if (std::ranges::find(kinds, faults::find_kind(*name)) != kinds.end())
      entry.fail("each kind once");
    kinds.push_back(faults::find_kind(*name));
  }
  if (kinds.empty() && list->errors().empty()) list->fail("at least one kind of fault");
  return kinds;
}

// The different arguments that explore gives a fault of this kind, without those for several
// values.
std::set<std::string> variants_of(const faults::Kind& kind) {
  std::set<std::string> variants;
  for (const faults::Trial& trial : kind.trials)
    if (trial.arguments.find(faults::kEach) == trial.arguments.npos)
      variants.emplace(trial.arguments);
  return variants;
}

}  // namespace

void read_swarm(const Value& block, Scenario& s) {
  // `none` disables the swarm of the base scenario.
  if (block.node().IsScalar() && block.node().Scalar() == "none") return;
  Fields fields(block);
  Duration every{};
  if (const auto v = fields.require("every", "a mean time such as 2h")) {
    every = v->duration().value_or(Duration(1s));
    if (every < 1s) v->fail("a mean of at least 1s");
  }
  double share = 0.5;
  if (const auto v = fields.take("share")) {
    share = v->number().value_or(share);
    if (!(share > 0 && share <= 1)) v->fail("a number above 0, to 1");
  }
  const auto kinds = read_kinds(fields.take("kinds"));
  fields.finish();
  if (!block.errors().empty()) return;
  for (const faults::Kind* kind : kinds) {
    const auto variants = variants_of(*kind);
    // All kinds together strike as often as one alone would.
    const std::string mean = format_duration(every * static_cast<std::int64_t>(variants.size()));
    for (const std::string& arguments : variants)
      s.faults.push_back(
          parse_fault(fmt::format("{{every: {}, kind: {}{}{}, chance: {}}}", mean, kind->name,
                                  arguments.empty() ? "" : ", ", arguments, share),
                      s));
  }
}

}  // namespace sim::scenario
