#include "sim/faults/ongoing_faults.h"

#include <algorithm>
#include <utility>

namespace sim::faults {
namespace {

bool names(std::string_view pattern, std::string_view name) {
  return pattern.empty() || pattern == name;
}

}  // namespace

// Counts a call, and removes troubles that have ended.
template <class Trouble>
Trouble* OngoingFaults::first_of(std::vector<Trouble>& list, auto&& matches) {
  std::erase_if(list, [this](const Trouble& trouble) { return is_over(trouble.lasting); });
  for (Trouble& trouble : list) {
    if (!matches(trouble)) continue;
    if (trouble.lasting.times) --*trouble.lasting.times;
    ++met_[trouble.lasting.fault];
    return &trouble;
  }
  return nullptr;
}

bool OngoingFaults::is_over(const Lasting& lasting) const {
  return (lasting.times && *lasting.times <= 0) ||
         (lasting.until && simulation_.now() >= *lasting.until);
}

void OngoingFaults::end_after(Duration lasts, std::function<void()> end) {
  const auto shared = std::make_shared<End>(simulation_.now() + lasts, std::move(end));
  keep(shared);
  simulation_.after(lasts, [shared] {
    if (shared->act) std::exchange(shared->act, nullptr)();
  });
}

void OngoingFaults::undo_before(Time until, std::function<void()> undo) {
  keep(std::make_shared<End>(until, std::move(undo)));
}

// A fault that repeats leaves no more ends behind than still matter.
void OngoingFaults::keep(std::shared_ptr<End> end) {
  const auto [first, last] = ends_.equal_range(fault_);
  for (auto at = first; at != last;)
    at = at->second->act && simulation_.now() < at->second->until ? std::next(at) : ends_.erase(at);
  ends_.emplace(fault_, std::move(end));
}

void OngoingFaults::end(std::int64_t fault) {
  const auto is_of_fault = [fault](const auto& trouble) { return trouble.lasting.fault == fault; };
  std::erase_if(api_, is_of_fault);
  std::erase_if(metadata_, is_of_fault);
  std::erase_if(stale_, is_of_fault);
  std::erase_if(slow_, is_of_fault);
  std::erase_if(cut_, is_of_fault);
  const auto [first, last] = ends_.equal_range(fault);
  for (auto at = first; at != last; ++at)
    if (at->second->act && simulation_.now() < at->second->until)
      std::exchange(at->second->act, nullptr)();
}

bool OngoingFaults::lasts(std::int64_t fault) const {
  const auto is_on = [&](const auto& trouble) {
    return trouble.lasting.fault == fault && !is_over(trouble.lasting);
  };
  if (std::ranges::any_of(api_, is_on) || std::ranges::any_of(metadata_, is_on) ||
      std::ranges::any_of(stale_, is_on) || std::ranges::any_of(slow_, is_on) ||
      std::ranges::any_of(cut_, is_on))
    return true;
  const auto [first, last] = ends_.equal_range(fault);
  return std::any_of(first, last, [&](const auto& end) {
    return end.second->act && simulation_.now() < end.second->until;
  });
}

std::string OngoingFaults::not_undone(std::int64_t fault) const {
  const auto found = not_undone_.find(fault);
  return found == not_undone_.end() ? "" : found->second;
}

bool OngoingFaults::unmet(std::int64_t fault) const {
  const auto found = met_.find(fault);
  return found != met_.end() && found->second == 0;
}

fakes::Interference::Trouble OngoingFaults::on_call(const fakes::Interference::Call& call) {
  if (api_.empty() && stale_.empty()) return {};
  const ApiTrouble* const found = first_of(api_, [&](const ApiTrouble& trouble) {
    return names(trouble.action, call.action) && names(trouble.machine, call.caller) &&
           (!trouble.applies || trouble.applies(call));
  });
  auto trouble = found ? found->trouble : fakes::Interference::Trouble{};
  if (!call.action.starts_with("Describe")) return trouble;
  const StaleView* const view =
      first_of(stale_, [&](const StaleView& stale) { return names(stale.machine, call.caller); });
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

// AWS FIS denies traffic by the access list of the subnet, so it denies both directions, and
// traffic inside of the subnet passes.
std::string OngoingFaults::on_packet(const cloud::Instance& from, const cloud::Instance* to) {
  if (cut_.empty()) return "";
  const CutSubnet* const found = first_of(cut_, [&](const CutSubnet& cut) {
    const auto is_in = [&](const cloud::Instance& one) { return one.spec.subnet_id == cut.subnet; };
    if (to == nullptr) return is_in(from) && cut.lost != LostTraffic::kOtherZones;
    if (is_in(from) == is_in(*to)) return false;
    return cut.lost == LostTraffic::kAll ||
           (cut.lost == LostTraffic::kOtherZones &&
            from.spec.availability_zone != to->spec.availability_zone);
  });
  return found ? "a fault cuts the network of " + found->subnet : "";
}

Duration OngoingFaults::on_transition(std::string_view transition, Duration usual) {
  if (slow_.empty()) return usual;
  const SlowTransition* const found =
      first_of(slow_, [&](const SlowTransition& slow) { return slow.transition == transition; });
  return found ? found->takes : usual;
}

}  // namespace sim::faults
