#include "sim/vpc/placement_groups.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace sim::vpc {
namespace {

using State = PlacementGroups::Member::State;

// EC2 User Guide, "Rules and limitations for placement groups".
constexpr int kSpreadInZone = 7;

}  // namespace

const PlacementGroup& PlacementGroups::create(const std::string& name, const std::string& strategy,
                                              int partitions) {
  if (named(name))
    throw ApiError("InvalidPlacementGroup.Duplicate",
                   fmt::format("The placement group '{}' already exists.", name));
  return table.add(
      {.id = ids_.next("pg"), .name = name, .strategy = strategy, .partitions = partitions});
}

void PlacementGroups::remove(const std::string& name) {
  const std::string id = find(name).id;
  for (const auto& [instance, member] : members_)
    if (member.group == name)
      throw ApiError(
          "InvalidPlacementGroup.InUse",
          fmt::format("The placement group '{}' is in use and may not be deleted.", name));
  table.erase(id);
}

const PlacementGroup* PlacementGroups::named(const std::string& name) const {
  return table.first([&](const PlacementGroup& group) { return group.name == name; });
}

bool PlacementGroups::is_cluster(const std::string& name) const {
  const PlacementGroup* const group = named(name);
  return group && group->strategy == "cluster";
}

const PlacementGroup& PlacementGroups::find(const std::string& name) const {
  if (const PlacementGroup* const found = named(name)) return *found;
  throw ApiError("InvalidPlacementGroup.Unknown",
                 fmt::format("The Placement Group '{}' is unknown.", name));
}

void PlacementGroups::check(const std::string& name, int partition) const {
  if (name.empty() && partition == 0) return;
  if (name.empty())
    throw ApiError("InvalidParameterCombination",
                   "A partition number needs the name of a placement group.");
  const PlacementGroup& group = find(name);
  if (partition < 0 || partition > group.partitions)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value ({}) for parameter partitionNumber is invalid. The placement "
                               "group '{}' has {} partitions.",
                               partition, name, group.partitions));
}

ApiError PlacementGroups::refusal(const std::string& name, const std::string& zone) const {
  constexpr int kServerError = 500;
  const std::string present = zone_of(name);
  if (!present.empty() && present != zone)
    return {"InvalidPlacementGroup.InUse",
            fmt::format("The placement group '{}' is in use in another availability zone: {}", name,
                        present)};
  return {
      "InsufficientInstanceCapacity",
      fmt::format("We currently do not have sufficient capacity to launch all of the additional "
                  "requested instances into Placement Group '{}'.",
                  name),
      kServerError};
}

int PlacementGroups::room(const std::string& name, const std::string& zone) const {
  constexpr int kUnlimited = std::numeric_limits<int>::max();
  const PlacementGroup* const group = name.empty() ? nullptr : named(name);
  if (!group) return kUnlimited;
  if (group->strategy == "cluster") {
    const std::string present = zone_of(name);
    return present.empty() || present == zone ? kUnlimited : 0;
  }
  if (group->strategy != "spread") return kUnlimited;
  const auto runs = [&](const auto& entry) {
    const Member& member = entry.second;
    return member.group == name && member.zone == zone && member.state == State::kRunning;
  };
  return std::max(0, kSpreadInZone - static_cast<int>(std::ranges::count_if(members_, runs)));
}

std::string PlacementGroups::zone_of(const std::string& name) const {
  if (!is_cluster(name)) return "";
  for (const auto& [instance, member] : members_)
    if (member.group == name && member.state != State::kEnding) return member.zone;
  return "";
}

int PlacementGroups::join(const std::string& instance, const Member& wish) {
  if (wish.group.empty()) return 0;
  Member member = wish;
  std::vector<int> counts(static_cast<std::size_t>(find(wish.group).partitions));
  for (const auto& [id, other] : members_)
    if (other.group == wish.group && other.partition > 0)
      ++counts[static_cast<std::size_t>(other.partition) - 1];
  if (member.partition == 0 && !counts.empty())
    member.partition = static_cast<int>(std::ranges::min_element(counts) - counts.begin()) + 1;
  return members_.insert_or_assign(instance, member).first->second.partition;
}

void PlacementGroups::set_state(const std::string& instance, Member::State state) {
  if (const auto found = members_.find(instance); found != members_.end())
    found->second.state = state;
}

}  // namespace sim::vpc
