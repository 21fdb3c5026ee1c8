// Acquisition policies: what a training job rents from tick to tick. One class a policy in the file
// of its family, one row each in kinds.cpp. The job model and the rules that all share are those of
// Wu et al., "Can't Be Late: Optimizing Spot Instance Savings under Deadlines", NSDI'24.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace policies {

enum class Rental : std::uint8_t { kIdle, kSpot, kOnDemand };

using Seconds = std::chrono::duration<double>;

struct AcquisitionJob {
  std::chrono::nanoseconds work;        // C: computing that the job needs
  std::chrono::nanoseconds deadline;    // D: from its start
  std::chrono::nanoseconds changeover;  // d: an instance computes nothing for this long at first
  std::chrono::nanoseconds tick;        // g: decisions are taken at its multiples
  double deadline_ratio = 0;            // D ÷ C where the work was stated so; else 0
  double gigabytes = 0;                 // of data that moves with the job, where it is known
};

// What a policy may look at when the tick begins.
struct AcquisitionState {
  std::int64_t tick = 0;                       // t
  std::chrono::nanoseconds done{};             // of the job's work
  std::chrono::nanoseconds changeover_left{};  // of the instance held
  Rental now = Rental::kIdle;                  // kIdle too when spot was just interrupted
  bool spot = false;                           // there is spot capacity for this tick
  // For oracles only, zero for all others: how long spot will last from now (zero when there is
  // none), and prices, USD an hour.
  std::chrono::nanoseconds spot_lifetime{};
  double spot_price = 0, on_demand_price = 0;
};

class AcquisitionPolicy {
 public:
  virtual ~AcquisitionPolicy() = default;
  // A run begins; what was learnt in another is forgotten.
  virtual void begin(const AcquisitionJob& job) { job_ = job; }
  // What to hold during this tick. kSpot where there is no spot capacity means idle.
  virtual Rental decide(const AcquisitionState& state) = 0;

 protected:
  const AcquisitionJob& job() const { return job_; }

 private:
  AcquisitionJob job_{};
};

// A row of the table of policies: written "name" or, when it has an argument, "name:ARGUMENT".
struct AcquisitionPolicyKind {
  std::string_view name;
  std::string_view argument;  // what the argument is called; empty when it takes none
  std::string_view meaning;
  bool oracle;  // is told the future (AcquisitionState::spot_lifetime)
  // Throws std::invalid_argument saying what was expected of the argument.
  std::unique_ptr<AcquisitionPolicy> (*make)(std::string_view argument);
};

// All policies, in the order of the help text.
const std::vector<AcquisitionPolicyKind>& acquisition_policy_kinds();

struct NamedAcquisitionPolicy {
  std::string text;
  bool oracle;
  std::unique_ptr<AcquisitionPolicy> policy;
};
// Reads "greedy" or "time-sliced:8"; throws std::invalid_argument naming what was found and what is
// known.
NamedAcquisitionPolicy make_acquisition_policy(std::string_view text);

}  // namespace policies
