#include "sim/cli/sweep/sweep_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <sstream>

#include "sim/cli/sweep/advice_words.h"
#include "sim/cli/sweep/sweep_table.h"
#include "sim/cli/terminal/text_columns.h"

namespace sim::cli {
namespace {

using sweep::Distribution;
using sweep::Grid;
using sweep::RunPolicies;
using sweep::Summary;

constexpr std::string_view kCommand = "command:";

void add_part(std::string& all, const std::string& part) {
  if (!part.empty()) all += (all.empty() ? "" : ", ") + part;
}

const RunPolicies& run_policies_of(const Grid& grid, const Summary& s) {
  return grid.run_policies.at(
      static_cast<std::size_t>(s.setting * grid.variants.size() + s.variant));
}

std::string to_save(const RunPolicies& run) {
  if (run.saves.empty()) return "";
  return "save " + saving(run.saves) +
         (run.checkpoint ? fmt::format(" ({} each)", format_duration(*run.checkpoint)) : "");
}

// "rent p3.2xlarge with greedy"; the type may be empty.
std::string to_rent(const RunPolicies& run, const std::string& type) {
  if (run.rents.empty()) return "";
  const std::string rent = "rent " + type + (type.empty() ? "" : " ");
  if (run.rents == "on-demand") return rent + "on demand";
  if (run.rents.starts_with(kCommand))
    return fmt::format("{}as {} says", rent, run.rents.substr(kCommand.size()));
  return rent + "with " + run.rents;
}

std::string with_others(const RunPolicies& run) {
  return run.with.empty() ? "" : "with " + run.with;
}

// The type of the group, or of all groups if they have the same one.
std::string instance_type(const Grid& grid, const Summary& s) {
  if (s.group) return grid.groups[*s.group].instance_type;
  std::set<std::string> types;
  for (const sweep::CaseGroup& group : grid.groups) types.insert(group.instance_type);
  return types.size() == 1 ? *types.begin() : "";
}

std::string where(const Grid& grid, const Summary& s) {
  const auto pools = s.group ? grid.groups[*s.group].pools : std::vector<std::string>{};
  if (pools.empty()) return "";
  if (run_policies_of(grid, s).in_first_pool) return " in " + pools.front();
  return fmt::format(" over {}", fmt::join(pools, ", "));
}

std::string to_do(const Grid& grid, const Summary& s) {
  const RunPolicies& run = run_policies_of(grid, s);
  std::string all;
  add_part(all, to_save(run));
  const std::string rent = to_rent(run, instance_type(grid, s));
  if (!rent.empty()) add_part(all, rent + where(grid, s));
  add_part(all, with_others(run));
  return all;
}

// The difference from the best variant, or the variant's name if words show none.
std::string unlike(const Grid& grid, const Summary& s, const Summary& best) {
  const RunPolicies &mine = run_policies_of(grid, s), &its = run_policies_of(grid, best);
  std::string all;
  if (to_save(mine) != to_save(its)) add_part(all, to_save(mine));
  if (mine.rents != its.rents) add_part(all, to_rent(mine, ""));
  if (mine.with != its.with) add_part(all, with_others(mine));
  return all.empty() ? describe(grid.variants, s.variant) : all;
}

std::string done(const Summary& s) {
  const Distribution& hours = s.measures[sweep::kMakespan];
  if (hours.n == 0) return "never done";
  const auto runs = s.measures[sweep::kCost].n;
  return "done in " + about_hours(hours.mean) +
         (s.finished < runs ? fmt::format(" by {} of {} runs", s.finished, runs) : "");
}

std::string late(const Grid& grid, const Summary& s) {
  if (!s.late_share) return "";
  const std::string share = "late " + in_percent(*s.late_share);
  if (*s.late_share <= grid.late_allowed) return share;
  return fmt::format("{} (no variant meets the allowed {})", share, in_percent(grid.late_allowed));
}

// True if the cost is within the best variant's ± and the run is late no more often than allowed.
bool within(const Grid& grid, const Summary& s, const Summary& best) {
  const Distribution &cost = s.measures[sweep::kCost], &least = best.measures[sweep::kCost];
  const bool late = s.late_share > best.late_share && s.late_share > grid.late_allowed;
  return !late && least.half_width_95 && cost.n == least.n &&
         cost.mean - least.mean <= *least.half_width_95;
}

std::string next_best(const Grid& grid, const Summary& s, const Summary& best) {
  std::string all = within(grid, s, best) ? "; next best, within ±: " : "; next best: ";
  all += unlike(grid, s, best);
  add_part(all, dollars(s.measures[sweep::kCost]));
  if (s.late_share && s.late_share != best.late_share)
    add_part(all, "late " + in_percent(*s.late_share));
  return all;
}

// The results of better oracles and of the optimum.
std::string with_the_future_known(const Grid& grid, const std::vector<const Summary*>& rows,
                                  const Summary& best) {
  std::string all;
  const Summary& first = *rows.front();
  if (first.rank && run_policies_of(grid, first).knows_future)
    all += fmt::format("; with perfect foresight, {}: {}", unlike(grid, first, best),
                       dollars(first.measures[sweep::kCost].mean));
  for (const Summary* s : rows)
    if (static_cast<std::size_t>(s->variant) == grid.bound &&
        s->measures[sweep::kCost].n == best.measures[sweep::kCost].n)
      all += "; the optimum with perfect foresight: " + dollars(s->measures[sweep::kCost].mean);
  return all;
}

// Empty if every variant is an oracle.
std::string sentence(const Grid& grid, std::span<const Summary> block) {
  const auto rows = best_first(block);
  std::vector<const Summary*> possible;
  for (const Summary* s : rows)
    if (s->rank && !run_policies_of(grid, *s).knows_future) possible.push_back(s);
  if (possible.empty()) return "";
  const Summary& best = *possible.front();
  std::string all = to_do(grid, best);
  all += (all.empty() ? "expect " : "; expect ") + dollars(best.measures[sweep::kCost]);
  add_part(all, done(best));
  add_part(all, late(grid, best));
  if (possible.size() > 1) all += next_best(grid, *possible[1], best);
  return all + with_the_future_known(grid, rows, best);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// The part of a setting's name in which settings differ: "deadline=54h".
std::string setting_name(const sweep::Axis& settings, std::int64_t setting) {
  if (settings.columns.size() > 1) return describe(settings, setting);
  if (settings.columns.front() != "setting")
    return settings.columns.front() + "=" + describe(settings, setting);
  std::string all;
  for (const std::string& word : words_of(describe(settings, setting))) {
    const bool shared = std::ranges::all_of(settings.points, [&](const auto& point) {
      return std::ranges::count(words_of(point.front()), word) > 0;
    });
    if (!shared) all += (all.empty() ? "" : " ") + word;
  }
  return all;
}

}  // namespace

std::string sweep_advice(const Grid& grid, const std::vector<Summary>& summaries,
                         const Styler& styled) {
  std::string text;
  for (const auto& block : shown_blocks(grid, summaries)) {
    const std::string said = sentence(grid, block);
    if (said.empty()) continue;
    std::string name;
    if (grid.settings.size() > 1)
      add_part(name, setting_name(grid.settings, block.front().setting));
    if (grid.groups.size() > 1) add_part(name, market_name(grid, block.front()));
    text += "  " + wrapped(name + (name.empty() ? "" : ": ") + said, kWidestLine - 2, "    ");
  }
  return text.empty() ? "" : styled(Style::kHeading, "Advice") + "\n" + text;
}

}  // namespace sim::cli
