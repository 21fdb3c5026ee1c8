#include "sim/faults/ongoing_faults.h"

namespace sim::faults {
namespace {

bool names(std::string_view pattern, std::string_view name) {
  return pattern.empty() || pattern == name;
}

}  // namespace

// Counts a call, and removes troubles that have ended.
template <class Trouble>
Trouble* OngoingFaults::first_of(std::vector<Trouble>& list, auto&& matches) {
  const Time now = simulation_.now();
  std::erase_if(list, [now](const Trouble& trouble) {
    const Lasting& lasting = trouble.lasting;
    return (lasting.times && *lasting.times <= 0) || (lasting.until && now >= *lasting.until);
  });
  for (Trouble& trouble : list) {
    if (!matches(trouble)) continue;
    if (trouble.lasting.times) --*trouble.lasting.times;
    ++met_[trouble.lasting.fault];
    return &trouble;
  }
  return nullptr;
}

bool OngoingFaults::unmet(std::int64_t fault) const {
  const auto found = met_.find(fault);
  return found != met_.end() && found->second == 0;
}

fakes::Interference::Trouble OngoingFaults::on_call(std::string_view action,
                                                    std::string_view caller) {
  if (api_.empty() && stale_.empty()) return {};
  const ApiTrouble* const found = first_of(api_, [&](const ApiTrouble& trouble) {
    return names(trouble.action, action) && names(trouble.machine, caller);
  });
  auto trouble = found ? found->trouble : fakes::Interference::Trouble{};
  if (!action.starts_with("Describe")) return trouble;
  const StaleView* const view =
      first_of(stale_, [&](const StaleView& stale) { return names(stale.machine, caller); });
  if (view) trouble.past = view->past;
  return trouble;
}

fakes::Interference::MetadataTrouble OngoingFaults::on_metadata(std::string_view machine,
                                                                std::string_view path) {
  if (metadata_.empty()) return {};
  const MetadataTrouble* const found = first_of(metadata_, [&](const MetadataTrouble& trouble) {
    return names(trouble.machine, machine) && path.find(trouble.path) != std::string_view::npos;
  });
  return found ? found->trouble : fakes::Interference::MetadataTrouble{};
}

Duration OngoingFaults::on_transition(std::string_view transition, Duration usual) {
  if (slow_.empty()) return usual;
  const SlowTransition* const found =
      first_of(slow_, [&](const SlowTransition& slow) { return slow.transition == transition; });
  return found ? found->takes : usual;
}

}  // namespace sim::faults
