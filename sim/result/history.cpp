#include "sim/result/history.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace sim::result {

bool History::Instance::reached(std::string_view phase) const {
  return std::ranges::find(phases, phase) != phases.end();
}

std::optional<Time> History::Instance::billed_until() const {
  if (is_stopped() && state == "pending") return std::nullopt;
  if (is_stopped()) return pauses.back().billed_until;
  return shutting_down_at ? shutting_down_at : terminated_at;
}

std::vector<std::pair<Time, Time>> History::Instance::stays(Time now) const {
  std::vector<std::pair<Time, Time>> stays;
  std::optional<Time> from = running_at;
  for (const Pause& pause : pauses) {
    if (from) stays.emplace_back(*from, pause.billed_until);
    from = pause.until;
  }
  if (from) stays.emplace_back(*from, billed_until().value_or(now));
  return stays;
}

std::optional<Time> History::Instance::runs_since() const {
  for (const Pause& pause : pauses | std::views::reverse)
    if (pause.until) return pause.until;
  return running_at;
}

std::optional<Time> History::Instance::first_notice_at() const {
  for (const Pause& pause : pauses)
    if (pause.notice_at) return pause.notice_at;
  return notice_at;
}

const History::Instance* History::instance(std::string_view id) const {
  const auto place = places.find(id);
  return place == places.end() ? nullptr : &instances[place->second];
}

bool History::is_managed(std::string_view id) const {
  const Instance* const found = instance(id);
  return found && !found->managed_by.empty();
}

std::size_t History::running_instances() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      instances, [](const Instance& i) { return !i.terminated_at && i.state != "stopped"; }));
}

bool History::is_active(std::string_view fleet) const {
  const auto found = fleets.find(fleet);
  return found != fleets.end() &&
         std::ranges::count(std::array{"submitted", "active", "modifying"}, found->second) > 0;
}

std::optional<std::int64_t> History::newest_durable(std::string_view broken) const {
  std::optional<std::int64_t> newest;
  for (const auto& [id, held] : checkpoints.holders) {
    const auto snapshot = snapshots.find(id);
    const bool of_it = snapshot != snapshots.end() && snapshot->second.state == "pending" &&
                       snapshot->second.volume == broken;
    if (id != broken && !of_it && !held.damaged) newest = std::max(newest, held.durable);
  }
  return newest;
}

std::string History::name_of(std::string_view resource) const {
  const auto found = tags.find(resource);
  if (found == tags.end()) return "";
  const auto name = found->second.all.find("Name");
  return name == found->second.all.end() ? "" : name->second;
}

}  // namespace sim::result
