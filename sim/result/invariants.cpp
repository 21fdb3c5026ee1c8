#include "sim/result/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/cloud/states.h"

namespace sim::run {
namespace {

Verdict time_adds_up(const Result& result) {
  const bool holds = result.time.sum() == result.time.billed;
  return {"every billed second is in one column of the time ledger", holds,
          holds ? ""
                : fmt::format("the columns add up to {} s of {} s billed",
                              seconds(result.time.sum()), seconds(result.time.billed))};
}

// Each line by its own quantity and price, within the rounding to 10^-9 dollars.
Verdict money_adds_up(const Story& story, const Result& result) {
  const MoneyLedger& m = result.money;
  std::string found;
  if (m.instances + m.volumes + m.snapshots + m.requests + m.transfer != m.total) {
    found = "the kinds of charges do not add up to the total";
  }
  for (const ChargeLine& line : story.charges) {
    if (line.unit != "seconds" || line.note.starts_with("waived")) continue;
    const double cost = line.quantity / 3600 * static_cast<double>(line.unit_price.nano);
    if (std::abs(cost - static_cast<double>(line.cost.nano)) > 1.0) {
      found = fmt::format("{} s of {} at {} do not cost {}", line.quantity, line.resource,
                          market::format_usd(line.unit_price), market::format_usd(line.cost));
    }
  }
  return {"the money ledger adds up", found.empty(), found};
}

Verdict nothing_runs(const Result& result) {
  const Leftovers& left = result.at_end;
  const bool holds = left.running_instances == 0 && left.active_fleets == 0;
  return {"nothing is running at the end", holds,
          holds
              ? ""
              : fmt::format("{} instances, {} fleets", left.running_instances, left.active_fleets)};
}

Verdict one_volume(const Story& story, const Result& result) {
  const int count = result.at_end.tagged_volumes;
  return {fmt::format("one volume is tagged Name={} at the end", story.header.job_volume_tag),
          count == 1, count == 1 ? "" : fmt::format("{}", count)};
}

Verdict progress_kept(const Story& story) {
  std::vector<const TrainerLine*> lines;
  for (const InstanceStory& instance : story.instances) {
    for (const TrainerLine& line : instance.trainer)
      if (line.event != TrainerEvent::kStep) lines.push_back(&line);
  }
  std::sort(lines.begin(), lines.end(),
            [](const auto* a, const auto* b) { return a->order < b->order; });
  std::int64_t durable = 0;
  std::string found;
  for (const TrainerLine* line : lines) {
    if (line->event == TrainerEvent::kCheckpointDurable) durable = std::max(durable, line->step);
    if (line->event == TrainerEvent::kStart && line->step < durable && found.empty()) {
      found = fmt::format("training began again after step {} at {}, but {} was durable",
                          line->step, iso_seconds(line->at), durable);
    }
  }
  return {"progress never falls below the last durable checkpoint", found.empty(), found};
}

Verdict on_graphs(const Story& story) {
  std::string found;
  for (const Transition& t : story.transitions) {
    if (found.empty() && !cloud::allowed(t.resource, t.from, t.to)) {
      found = fmt::format("{} {}: \"{}\" to \"{}\"", t.resource, t.id, t.from, t.to);
    }
  }
  return {"every resource keeps to its graph of states", found.empty(), found};
}

}  // namespace

std::vector<Verdict> invariants(const Story& story, const Result& result) {
  std::vector<Verdict> list{time_adds_up(result), money_adds_up(story, result), on_graphs(story),
                            nothing_runs(result), progress_kept(story)};
  if (!story.header.job_volume_tag.empty()) list.push_back(one_volume(story, result));
  return list;
}

}  // namespace sim::run
