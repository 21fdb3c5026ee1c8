// Which steps each phase of an operation has, and which wait for which.
#include <algorithm>
#include <utility>

#include "sim/stacks/operation.h"

namespace sim::stacks {

// A step that makes or changes a resource waits for those of the resources that it needs.
std::vector<Stacks::Operation::Step> Stacks::Operation::in_order_of_needs(
    Action action, const std::vector<std::string>& ids) const {
  std::vector<Step> steps;
  std::map<std::string, std::size_t> place;
  for (const std::string& id : ids) {
    place[id] = steps.size();
    steps.push_back({.action = action, .id = id});
  }
  for (Step& step : steps)
    for (const std::string& need : stack_.now.resources.at(step.id).needs)
      if (const auto found = place.find(need); found != place.end())
        step.after.push_back(found->second);
  return steps;
}

std::vector<Stacks::Operation::Step> Stacks::Operation::creations() const {
  std::vector<std::string> ids;
  for (const auto& [id, unused] : stack_.now.resources) ids.push_back(id);
  return in_order_of_needs(Action::kCreate, ids);
}

// Each resource of the new template; those that the old one alone has go in the cleanup.
std::vector<Stacks::Operation::Step> Stacks::Operation::updates() {
  for (const auto& [id, resource] : before_.resources)
    if (resource.exists() && !stack_.now.resources.contains(id))
      discarded_.push_back({resource, resource.definition.deletion});
  std::vector<std::string> ids;
  for (const auto& [id, unused] : stack_.now.resources) ids.push_back(id);
  return in_order_of_needs(Action::kUpdate, ids);
}

// Returns to the description before the update. What the update made goes in the cleanup, and what
// it changed in place is changed back.
std::vector<Stacks::Operation::Step> Stacks::Operation::restorations() {
  discarded_.clear();
  for (const std::string& id : made_) {
    const Resource& made = stack_.now.resources.at(id);
    const auto old = before_.resources.find(id);
    const bool failed =
        old != before_.resources.end() && old->second.physical_id == made.physical_id;
    if (made.exists() && !failed) discarded_.push_back({made, Disposal::kDelete});
  }
  std::map<std::string, Json> present;
  std::vector<std::string> changed;
  for (const std::string& id : touched_) {
    const auto old = before_.resources.find(id);
    if (old == before_.resources.end() || std::ranges::count(made_, id) > 0) continue;
    present[id] = stack_.now.resources.at(id).properties;
    changed.push_back(id);
  }
  stack_.now = before_;
  for (auto& [id, properties] : present)
    stack_.now.resources.at(id).properties = std::move(properties);
  return in_order_of_needs(Action::kUpdate, changed);
}

// A resource is removed after every resource that needs it.
std::vector<Stacks::Operation::Step> Stacks::Operation::removals(std::vector<Discarded> resources) {
  std::vector<Step> steps;
  for (Discarded& one : resources)
    steps.push_back({.action = Action::kDelete,
                     .id = one.resource.definition.id,
                     .old = std::move(one.resource),
                     .disposal = one.disposal});
  for (Step& step : steps)
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps[i].old.needs.contains(step.id)) step.after.push_back(i);
  return steps;
}

std::vector<Stacks::Operation::Step> Stacks::Operation::cleanups() {
  return removals(std::exchange(discarded_, {}));
}

// All of the stack's resources, and what an interrupted update had yet to clean up.
std::vector<Stacks::Operation::Step> Stacks::Operation::deletions(bool on_create) {
  std::vector<Discarded> all = std::exchange(discarded_, {});
  for (const auto& [id, resource] : stack_.now.resources) {
    if (!resource.exists()) continue;
    Disposal disposal = resource.definition.deletion;
    if (disposal == Disposal::kRetainExceptOnCreate)
      disposal = on_create ? Disposal::kDelete : Disposal::kRetain;
    all.push_back({resource, disposal});
  }
  return removals(std::move(all));
}

}  // namespace sim::stacks
