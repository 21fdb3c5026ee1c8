// The steps of each phase, and the steps that each step waits for.
#include <algorithm>
#include <utility>

#include "sim/stacks/operation.h"

namespace sim::stacks {

// Makes steps that create or update resources. Each step waits for the steps of the resources that
// its resource depends on.
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

// Steps for each resource of the new template. The cleanup removes the resources that only the old
// template has.
std::vector<Stacks::Operation::Step> Stacks::Operation::updates() {
  for (const auto& [id, resource] : before_.resources)
    if (resource.exists() && !stack_.now.resources.contains(id))
      discarded_.push_back({resource, resource.definition.deletion});
  std::vector<std::string> ids;
  for (const auto& [id, unused] : stack_.now.resources) ids.push_back(id);
  return in_order_of_needs(Action::kUpdate, ids);
}

// Steps that restore the description before the update. Resources that the update changed in place
// are changed back. The cleanup removes resources that the update created.
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

// Steps that remove resources. Each resource is removed after all resources that depend on it.
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

// Steps that remove all of the stack's resources, and those that an interrupted update had not
// cleaned up yet.
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
