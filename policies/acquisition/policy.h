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

// The facts that a policy may use when the tick begins.
struct AcquisitionState {
  std::int64_t tick = 0;                       // t
  std::chrono::nanoseconds done{};             // of the job's work
  std::chrono::nanoseconds changeover_left{};  // of the instance held
  Rental now = Rental::kIdle;                  // kIdle too when spot was just interrupted
  bool spot = false;                           // there is spot capacity for this tick
  // For oracles only, zero for others: how long spot will last from now (zero if there is none),
  // and prices, USD an hour.
  std::chrono::nanoseconds spot_lifetime{};
  double spot_price = 0, on_demand_price = 0;
};

class AcquisitionPolicy {
 public:
  virtual ~AcquisitionPolicy() = default;
  // Starts a run, and forgets what was learnt in an earlier one.
  virtual void begin(const AcquisitionJob& job) { job_ = job; }
  // What to hold during this tick. kSpot without spot capacity means idle.
  virtual Rental decide(const AcquisitionState& state) = 0;

 protected:
  const AcquisitionJob& job() const { return job_; }

 private:
  AcquisitionJob job_{};
};

// A row of the table of policies: written "name" or, when it has an argument, "name:ARGUMENT".
struct AcquisitionPolicyKind {
  std::string_view name;
  std::string_view argument;  // name of the argument; empty: it takes none
  std::string_view meaning;
  bool oracle;  // it knows the future (AcquisitionState::spot_lifetime)
  // Throws std::invalid_argument with what was expected of the argument.
  std::unique_ptr<AcquisitionPolicy> (*make)(std::string_view argument);
};

// All policies, in the order of the help text.
const std::vector<AcquisitionPolicyKind>& acquisition_policy_kinds();

struct NamedAcquisitionPolicy {
  std::string text;
  bool oracle;
  std::unique_ptr<AcquisitionPolicy> policy;
};
// Reads "greedy" or "time-sliced:8". Throws std::invalid_argument with what was found and which
// policies exist.
NamedAcquisitionPolicy make_acquisition_policy(std::string_view text);

}  // namespace policies
