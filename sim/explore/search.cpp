#include "sim/explore/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/in_parallel.h"
#include "sim/kernel/random.h"

namespace sim::explore {
namespace {

constexpr std::size_t kBlock = 128;    // runs between two looks at the budget
constexpr std::size_t kRecorded = 32;  // first faults whose recoveries are looked at at a time

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
      stop_(stop) {}

bool Search::over() const {
  if (stop_.load() || (budget_.runs && found_.runs >= *budget_.runs)) return true;
  return budget_.time && std::chrono::steady_clock::now() - begin_ >= *budget_.time;
}

bool Search::try_all(const std::string& stage, const Batch& batch,
                     const std::function<void(std::size_t, const Tried&)>& tried) {
  for (std::size_t from = 0, size = 0; from < batch.plans.size(); from += size) {
    if (over()) return false;
    size = std::min(runner_.fibers() ? kBlock : 1, batch.plans.size() - from);
    if (budget_.runs) size = std::min<std::size_t>(size, *budget_.runs - found_.runs);
    std::vector<Tried> block(size);
    base::in_parallel(
        size,
        [&](std::size_t i) {
          const PlanText& plan = batch.plans[from + i];
          const auto known = before_.find(plan);
          block[i] = known ? *known : runner_.run(plan);
        },
        runner_.fibers() ? budget_.threads : 1);
    if (stop_.load()) return false;  // these were cut short
    for (std::size_t i = 0; i < size; ++i) {
      ++found_.runs;
      found_.resumed += before_.keep(block[i]) ? 0 : 1;
      note(block[i], batch.about[from + i]);
      tried(from + i, block[i]);
    }
    if (progress_) progress_(stage, from + size, batch.plans.size());
  }
  return true;
}

// Failures that have the broken invariant and the faults' kinds and places in common are one.
void Search::note(const Tried& tried, const std::string& about) {
  if (!tried.impossible.empty()) {
    ++found_.impossible;
    if (found_.first_impossible.empty()) found_.first_impossible = tried.impossible;
  }
  if (tried.breaches.empty()) return;
  const Breach& breach = tried.breaches.front();
  const auto [place, fresh] =
      failures_.try_emplace(breach.id + ": " + about, found_.failures.size());
  if (fresh)
    found_.failures.push_back({tried, breach});
  else
    ++found_.failures[place->second].alike;
}

void Search::record_baseline() {
  StrikePoints points;
  Tried tried = runner_.run({}, &points);
  ++found_.runs;
  runner_.ignore(tried.excused);
  if (!tried.impossible.empty()) throw run::RunError(tried.impossible);
  found_.points = points.all();
  found_.instants = static_cast<std::size_t>(std::ranges::count_if(
      found_.points, [](const StrikePoint& point) { return !point.same_instant; }));
  breaks_by_itself_ = !tried.breaches.empty();
  // The scenario's expectations are about this run, and no other.
  std::ranges::copy(tried.unexpected, std::back_inserter(tried.breaches));
  before_.keep(tried);
  note(tried, "no fault");
}

std::function<bool(const faults::Kind&)> Search::wanted() const {
  return [this](const faults::Kind& kind) {
    const bool asked = budget_.kinds.empty() || budget_.kinds.contains(kind.name);
    return asked && runner_.may_have(kind);
  };
}

void Search::try_singles() {
  Batch batch;
  std::vector<TriedFault> faults = faults_at(found_.points, wanted());
  if (budget_.runs || budget_.time) faults = telling_first(std::move(faults));
  for (TriedFault& fault : faults) {
    ++found_.singles[std::string(fault.kind->name)].points;
    batch.plans.push_back({fault.yaml});
    batch.about.push_back(signature_of(fault));
    singles_.push_back({std::move(fault)});
  }
  found_.complete &= try_all("single faults", batch, [this](std::size_t i, const Tried& tried) {
    ++found_.singles[std::string(singles_[i].fault.kind->name)].tried;
    singles_[i].fails = !tried.breaches.empty();
  });
}

void Search::try_pairs() {
  std::set<std::string> seen;  // second faults, by what they are like
  for (std::size_t from = 0; from < singles_.size(); from += kRecorded) {
    if (over()) return void(found_.complete = false);
    const std::size_t size = std::min(kRecorded, singles_.size() - from);
    std::vector<std::vector<TriedFault>> seconds(size);
    for (std::size_t i = 0; i < size; ++i) found_.runs += singles_[from + i].fails ? 0 : 1;
    base::in_parallel(
        size,
        [&](std::size_t i) {
          // What fails alone needs no second.
          if (singles_[from + i].fails) return;
          StrikePoints points;
          runner_.run({singles_[from + i].fault.yaml}, &points);
          seconds[i] = faults_at(points.in_recovery(), wanted());
        },
        runner_.fibers() ? budget_.threads : 1);
    Batch batch;
    for (std::size_t i = 0; i < size; ++i) {
      for (const TriedFault& second : seconds[i]) {
        if (!seen.insert(second.equivalence).second) {
          ++found_.equivalent_pairs;
          continue;
        }
        const TriedFault& first = singles_[from + i].fault;
        batch.plans.push_back({first.yaml, second.yaml});
        batch.about.push_back(signature_of(first) + ", then " + signature_of(second));
      }
    }
    const std::string stage =
        fmt::format("pairs, first fault {} of {}", from + size, singles_.size());
    const bool all = try_all(stage, batch, [this](std::size_t, const Tried&) { ++found_.pairs; });
    found_.complete &= all;
    if (!all) return;
  }
}

// Three to five of the single faults together, until the budget is spent.
void Search::try_random() {
  if (!budget_.runs && !budget_.time) return;
  Stream stream = Streams(runner_.seed()).stream("explore", "random-plans");
  while (!over() && !singles_.empty()) {
    Batch batch;
    for (std::size_t n = 0; n < kBlock; ++n) {
      if (budget_.runs && found_.runs + n >= *budget_.runs) break;
      PlanText plan;
      std::vector<std::string> about;
      const auto size = 3 + stream.next() % 3;
      for (std::uint64_t i = 0; i < size; ++i) {
        const Single& single = singles_[stream.next() % singles_.size()];
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

// Faults are taken out one by one, as long as the same is broken: without any one of those that
// stay it is not. These few runs are made whatever is left of the budget.
Failure Search::shrunk(Failure failure) {
  for (std::size_t i = 0; i < failure.tried.plan.size();) {
    PlanText fewer = failure.tried.plan;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    const Tried* const known = before_.find(fewer);
    Tried tried = known ? *known : runner_.run(fewer);
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
  // A scenario that breaks by itself has nothing that faults could show.
  if (!breaks_by_itself_) {
    try_singles();
    if (budget_.faults > 1) try_pairs();
    if (budget_.faults > 2) try_random();
  }
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
  found_.failures = std::move(smallest);
  return std::move(found_);
}

}  // namespace sim::explore
