#include "sim/explore/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <sstream>

namespace sim::explore {
namespace {

using faults::Trial;
using PointKind = StrikePoint::Kind;

bool about(const Trial& trial, const StrikePoint& point) {
  return trial.about.empty() || point.about == trial.about ||
         point.about.starts_with(std::string(trial.about) + " ");
}

// The instant before a call is a separate one only for faults that cut the caller's power.
bool is_instant(const faults::Kind& kind, const StrikePoint& point) {
  if (point.kind == PointKind::kMetadata) return false;
  if (point.kind == PointKind::kCall) return kind.cuts_power && point.machine != "operator";
  return !point.same_instant;
}

bool finds_target(const faults::Kind& kind, const StrikePoint& point) {
  return kind.target != faults::Target::kStoppableInstance || point.can_stop;
}

bool fits(const Trial& trial, const faults::Kind& kind, const StrikePoint& point) {
  if (!finds_target(kind, point)) return false;
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

bool changes(const std::string& action) { return !action.starts_with("Describe"); }

bool takes_away(const std::string& action) {
  return std::ranges::any_of(std::array{"Delete", "Detach", "Terminate", "Release", "Revoke"},
                             [&](const char* verb) { return action.starts_with(verb); });
}

// Follows the instances that have removed something and not replaced it yet.
class Places {
 public:
  PointGroup of(const StrikePoint& point) {
    const bool ended = point.about == "trainer.finished";
    if ((point.about.starts_with("trainer.") && !ended) || point.about == "instance.notice")
      return PointGroup::kTraining;
    const bool call = point.kind == PointKind::kCall || point.kind == PointKind::kAnsweredCall;
    if (!call || point.machine == "operator")
      return point.spot_runs ? PointGroup::kSpot : PointGroup::kOther;
    if (!changes(point.about)) return PointGroup::kCall;
    if (point.kind == PointKind::kAnsweredCall) {
      if (takes_away(point.about))
        between_.insert(point.machine);
      else
        between_.erase(point.machine);
    }
    return between_.contains(point.machine) ? PointGroup::kBetween : PointGroup::kCall;
  }

 private:
  std::set<std::string> between_;  // machines
};

std::string role(const std::string& machine) {
  return machine.empty() || machine == "operator" ? machine : "instance";
}

TriedFault tried_at(const std::vector<StrikePoint>& points, const StrikePoint& point,
                    PointGroup group, const faults::Kind& kind, const std::string& arguments) {
  const std::string bare = faults::to_yaml({.kind = std::string(kind.name), .when = point.when});
  const bool before = point.kind == PointKind::kCall;
  const std::string where =
      fmt::format("{}{}{}", before ? "before " : "", point.about,
                  role(point.machine).empty() ? "" : " of the " + role(point.machine));
  TriedFault tried{.yaml = bare,
                   .kind = &kind,
                   .arguments = arguments,
                   .about = where,
                   .machine = point.machine,
                   .group = group,
                   .place = fmt::format("{} {} at {} {} {}", kind.name, arguments,
                                        static_cast<int>(group), where, point.training),
                   .equivalence = {},
                   .point = static_cast<std::size_t>(&point - points.data())};
  if (!tried.arguments.empty())
    tried.yaml = fmt::format("{}, {}}}", bare.substr(0, bare.size() - 1), tried.arguments);
  tried.equivalence = fmt::format("{:x} {} {} {}", point.state, where, kind.name, tried.arguments);
  return tried;
}

// The values for kEach.
std::vector<std::string> values_of(const faults::Parameter& parameter,
                                   const std::set<std::string>& zones) {
  if (parameter.type == faults::ArgumentType::kZone) return {zones.begin(), zones.end()};
  std::istringstream words{std::string(parameter.words)};
  return {std::istream_iterator<std::string>(words), {}};
}

// What guests need for a fault elsewhere: the same as for a trial with these arguments.
std::optional<guest::GuestFault::What> needs_elsewhere(const faults::Kind& kind) {
  const auto same = std::ranges::find(kind.trials, kind.elsewhere, &Trial::arguments);
  return same == kind.trials.end() ? std::nullopt : same->needs;
}

// The arguments of a trial, once for each value of the parameter that has kEach, if there is one.
std::vector<std::string> arguments_of(const faults::Kind& kind, std::string_view arguments,
                                      const std::set<std::string>& zones) {
  for (const faults::Parameter& parameter : kind.parameters) {
    const std::string each = fmt::format("{}: {}", parameter.name, faults::kEach);
    const auto at = arguments.find(each);
    if (at == arguments.npos) continue;
    std::vector<std::string> all;
    for (const std::string& value : values_of(parameter, zones))
      all.push_back(std::string(arguments).replace(at, each.size(),
                                                   fmt::format("{}: {}", parameter.name, value)));
    return all;
  }
  return {std::string(arguments)};
}

}  // namespace

std::vector<TriedFault> faults_at(const std::vector<StrikePoint>& points, const Wanted& wanted,
                                  const std::set<std::string>& zones) {
  std::vector<TriedFault> all;
  std::set<std::string> seen;
  Places places;
  for (const StrikePoint& point : points) {
    const PointGroup group = places.of(point);
    for (const faults::Kind* const kind : faults::kinds()) {
      if (!wanted(*kind)) continue;
      for (const Trial& trial : kind->trials) {
        if (!fits(trial, *kind, point)) continue;
        for (const std::string& arguments : arguments_of(*kind, trial.arguments, zones)) {
          TriedFault tried = tried_at(points, point, group, *kind, arguments);
          tried.needs = trial.needs;
          if (seen.insert(tried.yaml).second) all.push_back(std::move(tried));
        }
      }
    }
  }
  return all;
}

std::vector<TriedFault> faults_elsewhere(const std::vector<StrikePoint>& points,
                                         const Wanted& wanted, const std::set<std::string>& zones,
                                         const std::vector<TriedFault>& before) {
  std::set<std::string> known;
  for (const TriedFault& tried : before) known.insert(tried.yaml);
  std::vector<TriedFault> all;
  Places places;
  for (const StrikePoint& point : points) {
    const PointGroup group = places.of(point);
    for (const faults::Kind* const kind : faults::kinds()) {
      if (!wanted(*kind) || !finds_target(*kind, point)) continue;
      for (const std::string& arguments : arguments_of(*kind, kind->elsewhere, zones)) {
        TriedFault tried = tried_at(points, point, group, *kind, arguments);
        tried.needs = needs_elsewhere(*kind);
        if (!known.contains(tried.yaml)) all.push_back(std::move(tried));
      }
    }
  }
  return all;
}

}  // namespace sim::explore
