// The search: one run without faults, each single fault; where they are asked for, pairs whose
// second strikes in the recovery from the first, and random plans for what is left of the budget.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sim/explore/runner.h"
#include "sim/explore/trials.h"
#include "sim/explore/tried_before.h"

namespace sim::explore {

struct Budget {
  std::optional<std::uint64_t> runs;                  // empty: as many as singles and pairs take
  std::optional<std::chrono::duration<double>> time;  // of this machine; empty: no end
  int faults = 1;                                     // at most in a plan: 1 is singles only
  bool everywhere = false;  // singles of each kind at each point, not only where trials have it
  std::set<std::string, std::less<>> kinds;  // of faults; empty: all
  std::size_t threads = 1;
};

// How many there were of a kind of fault, how many of these were tried and changed something, and
// how many changed nothing in the log.
struct Coverage {
  std::size_t points = 0, tried = 0, no_effect = 0;
};

// What the single faults at one strike point did.
struct PointCoverage {
  struct Broken {
    std::string fault;                    // an entry of a scenario's `faults`
    std::vector<std::string> invariants;  // IDs of what it broke
  };
  std::size_t tried = 0, no_effect = 0;  // as in Coverage; both without runs that are impossible
  std::vector<Broken> broken;
};

struct Failure {
  Tried tried;            // the smallest plan found that breaks it
  Breach breach;          // the first thing that it breaks; the others are in `tried`
  std::size_t alike = 1;  // plans that break the same by the same kinds of faults at like places
};

struct Findings {
  std::vector<StrikePoint> points;          // of the run without faults
  std::size_t instants = 0;                 // of these, how many different ones
  std::vector<PointCoverage> at_points;     // of each of `points`
  std::map<std::string, Coverage> singles;  // by kind of fault
  std::uint64_t runs = 0, pairs = 0, random_plans = 0;
  std::uint64_t equivalent_pairs = 0;  // that were not run, as a pair like it was
  std::uint64_t resumed = 0;           // of the runs, known: of an earlier search, or of this one
  std::size_t impossible = 0;          // that these guests cannot make
  std::string first_impossible;
  std::vector<Failure> failures;
  bool interrupted = false;
  bool complete = true;  // all singles and, where asked for, all pairs were run
};

// What is known before the single faults are tried.
struct Forecast {
  std::size_t points = 0, singles = 0;
  std::size_t runs = 0;                   // of these, which are not known from before; of a budget
  std::chrono::duration<double> a_run{};  // as a run without a fault took
  std::chrono::duration<double> all{};
};

// Who hears of a search; each may be empty.
struct Progress {
  std::function<void(const Forecast&)> begins;
  // So many runs of so many of a stage are done.
  std::function<void(const std::string& stage, std::size_t done, std::size_t all)> done;
};

class Search {
 public:
  // `stop` ends the search after the runs at hand.
  Search(Runner& runner, Budget budget, TriedBefore& before, Progress progress,
         const std::atomic<bool>& stop);

  Findings run();

 private:
  struct Batch {
    std::vector<PlanText> plans;
    std::vector<std::string> about;  // signature of each plan's faults
  };
  struct Single {
    TriedFault fault;
    bool fails = false;
  };
  void record_baseline();
  void try_singles();
  void tell_forecast(const Batch& singles) const;
  std::chrono::duration<double> time_of_a_run() const;
  std::vector<TriedFault> faults_of(const std::vector<StrikePoint>& points) const;
  // Of a run in which nothing is taken back: what strikes in the recovery of an instance that is.
  void try_hop(std::size_t tried);
  bool try_singles(const Batch& batch, std::size_t from, std::size_t to);
  void note_single(const TriedFault& fault, const Tried& tried);
  static void add_pair(Batch& batch, const TriedFault& first, const TriedFault& second);
  void try_pairs();
  void try_random();
  // Runs the plans in order, on all threads; false: the budget was used up before all were run.
  bool try_all(const std::string& stage, const Batch& batch,
               const std::function<void(std::size_t, const Tried&)>& tried);
  // Runs those of the next plans whose results are not known. False if some were not run.
  bool try_on_threads(std::span<const PlanText> plans,
                      const std::function<void(std::size_t, const Tried&)>& tried);
  bool try_in_children(std::span<const PlanText> plans,
                       const std::function<void(std::size_t, const Tried&)>& tried);
  Tried made(const PlanText& plan, const std::filesystem::path& folder = {}) const;
  Wanted wanted() const;
  void note(const Tried& tried, const std::string& about);
  Failure shrunk(Failure failure);
  bool over() const;
  bool out_of_time() const;
  bool budgeted() const { return budget_.runs || budget_.time; }

  Runner& runner_;
  const Budget budget_;
  TriedBefore& before_;
  const Progress progress_;
  const std::atomic<bool>& stop_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Findings found_;
  std::vector<Single> singles_;
  std::size_t with_trials_ = 0;                  // of these; the others are behind them
  std::set<std::string> zones_;                  // of the scenario's prices
  std::set<std::string> seconds_;                // of pairs, by what they are like
  Ignored first_breaks_;                         // by itself, of the pairs that are tried
  std::map<std::string, std::size_t> failures_;  // by what they have in common → place
};

}  // namespace sim::explore
