// Change sets: what an update would change, and the stored updates that a client can execute.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/stacks/difference.h"
#include "sim/stacks/evaluation.h"
#include "sim/stacks/operation.h"

namespace sim::stacks {
namespace {}  // namespace

// Lists what an update to `next` would change. Resources are compared in the order of their
// dependencies. So if a resource is replaced, the resources that refer to it change, too.
std::vector<Change> Stacks::changes(const Stack& stack, const Description& next) const {
  Description present = next;
  std::set<std::string> unknown, seen;
  std::vector<Change> all;
  for (auto& [id, resource] : present.resources) {
    const auto old = stack.now.resources.find(id);
    if (old == stack.now.resources.end()) continue;
    resource.physical_id = old->second.physical_id;
    resource.properties = old->second.properties;
  }
  const auto compare_one = [&](const std::string& id, const Resource& resource) {
    if (!resource.exists()) {
      all.push_back({"Add", id, "", resource.definition.type});
      return;
    }
    const Evaluation evaluation(
        types_, pseudo(stack), present, [this](const std::string& name) { return exported(name); },
        unknown);
    const Json properties = evaluation.properties(resource);
    const Resource& old = stack.now.resources.at(id);
    const Difference difference =
        compare(types_.find(resource.definition.type), {old.definition.type, old.properties},
                {resource.definition.type, properties});
    if (difference.properties.empty() && !difference.replaces) return;
    if (difference.replaces) unknown.insert(id);
    all.push_back({"Modify", id, resource.physical_id, resource.definition.type,
                   difference.replaces, difference.properties});
  };
  while (seen.size() < present.resources.size())
    for (const auto& [id, resource] : present.resources)
      if (!seen.contains(id) && std::ranges::includes(seen, resource.needs)) {
        compare_one(id, resource);
        seen.insert(id);
      }
  for (const auto& [id, resource] : stack.now.resources)
    if (resource.exists() && !present.resources.contains(id))
      all.push_back({"Remove", id, resource.physical_id, resource.definition.type});
  std::ranges::sort(all, {}, &Change::logical_id);
  return all;
}

bool Stacks::is_changed(const Stack& stack, const Description& next) const {
  if (!changes(stack, next).empty() || stack.now.tags != next.tags) return true;
  Description present = next;
  for (auto& [id, resource] : present.resources)
    resource.physical_id = stack.now.resources.at(id).physical_id,
    resource.properties = stack.now.resources.at(id).properties;
  const Evaluation evaluation(types_, pseudo(stack), present,
                              [this](const std::string& name) { return exported(name); });
  const auto same = [](const Output& a, const Output& b) {
    return a.name == b.name && a.value == b.value && a.export_name == b.export_name &&
           a.description == b.description;
  };
  return !std::ranges::equal(evaluation.outputs(), stack.now.outputs, same);
}

ChangeSet& Stacks::get_change_set(const std::string& stack, const std::string& set) const {
  for (const auto& owner : stacks_)
    for (ChangeSet& one : owner->change_sets) {
      const bool by_name =
          one.name == set && (owner->id == stack || owner->name == stack) && !owner->is_deleted();
      if (one.id == set || by_name) return one;
    }
  throw ApiError("ChangeSetNotFound", fmt::format("ChangeSet [{}] does not exist", set), 404);
}

Stacks::FoundChangeSet Stacks::change_set(const std::string& stack, const std::string& set) const {
  const ChangeSet& found = get_change_set(stack, set);
  const auto owner = std::ranges::find_if(stacks_, [&](const auto& one) {
    return std::ranges::any_of(one->change_sets, [&](const auto& its) { return &its == &found; });
  });
  return {**owner, found};
}

const ChangeSet& Stacks::create_change_set(const StackRequest& request,
                                           const ChangeSetRequest& asked) {
  const bool creates = asked.kind == "CREATE";
  Stack* stack = find(request.name);
  if (creates && stack && !stack->in_review())
    throw invalid(fmt::format(
        "Stack [{}] already exists and cannot be created again with the changeSet [{}].",
        request.name, asked.name));
  if (!creates && !stack) throw invalid(fmt::format("Stack [{}] does not exist", request.name));
  if (!creates && stack->in_review())
    throw invalid(fmt::format("Stack [{}] does not exist", request.name));
  if (!creates) check_updatable(*stack);
  if (stack && std::ranges::count(stack->change_sets, asked.name, &ChangeSet::name) > 0)
    throw ApiError("AlreadyExistsException",
                   fmt::format("ChangeSet {} cannot be created due to a mismatch with existing "
                               "attribute Template",
                               asked.name));
  Description next = describe(request, creates ? nullptr : stack);
  if (!stack) {
    stack = &add(request.name);
    stack->now.of = next.of;
    operation(*stack).review();
  }
  stack->change_sets.push_back({.name = asked.name,
                                .id = arn("changeSet", asked.name),
                                .description = asked.description,
                                .status = "CREATE_IN_PROGRESS",
                                .execution_status = "UNAVAILABLE",
                                .kind = asked.kind,
                                .created = simulation_.now(),
                                .next = std::move(next)});
  simulation_.after(timing_.computing, [this, stack, id = stack->change_sets.back().id] {
    const auto set = std::ranges::find(stack->change_sets, id, &ChangeSet::id);
    if (set != stack->change_sets.end()) fill(*set, *stack);
  });
  return stack->change_sets.back();
}

// Computes the changes of the set, its status and the reason.
void Stacks::fill(ChangeSet& set, const Stack& stack) const {
  set.status = "FAILED";
  try {
    set.changes = changes(stack, set.next);
    const bool any = set.kind == "CREATE" || is_changed(stack, set.next);
    if (any) {
      set.status = "CREATE_COMPLETE";
      set.execution_status = "AVAILABLE";
    } else {
      set.reason =
          "The submitted information didn't contain changes. Submit different information to "
          "create a change set.";
    }
  } catch (const ApiError& error) {
    set.reason = error.what();
  }
}

void Stacks::execute_change_set(const ExecutionRequest& request) {
  const FoundChangeSet found = change_set(request.stack, request.set);
  if (found.set.execution_status != "AVAILABLE")
    throw ApiError("InvalidChangeSetStatus",
                   fmt::format("ChangeSet [{}] cannot be executed in its current status of [{}]",
                               found.set.id, found.set.status));
  Stack& stack = get(found.stack.id);
  if (found.set.kind != "CREATE") check_updatable(stack);
  Description next = found.set.next;
  if (!next.role_arn.empty()) types_.check_role(next.role_arn);
  const bool creates = found.set.kind == "CREATE";
  stack.actor = {request.caller, next.role_arn};
  stack.token = request.token;
  stack.on_failure = request.disable_rollback ? OnFailure::kDoNothing : OnFailure::kRollback;
  stack.change_set_id = found.set.id;
  stack.change_sets.clear();  // executing one change set deletes all
  if (creates) {
    stack.now = std::move(next);
    operation(stack).create();
  } else {
    operation(stack).update(std::move(next));
  }
}

void Stacks::delete_change_set(const std::string& stack_name, const std::string& set_name) {
  try {
    const FoundChangeSet found = change_set(stack_name, set_name);
    std::erase_if(get(found.stack.id).change_sets,
                  [id = found.set.id](const ChangeSet& one) { return one.id == id; });
  } catch (const ApiError& error) {
    if (error.code() != "ChangeSetNotFound") throw;  // deleting what does not exist succeeds
  }
}

}  // namespace sim::stacks
