#include "sim/explore/trials.h"

#include <fmt/format.h>

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

std::vector<TriedFault> faults_at(const std::vector<StrikePoint>& points) {
  std::vector<TriedFault> all;
  for (const StrikePoint& point : points) {
    for (const faults::Kind* const kind : faults::kinds()) {
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
                       .about = where,
                       .equivalence = fmt::format("{:x} {} {} {}", point.state, where, kind->name,
                                                  trial.arguments)});
      }
    }
  }
  return all;
}

}  // namespace sim::explore
