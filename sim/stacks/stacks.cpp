#include "sim/stacks/stacks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sim/stacks/operation.h"

namespace sim::stacks {
namespace {

// Checks for "[a-zA-Z][-a-zA-Z0-9]*" with at most 128 characters.
void check_name(const std::string& name, const char* member) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
  if (!name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
      std::ranges::all_of(name, plain) && name.size() <= 128)
    return;
  throw invalid(fmt::format(
      "1 validation error detected: Value '{}' at '{}' failed to satisfy constraint: Member must "
      "{}",
      name, member,
      name.size() > 128 ? "have length less than or equal to 128"
                        : "satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*"));
}

// The states from which a stack can be updated (CloudFormation User Guide, "Stack status codes").
constexpr std::string_view kUpdatable[] = {
    "CREATE_COMPLETE",          "CREATE_FAILED", "UPDATE_COMPLETE", "UPDATE_FAILED",
    "UPDATE_ROLLBACK_COMPLETE",
};

}  // namespace

Stacks::Stacks(Simulation& simulation, EventLog& log, const Streams& streams, ResourceTypes& types,
               Account account, Timing timing)
    : simulation_(simulation),
      log_(log),
      types_(types),
      account_(std::move(account)),
      timing_(timing),
      ids_(streams.stream("cloudformation-id")) {}

Stacks::~Stacks() = default;

// ---- operations

const Stack& Stacks::create(const StackRequest& request) {
  check_name(request.name, "stackName");
  Stack* const there = find(request.name);
  if (there && !there->in_review())
    throw ApiError("AlreadyExistsException", "Stack [" + request.name + "] already exists");
  Description described = describe(request, nullptr);
  Stack& stack = there ? *there : add(request.name);
  stack.now = std::move(described);
  stack.actor = {request.caller, stack.now.role_arn};
  stack.token = request.token;
  stack.on_failure = request.on_failure;
  stack.timeout_minutes = request.timeout_minutes;
  stack.termination_protection = request.termination_protection;
  operation(stack).create();
  return stack;
}

const Stack& Stacks::update(const StackRequest& request) {
  Stack* const found = find(request.name);
  if (!found) throw invalid(fmt::format("Stack [{}] does not exist", request.name));
  Stack& stack = *found;
  check_updatable(stack);
  Description next = describe(request, &stack);
  if (!is_changed(stack, next)) throw invalid("No updates are to be performed.");
  stack.actor = {request.caller, next.role_arn};
  stack.token = request.token;
  stack.on_failure = request.on_failure;
  operation(stack).update(std::move(next));
  return stack;
}

void Stacks::remove(const DeletionRequest& request) {
  Stack* const stack = find(request.name);
  if (!stack || stack->is_deleted() || stack->status == row_of(Phase::kDelete).in_progress) return;
  if (stack->termination_protection)
    throw invalid(fmt::format("Stack [{}] cannot be deleted while TerminationProtection is enabled",
                              stack->name));
  if (stack->in_progress() && stack->status.starts_with("UPDATE_"))
    throw invalid(
        fmt::format("Stack [{}] cannot be deleted while in status {}", stack->id, stack->status));
  if (!request.retain.empty() && stack->status != row_of(Phase::kDelete).failed)
    throw invalid(
        "Invalid operation on stack [" + stack->id +
        "]. When the stack is not in the DELETE_FAILED state, you can't specify resources to "
        "retain.");
  for (const Output& output : stack->now.outputs) {
    const auto users = importers(output.export_name);
    if (!output.export_name.empty() && !users.empty())
      throw invalid(fmt::format("Export {} cannot be deleted as it is in use by {}",
                                output.export_name, fmt::join(users, ", ")));
  }
  const std::string role = request.role_arn.empty() ? stack->now.role_arn : request.role_arn;
  if (!role.empty()) types_.check_role(role);
  stack->token = request.token;
  stack->now.role_arn = role;
  stack->actor = {request.caller, role};
  operation(*stack).remove(request.retain);
}

void Stacks::cancel_update(const std::string& name, const std::string& token) {
  Stack& stack = get(name);
  if (stack.status != row_of(Phase::kUpdate).in_progress)
    throw invalid("CancelUpdateStack cannot be called from current stack status");
  stack.token = token;
  operation(stack).cancel_update();
}

void Stacks::signal(const std::string& name, const std::string& logical_id, Signal signal) {
  Stack& stack = get(name);
  const auto found = stack.now.resources.find(logical_id);
  if (found == stack.now.resources.end())
    throw invalid(fmt::format("Resource {} does not exist for stack {}", logical_id, stack.name));
  if (!found->second.status.ends_with("_IN_PROGRESS"))
    throw invalid(fmt::format("Resource {} is in {} state and cannot be signaled", logical_id,
                              found->second.status));
  auto& signals = stack.signals[logical_id];
  if (std::ranges::count(signals, signal.unique_id, &Signal::unique_id) > 0) return;
  signals.push_back(signal);
  operation(stack).signalled(logical_id, signal);
}

const Stack& Stacks::protect(const std::string& name, bool protection) {
  Stack& stack = get(name);
  stack.termination_protection = protection;
  return stack;
}

// ---- reads

Stack* Stacks::find(const std::string& name) const {
  const auto found = std::ranges::find_if(stacks_, [&](const auto& stack) {
    return stack->id == name || (stack->name == name && !stack->is_deleted());
  });
  return found == stacks_.end() ? nullptr : found->get();
}

Stack& Stacks::get(const std::string& name) const {
  Stack* const found = find(name);
  if (!found) throw invalid(fmt::format("Stack with id {} does not exist", name));
  return *found;
}

const Stack& Stacks::stack(const std::string& name) const { return get(name); }

std::vector<Export> Stacks::exports() const {
  std::vector<Export> all;
  for (const auto& stack : stacks_)
    for (const Output& output : stack->now.outputs)
      if (!output.export_name.empty()) all.push_back({output.export_name, output.value, stack->id});
  std::ranges::sort(all, {}, &Export::name);
  return all;
}

std::vector<std::string> Stacks::importers(const std::string& export_name) const {
  std::vector<std::string> names;
  for (const auto& stack : stacks_)
    if (!stack->is_deleted() && stack->now.imports.contains(export_name))
      names.push_back(stack->name);
  return names;
}

bool Stacks::any_in_progress() const {
  return std::ranges::any_of(stacks_, [](const auto& stack) { return stack->in_progress(); });
}

// ---- functions shared by operations and change sets

Stack& Stacks::add(const std::string& name) {
  auto& stack = stacks_.emplace_back(std::make_unique<Stack>());
  stack->name = name;
  stack->id = arn("stack", name);
  stack->created = simulation_.now();
  return *stack;
}

Stacks::Operation& Stacks::operation(Stack& stack) {
  auto& made = operations_[stack.id];
  if (!made) made = std::make_unique<Operation>(*this, stack);
  return *made;
}

PseudoParameters Stacks::pseudo(const Stack& stack) const {
  return {.account_id = account_.id,
          .region = account_.region,
          .stack_name = stack.name,
          .stack_id = stack.id,
          .notification_arns = stack.now.notification_arns};
}

Json Stacks::metadata(const Stack& stack, const std::string& logical_id) const {
  const Evaluation evaluation(types_, pseudo(stack), stack.now,
                              [this](const std::string& name) { return exported(name); });
  const Resource& resource = stack.now.resources.at(logical_id);
  try {
    return evaluation.metadata(resource);
  } catch (const ApiError&) {  // a referenced resource is gone, as in a deleted stack
    return resource.definition.metadata;
  }
}

std::string Stacks::exported(const std::string& name) const {
  for (const Export& one : exports())
    if (one.name == name) return one.value;
  throw invalid(fmt::format("No export named {} found", name));
}

void Stacks::check_updatable(const Stack& stack) const {
  if (std::ranges::find(kUpdatable, stack.status) == std::end(kUpdatable))
    throw invalid(
        fmt::format("Stack:{} is in {} state and can not be updated.", stack.id, stack.status));
}

std::string Stacks::uuid() {
  const std::uint64_t a = ids_.next(), b = ids_.next();
  return fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                     b >> 48 & 0xfff, b & 0xffff'ffff'ffff);
}

std::string Stacks::arn(std::string_view kind, const std::string& name) {
  return fmt::format("arn:aws:cloudformation:{}:{}:{}/{}/{}", account_.region, account_.id, kind,
                     name, uuid());
}

}  // namespace sim::stacks
