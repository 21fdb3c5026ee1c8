#include "sim/explore/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/process/in_parallel.h"
#include "sim/explore/search_order.h"
#include "sim/kernel/random.h"
#include "sim/run/in_children.h"

namespace sim::explore {
namespace {

constexpr std::size_t kBlock = 128;     // runs between two checks of the budget
constexpr std::size_t kFirstTurn = 70;  // faults: one or more of each kind
constexpr std::size_t kRecorded = 32;   // first faults whose recoveries are recorded at a time
// Longest time after the budget for runs that have begun.
constexpr std::chrono::duration<double> kLongestOverrun(15);

std::string signature_of(const TriedFault& fault) {
  return fmt::format("{} at {}", fault.kind->name, fault.about);
}

}  // namespace

Search::Search(Runner& runner, Budget budget, TriedBefore& before, Progress progress,
               const std::atomic<bool>& stop)
    : runner_(runner),
      budget_(budget),
      before_(before),
      progress_(std::move(progress)),
      stop_(stop) {
  for (const auto& [pool, prices] : runner.scenario().prices.pools)
    zones_.insert(pool.availability_zone);
}

bool Search::over() const {
  return stop_.load() || (budget_.runs && found_.runs >= *budget_.runs) || out_of_time();
}

bool Search::out_of_time() const {
  return budget_.time && std::chrono::steady_clock::now() - begin_ >= *budget_.time;
}

// True if a run of process guests that begins now probably ends within the budget.
bool Search::may_begin() const {
  return !budget_.time || std::chrono::steady_clock::now() - begin_ + a_run_ < *budget_.time;
}

// A run that began within the budget has the time of a usual run. One that is stuck has no end.
bool Search::overdue() const {
  const auto overrun = std::min(a_run_, kLongestOverrun);
  return budget_.time && std::chrono::steady_clock::now() - begin_ >= *budget_.time + overrun;
}

bool Search::try_all(const std::string& stage, const Batch& batch,
                     const std::function<void(std::size_t, const Tried&)>& tried) {
  const std::span<const PlanText> plans(batch.plans);
  const std::size_t before = batch.before, all = batch.all ? batch.all : plans.size();
  for (std::size_t from = 0, size = 0; from < plans.size(); from += size) {
    if (over()) return false;
    size = std::min(kBlock, plans.size() - from);
    if (budget_.runs) size = std::min<std::size_t>(size, *budget_.runs - found_.runs);
    const auto hear = [&](std::size_t i, const Tried& one) {
      ++found_.runs;
      found_.resumed += before_.keep(one) ? 0 : 1;
      note(one, batch.about[from + i]);
      tried(from + i, one);
      if (progress_.done && !runner_.fibers()) progress_.done(stage, before + from + i + 1, all);
    };
    const auto next = plans.subspan(from, size);
    if (!(runner_.fibers() ? try_on_threads(next, hear) : try_in_children(next, hear)))
      return false;
    if (progress_.done) progress_.done(stage, before + from + size, all);
  }
  return true;
}

// The result of this plan from an earlier search, from this one, or from a run now.
Tried Search::made(const PlanText& plan, const std::filesystem::path& folder) const {
  const Tried* const known = before_.find(plan);
  return known ? *known : runner_.run(plan, nullptr, folder);
}

bool Search::try_on_threads(std::span<const PlanText> plans,
                            const std::function<void(std::size_t, const Tried&)>& tried) {
  std::vector<Tried> block(plans.size());
  base::in_parallel(
      plans.size(), [&](std::size_t i) { block[i] = made(plans[i]); }, budget_.threads);
  if (stop_.load()) return false;  // the runs were cut short
  for (std::size_t i = 0; i < block.size(); ++i) tried(i, block[i]);
  return true;
}

bool Search::try_in_children(std::span<const PlanText> plans,
                             const std::function<void(std::size_t, const Tried&)>& tried) {
  const std::size_t done = run::in_children(
      {.pieces = plans.size(),
       .at_once = budget_.threads,
       .work =
           [&](std::size_t i, std::size_t place) {
             const Tried one = made(plans[i], runner_.folder_of(place));
             return stop_.load() ? "" : line_of(one);  // the run was cut short
           },
       .done = [&](std::size_t i, const std::string& line) { tried(i, tried_of(line)); },
       .may_begin = [this] { return may_begin(); },
       .stopped = [this] { return stop_.load(); },
       .overdue = [this] { return overdue(); },
       .cut_off = [&](std::size_t i) { found_.cut_off.push_back(plans[i]); }});
  return done == plans.size();
}

// Records failures. Failures that break the same invariant by the same kinds of faults at the same
// places are counted as one.
void Search::note(const Tried& tried, const std::string& about) {
  if (!tried.impossible.empty()) {
    ++found_.impossible;
    if (found_.first_impossible.empty()) found_.first_impossible = tried.impossible;
  }
  const auto is_news = [this](const Breach& breach) { return !first_breaks_.contains(breach.id); };
  const auto first = std::ranges::find_if(tried.breaches, is_news);
  if (first == tried.breaches.end()) return;
  std::string broken;
  for (const Breach& breach : tried.breaches) broken += breach.id + " ";
  const auto [place, fresh] = failures_.try_emplace(broken + "by " + about, found_.failures.size());
  if (fresh)
    found_.failures.push_back({tried, *first});
  else
    ++found_.failures[place->second].alike;
}

void Search::record_baseline() {
  StrikePoints points(runner_.scenario().faults.size());
  Tried tried = runner_.baseline(points);
  a_run_ = std::chrono::steady_clock::now() - begin_;
  ++found_.runs;
  // Breaches that happen without a fault are not findings.
  Ignored by_itself = tried.excused;
  for (const Breach& breach : tried.breaches) by_itself.insert(breach.id);
  runner_.ignore(std::move(by_itself));
  found_.points = points.all();
  found_.at_points.resize(found_.points.size());
  found_.instants = static_cast<std::size_t>(std::ranges::count_if(
      found_.points, [](const StrikePoint& point) { return !point.same_instant; }));
  // The scenario's expectations are about the run without a plan only.
  std::ranges::copy(tried.unexpected, std::back_inserter(tried.breaches));
  before_.keep(tried);
  for (const Breach& breach : std::vector(std::move(tried.breaches))) {
    tried.breaches = {breach};  // each breach is a separate finding
    note(tried, "no fault");
  }
}

void Search::refuse_missing_actions() const {
  if (budget_.missing_actions || runner_.missing_actions().empty()) return;
  throw run::RunError(fmt::format(
      "{}: the simulated AWS does not support {}; without these calls the search would show what "
      "the script does after their errors (--missing-actions searches nevertheless)",
      runner_.scenario().given_as.string(), fmt::join(runner_.missing_actions(), ", ")));
}

Wanted Search::wanted() const {
  return [this](const faults::Kind& kind) {
    const bool asked = budget_.kinds.empty() || budget_.kinds.contains(kind.name);
    return asked && runner_.may_have(kind);
  };
}

std::vector<TriedFault> Search::possible(std::vector<TriedFault> faults) const {
  std::erase_if(faults, [this](const TriedFault& fault) {
    return fault.needs && !runner_.guests_can(*fault.needs);
  });
  return faults;
}

std::vector<TriedFault> Search::faults_of(const std::vector<StrikePoint>& points) const {
  return possible(faults_at(points, wanted(), zones_));
}

// Trials come first, because they find most bugs.
void Search::try_singles() {
  // Without a budget, the order of fast runs does not matter.
  const bool ordered = budgeted() || !runner_.fibers();
  Batch batch;
  const auto add = [&](std::vector<TriedFault> faults) {
    if (ordered) faults = in_search_order(std::move(faults));
    for (TriedFault& fault : faults) {
      ++found_.singles[std::string(fault.kind->name)].points;
      found_.places += places_.try_emplace(fault.place, false).second ? 1 : 0;
      batch.plans.push_back({fault.yaml});
      batch.about.push_back(signature_of(fault));
      singles_.push_back({std::move(fault)});
    }
  };
  std::vector<TriedFault> trials = faults_of(found_.points);
  std::vector<TriedFault> others;
  if (budget_.everywhere)
    others = possible(faults_elsewhere(found_.points, wanted(), zones_, trials));
  add(std::move(trials));
  with_trials_ = singles_.size();
  add(std::move(others));
  tell_forecast(batch);
  const std::size_t turn = budgeted() ? std::min(kFirstTurn, with_trials_) : 0;
  found_.complete &= try_singles(batch, 0, turn);
  if (turn > 0 && budget_.faults > 1) try_hop(turn);
  found_.complete &= try_singles(batch, turn, batch.plans.size());
}

// The time of a run. The run that recorded strike points took longer, as does the first run of a
// process.
std::chrono::duration<double> Search::time_of_a_run() const {
  auto shortest = std::chrono::duration<double>::max();
  for (int n = 0; n < 3; ++n) {
    const auto begin = std::chrono::steady_clock::now();
    runner_.run({});
    shortest =
        std::min<std::chrono::duration<double>>(shortest, std::chrono::steady_clock::now() - begin);
  }
  return shortest;
}

void Search::tell_forecast(const Batch& singles) const {
  if (!progress_.begins) return;
  Forecast forecast{.points = found_.points.size(), .singles = singles.plans.size()};
  forecast.runs = static_cast<std::size_t>(std::ranges::count_if(
      singles.plans, [this](const PlanText& plan) { return !before_.find(plan); }));
  if (budget_.runs) forecast.runs = std::min<std::size_t>(forecast.runs, *budget_.runs);
  forecast.a_run = runner_.fibers() ? time_of_a_run() : a_run_;
  forecast.all =
      forecast.a_run * static_cast<double>(forecast.runs) / static_cast<double>(budget_.threads);
  if (budget_.time && forecast.all > *budget_.time) {
    const double share = *budget_.time / forecast.all;
    forecast.within = static_cast<std::size_t>(share * static_cast<double>(forecast.runs));
    forecast.all = *budget_.time;
  }
  progress_.begins(forecast);
}

bool Search::try_singles(const Batch& all, std::size_t from, std::size_t to) {
  const auto part = [from, to](const auto& list) {
    return std::vector(list.begin() + static_cast<std::ptrdiff_t>(from),
                       list.begin() + static_cast<std::ptrdiff_t>(to));
  };
  return try_all("single faults", {part(all.plans), part(all.about), from, all.plans.size()},
                 [&](std::size_t i, const Tried& tried) {
                   Single& single = singles_[from + i];
                   note_single(single.fault, tried);
                   single.fails = !tried.breaches.empty();
                 });
}

void Search::note_single(const TriedFault& fault, const Tried& tried) {
  Coverage& kind = found_.singles[std::string(fault.kind->name)];
  ++(tried.no_effect ? kind.no_effect : kind.tried);
  found_.tried_places += std::exchange(places_.at(fault.place), true) ? 0 : 1;
  if (!tried.impossible.empty()) return;
  PointCoverage& point = found_.at_points[fault.point];
  ++(tried.no_effect ? point.no_effect : point.tried);
  if (tried.breaches.empty()) return;
  point.broken.push_back({fault.yaml, {}});
  for (const Breach& breach : tried.breaches) point.broken.back().invariants.push_back(breach.id);
}

void Search::add_pair(Batch& batch, const TriedFault& first, const TriedFault& second) {
  batch.plans.push_back({first.yaml, second.yaml});
  batch.about.push_back(signature_of(first) + ", then " + signature_of(second));
}

void Search::try_hop(std::size_t tried) {
  const auto noticed = [](const StrikePoint& point) { return point.about == "instance.notice"; };
  const auto hop = std::ranges::find_if(singles_, [](const Single& single) {
    return single.fault.kind->name == "reclaim" && single.fault.arguments == "for: 30m" &&
           single.fault.about.starts_with("trainer.start");
  });
  if (over() || hop == singles_.end() || std::ranges::any_of(found_.points, noticed)) return;
  StrikePoints points(runner_.scenario().faults.size());
  const Tried alone = runner_.run({hop->fault.yaml}, &points);
  ++found_.runs;
  if (std::cmp_greater_equal(hop - singles_.begin(), tried)) note(alone, signature_of(hop->fault));
  before_.keep(alone);
  auto seconds = in_search_order(faults_of(points.in_recovery()));
  if (seconds.size() > kFirstTurn)
    seconds.erase(seconds.begin() + static_cast<std::ptrdiff_t>(kFirstTurn), seconds.end());
  Batch batch;
  for (const TriedFault& second : seconds) {
    seconds_.insert(second.equivalence);
    add_pair(batch, hop->fault, second);
  }
  for (const Breach& breach : alone.breaches) first_breaks_.insert(breach.id);
  try_all("faults in a hop", batch, [this](std::size_t, const Tried&) { ++found_.pairs; });
  first_breaks_.clear();
}

void Search::try_pairs() {
  for (std::size_t from = 0; from < with_trials_; from += kRecorded) {
    if (over()) return void(found_.complete = false);
    const std::size_t size = std::min(kRecorded, with_trials_ - from);
    std::vector<std::vector<TriedFault>> seconds(size);
    for (std::size_t i = 0; i < size; ++i) found_.runs += singles_[from + i].fails ? 0 : 1;
    base::in_parallel(
        size,
        [&](std::size_t i) {
          // A plan that already fails with one fault is not extended to a pair.
          if (singles_[from + i].fails) return;
          StrikePoints points(runner_.scenario().faults.size());
          runner_.run({singles_[from + i].fault.yaml}, &points);
          seconds[i] = faults_of(points.in_recovery());
        },
        runner_.fibers() ? budget_.threads : 1);
    Batch batch;
    for (std::size_t i = 0; i < size; ++i) {
      for (const TriedFault& second : seconds[i]) {
        if (!seconds_.insert(second.equivalence).second) {
          ++found_.equivalent_pairs;
          continue;
        }
        add_pair(batch, singles_[from + i].fault, second);
      }
    }
    const std::string stage = fmt::format("pairs, first fault {} of {}", from + size, with_trials_);
    const bool all = try_all(stage, batch, [this](std::size_t, const Tried&) { ++found_.pairs; });
    found_.complete &= all;
    if (!all) return;
  }
}

// Runs random plans of three to five single faults until the budget is used up.
void Search::try_random() {
  if (!budgeted()) return;
  Stream stream = Streams(runner_.seed()).stream("explore", "random-plans");
  while (!over() && with_trials_ > 0) {
    Batch batch;
    for (std::size_t n = 0; n < kBlock; ++n) {
      if (budget_.runs && found_.runs + n >= *budget_.runs) break;
      PlanText plan;
      std::vector<std::string> about;
      const auto size = 3 + stream.next() % 3;
      for (std::uint64_t i = 0; i < size; ++i) {
        const Single& single = singles_[stream.next() % with_trials_];
        plan.push_back(single.fault.yaml);
        about.emplace_back(single.fault.kind->name);
      }
      std::ranges::sort(about);
      batch.plans.push_back(std::move(plan));
      batch.about.push_back(fmt::format("{}", fmt::join(about, ", ")));
    }
    if (!try_all("random plans", batch,
                 [this](std::size_t, const Tried&) { ++found_.random_plans; }))
      return;
  }
}

// Removes faults one by one while the plan still breaks the same invariant. No fault of the result
// can be left out. These few runs do not depend on the budget.
Failure Search::shrunk(Failure failure) {
  for (std::size_t i = 0; i < failure.tried.plan.size();) {
    PlanText fewer = failure.tried.plan;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    Tried tried = made(fewer);
    ++found_.runs;
    found_.resumed += before_.keep(tried) ? 0 : 1;
    const auto same = std::ranges::find(tried.breaches, failure.breach.id, &Breach::id);
    if (same == tried.breaches.end()) {
      ++i;
      continue;
    }
    failure.breach = *same;
    failure.tried = std::move(tried);
    i = 0;
  }
  return failure;
}

Findings Search::run() {
  record_baseline();
  refuse_missing_actions();
  try_singles();
  if (budget_.faults > 1) try_pairs();
  if (budget_.faults > 2) try_random();
  found_.interrupted = stop_.load();
  found_.complete &= !found_.interrupted;
  std::vector<Failure> smallest;
  for (const Failure& failure : found_.failures) {
    const bool may_shrink = failure.tried.plan.size() > 1 && !stop_.load();
    Failure shrunken = may_shrink ? shrunk(failure) : failure;
    const auto same = std::ranges::find_if(smallest, [&](const Failure& other) {
      return other.breach.id == shrunken.breach.id && other.tried.plan == shrunken.tried.plan;
    });
    if (same == smallest.end())
      smallest.push_back(std::move(shrunken));
    else
      same->alike += shrunken.alike;
  }
  for (Failure& failure : smallest)
    if (runner_.fibers()) failure.tried.console = runner_.console_of(failure.tried.plan);
  found_.failures = std::move(smallest);
  return std::move(found_);
}

}  // namespace sim::explore
