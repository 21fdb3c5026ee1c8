// Chooses the faults to try at each point.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/explore/strike_points.h"
#include "sim/faults/kinds.h"

namespace sim::explore {

// The situation of a point. The groups are listed by how many bugs they reveal:
// - kBetween: an instance has removed something, and its next change has not happened
// - kTraining: a training step or a notice
// - kCall: another call of an instance
// - kSpot: other events while a spot instance runs
// - kOther: everything else
enum class PointGroup { kBetween, kTraining, kCall, kSpot, kOther };

struct TriedFault {
  std::string yaml;  // an entry of a scenario's `faults`
  const faults::Kind* kind;
  std::string arguments;  // as in a plan, beside when and kind
  std::string about;      // the point's event, with its machine's role
  std::string machine;    // of the point
  PointGroup group;
  std::string place;        // equal: the same fault at a point that differs by its number only
  std::string equivalence;  // equal: the same fault at a point that is like it
  std::optional<guest::GuestFault::What> needs = {};  // of its trial
  std::size_t point = 0;                              // its place in the list of points
};

// True for the kinds of faults to try.
using Wanted = std::function<bool(const faults::Kind&)>;

// Every kind at every point of its trials, in each of these zones if the trial asks for it. Kinds
// that strike instants strike several points of one instant only once.
std::vector<TriedFault> faults_at(const std::vector<StrikePoint>& points, const Wanted& wanted,
                                  const std::set<std::string>& zones);

// Every kind at every point that has its target, with the arguments of Kind::elsewhere, except the
// faults in `before`.
std::vector<TriedFault> faults_elsewhere(const std::vector<StrikePoint>& points,
                                         const Wanted& wanted, const std::set<std::string>& zones,
                                         const std::vector<TriedFault>& before);

}  // namespace sim::explore
