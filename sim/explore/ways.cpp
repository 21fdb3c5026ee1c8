#include "sim/explore/ways.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "sim/faults/kinds.h"

namespace sim::explore {
namespace {

constexpr std::size_t kMostLines = 3;  // of a script, for one reason

// Kinds of a family have the same effect on a script. Most families are files of the catalogue. An
// interruption, a termination, maintenance and a change of the market are one family: an instance
// ends or does not come. Reboots and stops are another: the instance boots again.
std::string_view family_of(const faults::Kind& kind) {
  if (kind.needs == guest::GuestFault::What::kReboot ||
      kind.target == faults::Target::kStoppableInstance)
    return "boots";
  const std::array<std::pair<std::string_view, std::span<const faults::Kind>>, 9> families{
      {{"capacity", faults::instance_faults()},
       {"capacity", faults::customer_faults()},
       {"capacity", faults::maintenance_faults()},
       {"capacity", faults::market_faults()},
       {"network", faults::network_faults()},
       {"calls", faults::api_faults()},
       {"metadata", faults::metadata_faults()},
       {"storage", faults::storage_faults()},
       {"guests", faults::guest_faults()}}};
  for (const auto& [family, kinds] : families)
    if (std::ranges::find(kinds, kind.name, &faults::Kind::name) != kinds.end()) return family;
  return "";
}

// The name in "{…, kind: NAME, …}", the form of a plan's entries.
const faults::Kind* kind_of(const std::string& fault) {
  constexpr std::string_view kKey = "kind: ";
  const auto at = fault.find(kKey);
  if (at == fault.npos) return nullptr;
  const auto begin = at + kKey.size();
  return faults::find_kind(fault.substr(begin, fault.find_first_of(",}", begin) - begin));
}

// The text without IDs and times, which differ from run to run.
std::string without_names(const std::string& text) {
  static const re2::RE2 kNames(R"re(\b[a-z]+-[0-9a-f]{6,}[0-9a-f-]*|\d\d:\d\d:\d\d)re");
  std::string without = text;
  re2::RE2::GlobalReplace(&without, kNames, "…");
  return without;
}

// A job that does not end well says why. Where calls or metadata fail, the message tells one place
// of the script from another. Where an instance ends or a program fails, it is that of the machine.
std::string cause_of(const Failure& failure) {
  const std::string message = without_names(failure.breach.found);
  const faults::Kind* const kind =
      failure.tried.plan.empty() ? nullptr : kind_of(failure.tried.plan.back());
  if (!kind) return failure.breach.id + " " + message;
  const std::string_view family = family_of(*kind);
  const bool says_why = failure.breach.id == "job-completes" || failure.breach.id == "job-ends";
  const bool by_message = says_why && (family == "calls" || family == "metadata");
  return fmt::format("{} by {} {}", failure.breach.id, family, by_message ? message : "");
}

// The latest call or request before this point that the point's machine made; if it made none, or
// if the point has no machine, that of any machine.
const StrikePoint* asked_before(const std::vector<StrikePoint>& points, const StrikePoint& point) {
  const auto place = static_cast<std::size_t>(&point - points.data());
  const StrikePoint* of_another = nullptr;
  for (std::size_t i = place; i-- > 0;) {
    const StrikePoint& earlier = points[i];
    if (earlier.kind == StrikePoint::Kind::kEvent) continue;
    if (point.machine.empty() || earlier.machine == point.machine) return &earlier;
    if (!of_another) of_another = &earlier;
  }
  return of_another;
}

std::vector<ScriptLine> lines_of(const StrikePoint& point, const ScriptLines& scripts) {
  return point.kind == StrikePoint::Kind::kMetadata ? scripts.asking_for(point.about)
                                                    : scripts.calling(point.about, point.machine);
}

class Explainer {
 public:
  explicit Explainer(Explanation& out) : out_(out) {}

  void add(const std::string& why, const std::vector<ScriptLine>& lines) {
    for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i)
      if (std::ranges::find(out_.lines, lines[i], &Explanation::Line::at) == out_.lines.end())
        out_.lines.push_back({why, lines[i]});
  }

 private:
  Explanation& out_;
};

void explain_place(const faults::When& when, const Findings& findings, const ScriptLines& scripts,
                   Explainer& out) {
  if (const auto* call = std::get_if<faults::OnCall>(&when))
    return out.add("the call", scripts.calling(call->action, call->caller));
  if (const auto* request = std::get_if<faults::OnMetadata>(&when))
    return out.add("the request", scripts.asking_for(request->path));
  const auto point = std::ranges::find(findings.points, when, &StrikePoint::when);
  if (point == findings.points.end()) return;
  if (const StrikePoint* const asked = asked_before(findings.points, *point))
    out.add(asked->kind == StrikePoint::Kind::kMetadata ? "the last request before"
                                                        : "the last call before",
            lines_of(*asked, scripts));
}

std::size_t single_faults(const Findings& findings, bool tried) {
  std::size_t n = 0;
  for (const auto& [kind, coverage] : findings.singles)
    n += tried ? coverage.tried + coverage.no_effect : coverage.points;
  return n;
}

}  // namespace

std::vector<Way> ways_to_fail(const Findings& findings) {
  std::vector<Way> ways;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < findings.failures.size(); ++i) {
    const auto [at, is_new] = known.try_emplace(cause_of(findings.failures[i]), ways.size());
    if (is_new) ways.emplace_back();
    ways[at->second].push_back(i);
  }
  return ways;
}

Explanation explain(const Failure& failure, const Findings& findings,
                    const scenario::Scenario& scenario, const ScriptLines& scripts) {
  Explanation all;
  Explainer out(all);
  out.add("the console", scripts.named_in(failure.tried.console));
  for (const std::string& fault : failure.tried.plan) {
    explain_place(scenario::parse_fault(fault, scenario).when, findings, scripts, out);
    const faults::Kind* const kind = kind_of(fault);
    if (!kind) continue;
    std::string remedy = fmt::format("A correct script {}.", kind->remedy.text());
    if (std::ranges::find(all.remedies, remedy) == all.remedies.end())
      all.remedies.push_back(std::move(remedy));
  }
  return all;
}

std::string summary_of(const Findings& findings) {
  const std::size_t ways = ways_to_fail(findings).size();
  return fmt::format("tried {} of {} single faults: {} to break the job",
                     single_faults(findings, true), single_faults(findings, false),
                     ways == 0   ? "found no way"
                     : ways == 1 ? "1 way"
                                 : fmt::format("{} ways", ways));
}

}  // namespace sim::explore
