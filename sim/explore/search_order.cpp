#include "sim/explore/search_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace sim::explore {
namespace {

// The kinds that bring out the bugs of scenarios/tutorial-bugs come first. Kinds that end an
// instance or make a call fail show different bugs at each place, and metadata that requires tokens
// on each instance. So these kinds get more faults in a turn.
struct Likely {
  std::string_view kind;
  std::size_t in_a_turn = 1;
};
constexpr std::array kLikely{Likely{"interrupt", 3},
                             Likely{"power-cut", 3},
                             Likely{"torn-write"},
                             Likely{"trainer-crash"},
                             Likely{"slow"},
                             Likely{"imds-v2-required", 5},
                             Likely{"duplicate-volume"},
                             Likely{"api-throttled", 3},
                             Likely{"imds-error"},
                             Likely{"damage-volume"},
                             Likely{"api-expired", 3},
                             Likely{"damage-file"}};

// The numbers 0 … n-1 for n ≥ 1 in an order that covers the range evenly at all times: the middle
// before the quarters, and those before the eighths (van der Corput's sequence).
std::vector<std::size_t> spread(std::size_t n) {
  const auto digits = static_cast<int>(std::bit_width(n - 1));
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i < std::size_t{1} << digits; ++i) {
    std::size_t place = 0;
    for (int digit = 0; digit < digits; ++digit)
      if ((i >> digit & 1) != 0) place |= std::size_t{1} << (digits - 1 - digit);
    if (place < n) order.push_back(place);
  }
  order.push_back(0);
  return order;
}

// The faults of one kind with one set of arguments.
struct List {
  std::size_t likely = 0, in_a_turn = 1;
  std::vector<std::vector<TriedFault>> rounds;  // by how often the same place came before
  std::vector<TriedFault> in_order;
  std::size_t next = 0;
};

// Orders a round: points between two steps first, then one of each place in turn, taken from all
// parts of the run.
void spread_by_place(std::vector<TriedFault> round, std::vector<TriedFault>& out) {
  std::map<PointGroup, std::vector<TriedFault>> places;
  for (TriedFault& fault : round) places[fault.group].push_back(std::move(fault));
  std::map<PointGroup, std::vector<std::size_t>> orders;
  for (const auto& [place, faults] : places) orders[place] = spread(faults.size());
  std::size_t left = round.size();
  if (auto between = places.extract(PointGroup::kBetween)) {
    for (const std::size_t i : orders[PointGroup::kBetween])
      out.push_back(std::move(between.mapped()[i]));
    left -= between.mapped().size();
  }
  for (std::size_t turn = 0; left > 0; ++turn)
    for (auto& [place, faults] : places)
      if (turn < faults.size()) {
        out.push_back(std::move(faults[orders[place][turn]]));
        --left;
      }
}

std::vector<List> lists_of(std::vector<TriedFault> faults) {
  std::vector<List> lists;
  std::map<std::string, std::size_t> known, seen;
  std::set<std::string> begun;  // places whatever the trainer does
  for (TriedFault& fault : faults) {
    const std::string name = fmt::format("{} {}", fault.kind->name, fault.arguments);
    const auto [at, is_new] = known.try_emplace(name, lists.size());
    if (is_new) {
      const auto likely = std::ranges::find(kLikely, fault.kind->name, &Likely::kind);
      lists.push_back({.likely = static_cast<std::size_t>(likely - kLikely.begin()),
                       .in_a_turn = likely == kLikely.end() ? 1 : likely->in_a_turn});
    }
    auto& rounds = lists[at->second].rounds;
    // The first time after the end of training comes in the second round: a script often does the
    // same as before, and another bug shows.
    const bool first =
        begun.insert(fmt::format("{} at {} {}", name, static_cast<int>(fault.group), fault.about))
            .second;
    const std::size_t before = seen[fault.place]++;
    const std::size_t round = first ? 0 : std::max<std::size_t>(1, before);
    if (rounds.size() <= round) rounds.resize(round + 1);
    rounds[round].push_back(std::move(fault));
  }
  std::ranges::stable_sort(lists, {}, &List::likely);
  return lists;
}

// The places of a list's first round, in order.
std::string places_of(const List& list) {
  std::string places;
  for (const TriedFault& fault : list.rounds.front()) places += fault.about + "\n";
  return places;
}

// True for a fault before a call that looks what there is.
bool looks(const TriedFault& fault) {
  return fault.about.starts_with("before Describe") || fault.about.starts_with("before List");
}

// True for a fault before a call that reads one object.
bool fetches(const TriedFault& fault) {
  return fault.about.starts_with("before Get") || fault.about.starts_with("before Head");
}

// Number of a machine that is an instance; 0: another caller.
int instance_number(const TriedFault& fault) {
  int number = 0;
  std::from_chars(fault.machine.data(), fault.machine.data() + fault.machine.size(), number);
  return number;
}

using Faults = std::vector<TriedFault>;

Faults::iterator first_of(Faults& faults, std::string_view kind) {
  return std::ranges::find(faults, kind, [](const TriedFault& fault) { return fault.kind->name; });
}

// The first such call of the newest instance, throttled: it looks for what earlier ones saved.
Faults::iterator throttled_resume(Faults& faults, bool (*such)(const TriedFault&)) {
  auto best = faults.end();
  const auto rank = [](const TriedFault& fault) {
    return std::pair(-instance_number(fault), fault.point);
  };
  for (auto fault = faults.begin(); fault != faults.end(); ++fault)
    if (fault->kind->name == "api-throttled" && instance_number(*fault) > 0 && such(*fault) &&
        (best == faults.end() || rank(*fault) < rank(*best)))
      best = fault;
  return best;
}

// A throttled call with which the operator watches an instance.
Faults::iterator throttled_watch(Faults& faults) {
  return std::ranges::find_if(faults, [](const TriedFault& fault) {
    return fault.kind->name == "api-throttled" && fault.machine == "operator" &&
           fault.group == PointGroup::kSpot && looks(fault);
  });
}

// Moves one fault of each of these to the front.
Faults with_opening(Faults faults) {
  Faults opening;
  const auto take = [&](Faults::iterator fault) {
    if (fault == faults.end()) return;
    opening.push_back(std::move(*fault));
    faults.erase(fault);
  };
  take(first_of(faults, "torn-write"));
  take(throttled_watch(faults));
  take(throttled_resume(faults, looks));
  take(throttled_resume(faults, fetches));
  for (const char* kind : {"power-cut", "interrupt", "trainer-crash", "slow", "imds-v2-required"})
    take(first_of(faults, kind));
  opening.insert(opening.end(), std::make_move_iterator(faults.begin()),
                 std::make_move_iterator(faults.end()));
  return opening;
}

bool of_one_kind(const Faults& faults) {
  return std::ranges::all_of(
      faults, [&](const TriedFault& fault) { return fault.kind == faults.front().kind; });
}

}  // namespace

std::vector<TriedFault> in_search_order(std::vector<TriedFault> faults) {
  const std::size_t n = faults.size();
  std::vector<List> lists = lists_of(std::move(faults));
  std::map<std::string, std::size_t>
      taken;  // how many faults earlier lists with the same places took
  for (List& list : lists) {
    std::size_t& before = taken[places_of(list)];
    const std::size_t first = list.rounds.front().size();
    for (auto& round : list.rounds) spread_by_place(std::move(round), list.in_order);
    std::rotate(list.in_order.begin(),
                list.in_order.begin() + static_cast<std::ptrdiff_t>(before % first),
                list.in_order.begin() + static_cast<std::ptrdiff_t>(first));
    before += list.in_a_turn;
  }
  std::vector<TriedFault> all;
  while (all.size() < n)
    for (List& list : lists)
      for (std::size_t i = 0; i < list.in_a_turn && list.next < list.in_order.size(); ++i)
        all.push_back(std::move(list.in_order[list.next++]));
  return of_one_kind(all) ? all : with_opening(std::move(all));
}

}  // namespace sim::explore
