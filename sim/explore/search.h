// The search of `spotsim explore`: one run without a plan, then each single fault. If pairs are
// requested, it combines a fault with a second one during the recovery from the first. Random plans
// use the rest of the budget.
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
  std::optional<std::uint64_t> runs;                  // empty: the number of singles and pairs
  std::optional<std::chrono::duration<double>> time;  // on this machine; empty: no limit
  int faults = 1;                                     // maximum in a plan; 1: singles only
  // True: singles of each kind at every point, not only at those of its trials.
  bool everywhere = false;
  std::set<std::string, std::less<>> kinds;  // of faults; empty: all
  std::size_t threads = 1;
  // True: searches although the scripts called actions that the simulated AWS does not have.
  bool missing_actions = false;
};

// For a kind of fault: the number of points, the number of tried ones that changed something, and
// the number of tried ones that changed nothing in the log.
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
  Breach breach;          // the first breach; `tried` has all of them
  std::size_t alike = 1;  // number of plans that break the same by the same kinds at similar places
};

struct Findings {
  std::vector<StrikePoint> points;          // of the run without faults
  std::size_t instants = 0;                 // of these, how many different ones
  std::vector<PointCoverage> at_points;     // of each of `points`
  std::map<std::string, Coverage> singles;  // by kind of fault
  // The number of single faults at different places, and the number of tried ones. Repeated calls
  // of one action are one place.
  std::size_t places = 0, tried_places = 0;
  std::uint64_t runs = 0, pairs = 0, random_plans = 0;
  std::uint64_t equivalent_pairs = 0;  // not run, because an equivalent pair was run
  std::uint64_t resumed = 0;   // runs whose results an earlier search, or this one, had already
  std::size_t impossible = 0;  // runs that these guests cannot make
  std::string first_impossible;
  std::vector<Failure> failures;
  std::vector<PlanText> cut_off;  // plans whose runs had not ended long after Budget::time
  bool interrupted = false;
  bool complete = true;  // all singles were run, and all pairs if requested
};

// What the search knows before it tries single faults.
struct Forecast {
  std::size_t points = 0, singles = 0;
  std::size_t runs = 0;                   // runs to make within Budget::runs, without known results
  std::chrono::duration<double> a_run{};  // duration of the run without a plan
  // Duration of the runs, and the number of those that probably begin within Budget::time.
  std::chrono::duration<double> all{};
  std::optional<std::size_t> within = {};  // empty: all
};

// Functions that report the progress of a search; each may be empty.
struct Progress {
  std::function<void(const Forecast&)> begins;
  // `done` of `all` runs of a stage are complete.
  std::function<void(const std::string& stage, std::size_t done, std::size_t all)> done;
};

class Search {
 public:
  // `stop` ends the search after the present runs.
  Search(Runner& runner, Budget budget, TriedBefore& before, Progress progress,
         const std::atomic<bool>& stop);

  // Throws run::RunError if the scripts called a missing action and the budget does not permit it.
  Findings run();

 private:
  struct Batch {
    std::vector<PlanText> plans;
    std::vector<std::string> about;   // signature of each plan's faults
    std::size_t before = 0, all = 0;  // plans of its stage before it, and of the stage; 0: its own
  };
  struct Single {
    TriedFault fault;
    bool fails = false;
  };
  void record_baseline();
  void refuse_missing_actions() const;
  void try_singles();
  void tell_forecast(const Batch& singles) const;
  std::chrono::duration<double> time_of_a_run() const;
  // Without faults that show nothing with these guests.
  std::vector<TriedFault> possible(std::vector<TriedFault> faults) const;
  std::vector<TriedFault> faults_of(const std::vector<StrikePoint>& points) const;
  // For a scenario without interruptions: tries faults during the recovery of an instance that a
  // first fault interrupts.
  void try_hop(std::size_t tried);
  bool try_singles(const Batch& batch, std::size_t from, std::size_t to);
  void note_single(const TriedFault& fault, const Tried& tried);
  static void add_pair(Batch& batch, const TriedFault& first, const TriedFault& second);
  void try_pairs();
  void try_random();
  // Runs the plans in order, on all threads. False if the budget ended first.
  bool try_all(const std::string& stage, const Batch& batch,
               const std::function<void(std::size_t, const Tried&)>& tried);
  // Runs those of the next plans whose results are unknown. False if some were not run.
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
  bool may_begin() const;
  bool overdue() const;
  bool budgeted() const { return budget_.runs || budget_.time; }

  Runner& runner_;
  const Budget budget_;
  TriedBefore& before_;
  const Progress progress_;
  const std::atomic<bool>& stop_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::duration<double> a_run_{};  // duration of the run without a plan
  Findings found_;
  std::vector<Single> singles_;
  std::size_t with_trials_ = 0;         // the first ones have trials, the others not
  std::set<std::string> zones_;         // zones with prices in the scenario
  std::map<std::string, bool> places_;  // of singles; true: tried
  std::set<std::string> seconds_;       // equivalence classes of the second faults of pairs
  Ignored first_breaks_;                // breaches of the first fault alone, for pairs
  std::map<std::string, std::size_t> failures_;  // index of each failure, by its signature
};

}  // namespace sim::explore
