// Runs one step of an operation: calls the service, and waits until the resource is ready.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "sim/stacks/difference.h"
#include "sim/stacks/operation.h"

namespace sim::stacks {
namespace {

constexpr Duration kPause = 5s;  // between polls, and before a refused call is repeated
constexpr Duration kRetries = 10min;
constexpr Duration kSettling = 1h;  // after this time a resource that is not ready has failed

// Transient errors, after which CloudFormation repeats the call.
constexpr std::string_view kPassing[] = {
    "Throttling",  "ThrottlingException", "RequestLimitExceeded", "InternalError",
    "Unavailable", "ServiceUnavailable",  "InternalFailure",      "SlowDown",
};
// Errors that are transient when a resource is removed: another resource still uses it.
constexpr std::string_view kPassingInRemoval[] = {
    "DependencyViolation", "IncorrectState", "IncorrectInstanceState",    "VolumeInUse",
    "DeleteConflict",      "ResourceInUse",  "ScalingActivityInProgress",
};

bool is_passing(const ApiError& error, bool removal) {
  const auto among = [&](std::span<const std::string_view> codes) {
    return std::ranges::find(codes, error.code()) != codes.end();
  };
  return among(kPassing) || (removal && among(kPassingInRemoval));
}

// Parses a duration such as "PT1H15M30S". Returns empty for other texts.
std::optional<Duration> iso_duration(std::string_view text) {
  if (!text.starts_with("PT")) return {};
  Duration sum{};
  for (text.remove_prefix(2); !text.empty();) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size()) return {};
    constexpr std::pair<char, Duration> kUnits[] = {{'H', 1h}, {'M', 1min}, {'S', 1s}};
    const auto unit = std::ranges::find(kUnits, *end, &std::pair<char, Duration>::first);
    if (unit == std::end(kUnits)) return {};
    sum += number * unit->second;
    text.remove_prefix(static_cast<std::size_t>(end + 1 - text.data()));
  }
  return sum;
}

constexpr std::string_view kPrefixes[] = {"CREATE_", "UPDATE_", "DELETE_"};

struct SignalPolicy {
  int count = 1;
  Duration timeout = 5min;
};

// Reads a CreationPolicy: {ResourceSignal: {Count: 1, Timeout: PT15M}}.
std::optional<SignalPolicy> signal_policy(const Json& policy) {
  if (!policy.is_object() || !policy.contains("ResourceSignal")) return {};
  SignalPolicy made;
  const Json& signal = policy.at("ResourceSignal");
  if (!signal.is_object()) return made;
  if (const auto count = signal.find("Count"); count != signal.end() && count->is_string()) {
    const auto& digits = count->get_ref<const std::string&>();
    std::from_chars(digits.data(), digits.data() + digits.size(), made.count);
  }
  if (const auto timeout = signal.find("Timeout"); timeout != signal.end() && timeout->is_string())
    made.timeout = iso_duration(timeout->get<std::string>()).value_or(made.timeout);
  return made;
}

}  // namespace

Resource& Stacks::Operation::resource_of(Step& step) {
  return step.action == Action::kDelete ? step.old : stack_.now.resources.at(step.id);
}

Handle Stacks::Operation::handle(Step& step) {
  Handle made = handle_of(pseudo(), resource_of(step), stack_.actor);
  made.disposal = step.disposal;
  made.since = step.since;
  return made;
}

bool Stacks::Operation::skipped(const Resource& resource) const {
  return stacks_.types_.is_skipped(resource.definition.type);
}

// Sets the status of the step's resource, such as CREATE_IN_PROGRESS, and adds an event. If an
// update or a cleanup removes the resource, it is not the stack's present resource of that ID.
void Stacks::Operation::set_status(Step& step, std::string_view outcome,
                                   const std::string& reason) {
  Resource& resource = resource_of(step);
  resource.status =
      std::string(kPrefixes[static_cast<std::size_t>(step.action)]) + std::string(outcome);
  resource.reason = reason;
  resource.changed = stacks_.simulation_.now();
  if (step.action == Action::kDelete) {
    const auto present = stack_.now.resources.find(step.id);
    if (present != stack_.now.resources.end() &&
        present->second.physical_id == resource.physical_id) {
      present->second.status = resource.status;
      present->second.reason = reason;
      present->second.changed = resource.changed;
    }
  }
  stacks_.log_.append(
      events::StackResource{.time = resource.changed,
                            .stack = stack_.name,
                            .logical_id = step.id,
                            .type = resource.definition.type,
                            .status = resource.status,
                            .physical_id = resource.physical_id,
                            .reason = reason,
                            .skipped = skipped(resource) ? std::optional(true) : std::nullopt});
  add_event({.logical_id = step.id,
             .physical_id = resource.physical_id,
             .type = resource.definition.type,
             .status = resource.status,
             .reason = reason,
             .properties = resource.properties.is_null() ? "" : resource.properties.dump()});
}

void Stacks::Operation::start(std::size_t at) {
  Step& step = steps_[at];
  step.state = State::kRunning;
  step.since = stacks_.simulation_.now();
  if (step.action == Action::kUpdate) {
    try {
      start_update(step);
    } catch (const ApiError& error) {
      return fail(step, error.what());
    }
    if (step.state == State::kDone) return;
  } else if (step.action == Action::kDelete && step.disposal == Disposal::kRetain) {
    set_status(step, "SKIPPED");
    step.state = State::kDone;
    return;
  } else {
    set_status(step, "IN_PROGRESS");
  }
  later(stacks_.timing_.call, [this, at] { call(at); });
}

// Compares the resource's new properties with its present ones. The step then has nothing to do,
// changes the resource in place, or creates a new one.
void Stacks::Operation::start_update(Step& step) {
  Resource& resource = resource_of(step);
  if (!resource.exists()) {
    step.action = Action::kCreate;
    made_.push_back(step.id);
    return set_status(step, "IN_PROGRESS");
  }
  step.properties = evaluation().properties(resource);
  const std::string before = before_.resources.contains(step.id)
                                 ? before_.resources.at(step.id).definition.type
                                 : resource.definition.type;
  const Difference difference =
      compare(stacks_.types_.find(resource.definition.type), {before, resource.properties},
              {resource.definition.type, step.properties});
  if (difference.properties.empty() && !difference.replaces) {
    step.state = State::kDone;
    return;
  }
  if (!difference.replaces) {
    touched_.push_back(step.id);
    return set_status(step, "IN_PROGRESS");
  }
  if (phase_ == Phase::kUpdate) {
    Resource old = before_.resources.at(step.id);
    discarded_.push_back({std::move(old), resource.definition.replacement});
    made_.push_back(step.id);
  }
  set_status(step, "IN_PROGRESS",
             "Requested update requires the creation of a new physical resource; hence creating "
             "one.");
  step.makes = true;
}

void Stacks::Operation::call(std::size_t at) {
  Step& step = steps_[at];
  try {
    act(step);
  } catch (const ApiError& error) {
    const bool again = is_passing(error, step.action == Action::kDelete) &&
                       stacks_.simulation_.now() - step.since < kRetries;
    if (again) return later(pause(step), [this, at] { call(at); });
    return fail(step, error.what());
  }
  step.called = true;
  const Traits* traits = stacks_.types_.find(resource_of(step).definition.type);
  const bool makes = step.action == Action::kCreate || step.makes;
  Duration until_ready = stacks_.timing_.call;
  if (traits && makes && stacks_.timing_.eager_looks == 0)
    until_ready = std::max(traits->least, until_ready);
  later(until_ready, [this, at] { poll(at); });
}

Duration Stacks::Operation::pause(Step& step) {
  return step.looks++ < stacks_.timing_.eager_looks ? Duration{} : kPause;
}

// Calls the service.
void Stacks::Operation::act(Step& step) {
  Resource& resource = resource_of(step);
  if (skipped(resource)) {
    if (step.action != Action::kDelete)
      resource.physical_id = stack_.name + "-" + step.id + "-skipped";
    return;
  }
  if (step.action == Action::kDelete) return stacks_.types_.remove(handle(step));
  const bool makes = step.action == Action::kCreate || step.makes;
  if (!makes) {
    const Json before = std::exchange(resource.properties, step.properties);
    try {
      stacks_.types_.update(handle(step), before);
    } catch (const ApiError&) {
      resource.properties = before;
      throw;
    }
    return;
  }
  const Json properties = evaluation().properties(resource);
  Handle made = handle(step);
  made.properties = properties;
  made.physical_id.clear();
  const auto exists = [&](const std::string& id) {
    resource.physical_id = id;
    resource.properties = properties;
  };
  try {
    exists(stacks_.types_.create(made));
  } catch (const PartlyCreated& error) {
    exists(error.physical_id);
    throw;
  }
  set_status(step, "IN_PROGRESS", "Resource creation Initiated");
}

void Stacks::Operation::poll(std::size_t at) {
  Step& step = steps_[at];
  try {
    if (is_over(step)) {
      done(step);
      return advance();
    }
  } catch (const ApiError& error) {
    return fail(step, error.what());
  }
  if (stacks_.simulation_.now() - step.since > kSettling)
    return fail(step, "Exceeded attempts to wait");
  later(pause(step), [this, at] { poll(at); });
}

// Whether the step is complete. Throws ApiError if the resource failed.
bool Stacks::Operation::is_over(Step& step) {
  if (skipped(resource_of(step))) return true;
  if (step.action == Action::kDelete) return stacks_.types_.is_gone(handle(step));
  if (!stacks_.types_.is_ready(handle(step))) return false;
  return (step.action != Action::kCreate && !step.makes) || has_signals(step);
}

// Whether the resource has received the signals of its CreationPolicy (CloudFormation User Guide).
// Throws ApiError after a failure signal, and if too few signals arrive in time.
bool Stacks::Operation::has_signals(Step& step) {
  const auto policy = signal_policy(resource_of(step).definition.creation_policy);
  if (!policy) return true;
  const auto& signals = stack_.signals[step.id];
  const auto failures = std::ranges::count(signals, false, &Signal::success);
  if (failures > 0)
    throw invalid(
        fmt::format("Received {} FAILURE signal(s) out of {}. Unable to satisfy 100% "
                    "MinSuccessfulInstancesPercent requirement",
                    failures, policy->count));
  if (signals.size() >= static_cast<std::size_t>(std::max(policy->count, 0))) return true;
  if (stacks_.simulation_.now() - step.since > policy->timeout)
    throw invalid(
        fmt::format("Failed to receive {} resource signal(s) within the specified "
                    "duration",
                    static_cast<std::size_t>(policy->count) - signals.size()));
  return false;
}

void Stacks::Operation::done(Step& step) {
  step.state = State::kDone;
  const Resource& resource = resource_of(step);
  set_status(
      step, "COMPLETE",
      skipped(resource) ? "The scenario skips the resource type " + resource.definition.type : "");
  if (step.action != Action::kDelete) return;
  const auto present = stack_.now.resources.find(step.id);
  if (present != stack_.now.resources.end() && present->second.physical_id == resource.physical_id)
    present->second.physical_id.clear();
}

void Stacks::Operation::fail(Step& step, const std::string& reason) {
  step.state = State::kFailed;
  set_status(step, "FAILED", reason);
  if (row_of(phase_).stops_at_failure) return fail_all("");
  advance();
}

}  // namespace sim::stacks
