// The catalogue of faults: each kind with its parameters, its checks and its trials for explore.
// The engine strikes with a kind's function, the scenario reader checks arguments by its
// parameters, and docs/faults.md is printed from it. A new kind is a function and a row in one of
// the files that kinds.cpp lists.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/interference.h"
#include "sim/cloud/cloud.h"
#include "sim/events/event_log.h"
#include "sim/faults/plan.h"
#include "sim/guest/guest_host.h"

namespace sim::faults {

class OngoingFaults;

// Facts about the job, from the scenario and from its trainers' lines.
struct JobFacts {
  std::string trainer;     // name of its processes; empty: see GuestFault::program
  std::string files;       // pattern of its checkpoints' paths; empty: any file of the folder
  std::string folder;      // folder of checkpoints; empty: unknown
  std::string checkpoint;  // path of the newest checkpoint; empty: unknown
};

// The objects of one run that a kind acts on.
struct Targets {
  Simulation& simulation;
  EventLog& log;
  cloud::Cloud& cloud;
  guest::FaultTarget& guests;
  OngoingFaults& ongoing;
  const std::vector<cloud::InstanceId>& launched;  // in order
  const JobFacts& job;
};

// Counts the effects of a fault of the plan.
struct Tally {
  bool part = true;          // false: its chance was not drawn in this run
  std::int64_t seen = 0;     // lines, calls or requests that `when` counted
  std::int64_t strikes = 0;  // including those without a target
  std::int64_t found = 0;    // strikes with a target; for an interruption: instances
  bool unmet = false;        // it started something that affected no call, request or transition
  std::string refusal = {};  // why EC2 refused the latest strike; empty: it did not
  // Why EC2 refused to undo the strike at the fault's end. Empty: it did not.
  std::string not_undone = {};
};

// The circumstances of a strike. Members are empty if they do not apply.
struct Strike {
  std::string machine;            // caller, or machine of the event, as in the log
  std::string action;             // the call's
  std::string volume, snapshot;   // IDs in the event
  Tally* interruption = nullptr;  // counts interrupted instances; null: it is no interruption
  // See fakes::fis::InjectedFault.
  std::function<bool(const fakes::Interference::Call& call)> applies = {};
};

// The type of an argument. An action is a served one or `any`.
enum class ArgumentType {
  kFlag,
  kWhole,
  kNumber,
  kDuration,
  kWord,
  kText,
  kPool,
  kZone,
  kType,
  kAction,
  kMachine
};

struct Parameter {
  std::string_view name;
  ArgumentType type;
  std::string_view fallback;  // default in YAML; or empty
  std::string_view words;     // of kWord: "no-capacity by-price"
  std::string_view meaning;
  bool required = false;
  std::int64_t lowest = 0, highest = std::int64_t{1} << 50;  // for kWhole and kNumber
};

// A placeholder in a trial's arguments. The trial is repeated with each zone that has prices, or
// with each word of the parameter.
inline constexpr std::string_view kEach = "EACH";

// Where a kind finds most bugs, and with which arguments. `spotsim explore` tries it there first.
struct Trial {
  enum class At {
    kSpotInstant,  // any instant at which a spot instance runs; also before and after a call
    kInstant,      // any instant at which an instance runs; also before and after a call
    kCall,         // each call
    kEvent,        // each line of this kind
    kMetadata,     // each request to instance metadata
  };
  At at;
  std::string_view about;      // the action, or event and state: "snapshot.state pending"
  std::string_view arguments;  // as in a plan: "notice: 20s"; values may be kEach
  // The ability of guests without which these arguments show nothing about a script.
  std::optional<guest::GuestFault::What> needs = {};
};

// The target that a fault needs. A kind with the parameter `instance` always needs an instance. EC2
// permits customers to stop instances on demand, and those of persistent spot requests
// (kStoppableInstance).
enum class Target { kNone, kSpotInstance, kStoppableInstance, kVolume, kSnapshot };

// What a correct script does about a kind, as the predicate of a sentence that begins with "A
// correct script". The class has no default, so that a kind without a
// remedy does not compile.
class Remedy {
 public:
  consteval Remedy(const char* text) : text_(text) {}
  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

struct Kind {
  std::string_view name;
  std::string_view does;  // a sentence for people
  Remedy remedy;
  std::span<const Parameter> parameters;
  // True if a job is expected to survive: after the fault the world is as before.
  bool passes = true;
  // True if it ends the machine at once. A call that is struck before its effect never happens.
  bool cuts_power = false;
  // True for a lasting fault. It begins at the strike itself, before a call's effect. Other faults
  // act in a separate event after the trigger.
  bool lasts = false;
  Target target = Target::kNone;
  // The ability of guests that it needs. A run whose guests lack it is refused.
  std::optional<guest::GuestFault::What> needs = {};
  // Throws cloud::ApiError if EC2 refuses the action.
  void (*strike)(const Arguments&, const Strike&, Targets&);
  // Makes the recommendation for the argument `rebalance`. Null if the kind has no such argument.
  void (*recommend)(const Arguments&, const Strike&, Targets&) = nullptr;
  std::span<const Trial> trials = {};
  std::string_view elsewhere = "";  // arguments of a trial at all other points
};

const std::vector<const Kind*>& kinds();
const Kind* find_kind(std::string_view name);  // null: unknown
// The AWS actions that faults can strike.
const std::set<std::string>& known_actions();
// The index in the plan of the first fault that these guests do not support.
std::optional<std::size_t> first_refused(const Plan& plan, const guest::FaultTarget& guests);

// ---- for the files of the catalogue

// The instance to strike: the argument `instance`, else the strike's machine, else the newest
// running one. Null if there is none.
const cloud::Instance* struck_instance(const Arguments&, const Strike&, const Targets&);
// The strike's volume, else the newest data volume.
const cloud::Volume* struck_volume(const Strike&, const Targets&);
// The strike's snapshot, else the newest.
const cloud::Snapshot* struck_snapshot(const Strike&, const Targets&);
// The pools that the arguments `pool`, `zone` and `type` select. Without them, all pools.
std::vector<market::Pool> struck_pools(const Arguments&, const Targets&);

// Limits the pools to this number of spot instances for this time.
void drain_pools(const std::vector<market::Pool>& pools, int slots, Duration lasts,
                 Targets& targets);

// Wakes all programs that wait for a change in a description now, and again after `lasts`. For
// faults that change how calls are answered.
void tell_of_calls(Targets& targets, Duration lasts);

inline constexpr Parameter kOnlyPool{"pool", ArgumentType::kPool, "", "",
                                     "limits the fault to "
                                     "this pool"},
    kOnlyZone{"zone", ArgumentType::kZone, "", "",
              "limits the fault to pools of this Availability "
              "Zone"},
    kOnlyType{"type", ArgumentType::kType, "", "",
              "limits the fault to pools of this instance "
              "type"},
    kOneInstance{"instance", ArgumentType::kMachine, "", "",
                 "number of the instance; by default the trigger's instance, or else the newest "
                 "running one"},  // as struck_instance() finds it
    kVolumes{"volumes", ArgumentType::kWord, "", "kept lost",
             "`lost`: the hardware of the instance's volumes fails, too; only without a notice"},
    kCapacityAfter{"capacity_after",
                   ArgumentType::kWhole,
                   "",
                   "",
                   "number of slots of the instance's pool after the fault",
                   false,
                   0,
                   1'000'000};

// ---- the files of the catalogue, a row for each kind
std::span<const Kind> instance_faults();
std::span<const Kind> customer_faults();
std::span<const Kind> maintenance_faults();
std::span<const Kind> market_faults();
std::span<const Kind> api_faults();
std::span<const Kind> metadata_faults();
std::span<const Kind> network_faults();
std::span<const Kind> storage_faults();
std::span<const Kind> guest_faults();

}  // namespace sim::faults
