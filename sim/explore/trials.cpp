#include "sim/explore/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace sim::explore {
namespace {

using faults::Trial;
using PointKind = StrikePoint::Kind;

bool about(const Trial& trial, const StrikePoint& point) {
  return trial.about.empty() || point.about == trial.about ||
         point.about.starts_with(std::string(trial.about) + " ");
}

// A call's before is an instant of its own only for what cuts the caller's power.
bool is_instant(const faults::Kind& kind, const StrikePoint& point) {
  if (point.kind == PointKind::kMetadata) return false;
  if (point.kind == PointKind::kCall) return kind.cuts_power && point.machine != "operator";
  return !point.same_instant;
}

bool fits(const Trial& trial, const faults::Kind& kind, const StrikePoint& point) {
  switch (trial.at) {
    case Trial::At::kSpotInstant:
      return point.spot_runs && is_instant(kind, point);
    case Trial::At::kInstant:
      return point.instance_runs && is_instant(kind, point);
    case Trial::At::kCall:
      return point.kind == PointKind::kCall && about(trial, point);
    case Trial::At::kEvent:
      return point.kind == PointKind::kEvent && about(trial, point);
    case Trial::At::kMetadata:
      return point.kind == PointKind::kMetadata && about(trial, point);
  }
  return false;
}

std::string role(const std::string& machine) {
  return machine.empty() || machine == "operator" ? machine : "instance";
}

}  // namespace

std::vector<TriedFault> faults_at(const std::vector<StrikePoint>& points,
                                  const std::function<bool(const faults::Kind&)>& wanted) {
  std::vector<TriedFault> all;
  for (const StrikePoint& point : points) {
    for (const faults::Kind* const kind : faults::kinds()) {
      if (!wanted(*kind)) continue;
      for (const Trial& trial : kind->trials) {
        if (!fits(trial, *kind, point)) continue;
        const std::string bare =
            faults::to_yaml({.kind = std::string(kind->name), .when = point.when});
        const std::string with =
            trial.arguments.empty()
                ? bare
                : fmt::format("{}, {}}}", bare.substr(0, bare.size() - 1), trial.arguments);
        const bool before = point.kind == PointKind::kCall;
        const std::string where =
            fmt::format("{}{}{}", before ? "before " : "", point.about,
                        role(point.machine).empty() ? "" : " of the " + role(point.machine));
        all.push_back({.yaml = with,
                       .kind = kind,
                       .arguments = trial.arguments,
                       .about = where,
                       .equivalence = fmt::format("{:x} {} {} {}", point.state, where, kind->name,
                                                  trial.arguments)});
      }
    }
  }
  return all;
}

namespace {

// 0 … n-1, n from 1, in an order in which those at hand are always spread over all: the middle
// before the quarters, these before the eighths (van der Corput's sequence).
std::vector<std::size_t> spread(std::size_t n) {
  const auto digits = static_cast<int>(std::bit_width(n - 1));
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i < std::size_t{1} << digits; ++i) {
    std::size_t place = 0;
    for (int digit = 0; digit < digits; ++digit)
      if ((i >> digit & 1) != 0) place |= std::size_t{1} << (digits - 1 - digit);
    if (place < n) order.push_back(place);
  }
  order.push_back(0);
  return order;
}

}  // namespace

std::vector<TriedFault> telling_first(std::vector<TriedFault> faults) {
  // Of a kind with its arguments: how often a place like this one came before → those.
  using Rounds = std::vector<std::vector<TriedFault>>;
  std::map<std::string, Rounds> kinds;
  std::map<std::string, std::size_t> seen;
  std::vector<std::string> in_order;
  for (TriedFault& fault : faults) {
    const std::string name = fmt::format("{} {}", fault.kind->name, fault.arguments);
    const auto [at, is_new] = kinds.try_emplace(name);
    if (is_new) in_order.push_back(name);
    const std::size_t round = seen[name + " at " + fault.about]++;
    if (at->second.size() <= round) at->second.resize(round + 1);
    at->second[round].push_back(std::move(fault));
  }
  std::map<std::string, std::vector<TriedFault>> lists;
  std::size_t longest = 0;
  for (auto& [name, rounds] : kinds) {
    for (auto& round : rounds)
      for (const std::size_t place : spread(round.size()))
        lists[name].push_back(std::move(round[place]));
    longest = std::max(longest, lists[name].size());
  }
  std::vector<TriedFault> all;
  for (std::size_t turn = 0; turn < longest; ++turn)
    for (const std::string& name : in_order)
      if (turn < lists[name].size()) all.push_back(std::move(lists[name][turn]));
  return all;
}

}  // namespace sim::explore
