#include "sim/run/planned_strikes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

namespace sim::run {
namespace {

constexpr const char* kTooEarly = "the run ended before";

// The instance with this number. Null if it was never launched.
const result::History::Instance* instance_of(std::int64_t number, const result::History& history) {
  if (number < 1 || number > std::ssize(history.instances)) return nullptr;
  return &history.instances[static_cast<std::size_t>(number - 1)];
}

// The reason why nothing could strike the run's n-th instance. Empty: the instance did run.
std::string never_there(std::int64_t number, const result::History& history) {
  const result::History::Instance* const instance = instance_of(number, history);
  if (!instance)
    return fmt::format("instance {} was never launched: the run launched {}", number,
                       history.instances.size());
  return instance->running_at ? "" : fmt::format("instance {} never ran", number);
}

// The number if a plan names a machine by the number of an instance, else 0.
std::int64_t number_of(const std::string& machine) {
  std::int64_t number = 0;
  const char* const end = machine.data() + machine.size();
  const auto [stop, error] = std::from_chars(machine.data(), end, number);
  return error == std::errc{} && stop == end ? number : 0;
}

// The number by which the fault names an instance, else 0.
std::int64_t instance_named_by(const faults::Fault& fault) {
  if (const auto* number = fault.arguments.find<std::int64_t>("instance")) return *number;
  if (const auto* call = std::get_if<faults::OnCall>(&fault.when)) return number_of(call->caller);
  if (const auto* request = std::get_if<faults::OnMetadata>(&fault.when))
    return number_of(request->instance);
  const auto* on = std::get_if<faults::OnEvent>(&fault.when);
  if (!on) return 0;
  for (const char* field : {"instance_id", "machine", "caller"})
    if (const auto found = on->fields.find(field); found != on->fields.end())
      if (const auto number = number_of(found->second)) return number;
  return 0;
}

struct Awaited {
  const char* what;
  int nth;
};

// The events that the fault counts. Empty if the fault waits for an instant.
std::optional<Awaited> awaited_by(const faults::Fault& fault) {
  if (const auto* on = std::get_if<faults::OnEvent>(&fault.when))
    return Awaited{"log lines", on->nth};
  if (const auto* on = std::get_if<faults::OnCall>(&fault.when)) return Awaited{"calls", on->nth};
  if (const auto* on = std::get_if<faults::OnMetadata>(&fault.when))
    return Awaited{"requests", on->nth};
  return {};
}

// The reason why an interruption did not strike an instance that ran.
std::string why_spared(const faults::Fault& fault, std::int64_t number,
                       const result::History& history) {
  const result::History::Instance& instance = *instance_of(number, history);
  if (instance.lifecycle != "spot")
    return fmt::format("instance {} is on demand: EC2 interrupts spot instances only", number);
  if (const auto* path = fault.arguments.find<std::string>("path"))
    return fmt::format("instance {} did not write {} bytes of {}", number,
                       fault.arguments.get<std::int64_t>("bytes"), *path);
  return instance.billed_until() ? fmt::format("instance {} ended before", number) : kTooEarly;
}

std::string remark_on(const faults::Fault& fault, const faults::Tally& tally,
                      const result::History* history) {
  if (!tally.not_undone.empty()) return "EC2 refused to undo it: " + tally.not_undone;
  if (tally.found > 0)
    return tally.unmet ? "it was active, but affected no call, request or transition" : "";
  if (!tally.part) return "`chance` excluded it with this seed";
  const std::int64_t number = history != nullptr ? instance_named_by(fault) : 0;
  if (std::string why = number > 0 ? never_there(number, *history) : ""; !why.empty()) return why;
  if (fault.interruption && number > 0) return why_spared(fault, number, *history);
  if (std::holds_alternative<faults::Lifetime>(fault.when))
    return "no spot instance ran for as long as its drawn lifetime";
  if (fault.interruption && tally.strikes > 0)
    return fmt::format("no spot instance of {} ran then",
                       to_string(fault.arguments.get<market::Pool>("pool")));
  if (!tally.refusal.empty()) return "EC2 refused it: " + tally.refusal;
  if (tally.strikes > 0) return "it found no target";
  const auto awaited = awaited_by(fault);
  if (!awaited || tally.seen >= awaited->nth) return kTooEarly;
  return fmt::format("{} of {} such {} came", tally.seen, awaited->nth, awaited->what);
}

// `history` is null if its instances have other numbers than the plan's.
std::vector<result::PlannedStrike> strikes_of(const faults::Plan& plan, const std::string& key,
                                              std::span<const faults::Tally> tallies,
                                              const result::History* history) {
  std::vector<result::PlannedStrike> all;
  for (std::size_t i = 0; i < plan.size(); ++i)
    all.push_back(
        {.entry = fmt::format("{}[{}]", key, i),
         .plan = plan[i].interruption ? plan[i].interruption->text : faults::to_yaml(plan[i]),
         .strikes = tallies[i].found,
         .remark = remark_on(plan[i], tallies[i], history),
         .names_instance = instance_named_by(plan[i]) > 0,
         .part = tallies[i].part});
  return all;
}

}  // namespace

std::vector<result::PlannedStrike> planned_strikes(const scenario::Region& region,
                                                   const std::vector<faults::Tally>& tallies,
                                                   const result::History& history,
                                                   const std::string& prefix) {
  const std::span<const faults::Tally> all(tallies);
  const std::size_t faults = region.faults.size();
  const result::History* const known = prefix.empty() ? &history : nullptr;
  auto list =
      strikes_of(region.interruptions, prefix + "interruptions", all.subspan(faults), known);
  std::ranges::copy(strikes_of(region.faults, prefix + "faults", all.first(faults), known),
                    std::back_inserter(list));
  return list;
}

}  // namespace sim::run
