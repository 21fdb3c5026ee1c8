// What can go wrong: the catalogue of faults. A new kind is a function and a row in one of the
// files that kinds.cpp lists.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/events/event_log.h"
#include "sim/faults/plan.h"
#include "sim/guest/guest_host.h"

namespace sim::faults {

class OngoingFaults;

// The job, as the scenario and its trainers tell of it.
struct JobFacts {
  std::string trainer;     // the name of its processes; empty: as GuestFault::program has it
  std::string files;       // a pattern of its checkpoints' paths; empty: any file of the folder
  std::string folder;      // where checkpoints go; empty: nobody has said
  std::string checkpoint;  // the newest one's path; likewise
};

// What a kind works on; of one run.
struct Targets {
  Simulation& simulation;
  EventLog& log;
  cloud::Cloud& cloud;
  guest::FaultTarget& guests;
  OngoingFaults& ongoing;
  const std::vector<cloud::InstanceId>& launched;  // in order
  const JobFacts& job;
};

// What became of a fault of the plan.
struct Tally {
  bool part = true;          // of the run: its chance was drawn
  std::int64_t seen = 0;     // lines, calls or requests that `when` counted
  std::int64_t strikes = 0;  // those that found nothing to strike included
  std::int64_t found = 0;    // strikes that found something; of an interruption: instances
  bool unmet = false;        // what it began met no call, request or transition
};

// Where a fault strikes: what the instant is about, as far as it is about something.
struct Strike {
  std::string machine;           // as the log names it: who calls, whose event it is; empty: nobody
  std::string action;            // the call's
  std::string volume, snapshot;  // IDs that the event names
  Tally* interruption = nullptr;  // counts what an interruption takes; null: it is none
};

// An action is one that is served, or `any`.
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
  std::string_view fallback;  // in YAML; empty: none
  std::string_view words;     // of kWord: "no-capacity by-price"
  std::string_view meaning;
  bool required = false;
  std::int64_t lowest = 0, highest = std::int64_t{1} << 50;  // of kWhole and kNumber
};

// The value of an argument of a trial. The trial is tried with each zone of the scenario's prices
// where the parameter is a zone, and with each of the parameter's words where it is a word.
inline constexpr std::string_view kEach = "EACH";

// Where a kind tells most, and with which arguments: `spotsim explore` tries it there first.
struct Trial {
  enum class At {
    kSpotInstant,  // each instant at which a spot instance runs, with a call's before and after
    kInstant,      // each instant at which any instance runs, likewise
    kCall,         // each call
    kEvent,        // each line of this kind
    kMetadata,     // each request to instance metadata
  };
  At at;
  std::string_view about;      // the action, or event and state: "snapshot.state pending"
  std::string_view arguments;  // as a plan has them: "notice: 20s"; values may be kEach
};

// What a fault needs to strike. A kind with the parameter `instance` always needs an instance.
enum class Target { kNone, kSpotInstance, kVolume, kSnapshot };

struct Kind {
  std::string_view name;
  std::string_view does;  // a sentence for people
  std::span<const Parameter> parameters;
  // A job is expected to get over it: the world is as before when it is over.
  bool passes = true;
  // It ends the machine at once: a call that is struck before its effect is never made.
  bool cuts_power = false;
  // What lasts is begun at the strike itself, before a call's effect; what happens at once comes as
  // an event of its own, behind the one that it waits for.
  bool lasts = false;
  Target target = Target::kNone;
  // What it asks of the guests; a run whose guests cannot is refused.
  std::optional<guest::GuestFault::What> needs = {};
  void (*strike)(const Arguments&, const Strike&, Targets&);
  // Makes the recommendation of the argument `rebalance`; null: the kind has no such argument.
  void (*recommend)(const Arguments&, const Strike&, Targets&) = nullptr;
  std::span<const Trial> trials = {};
  std::string_view elsewhere = "";  // of a trial at every other point
};

const std::vector<const Kind*>& kinds();
const Kind* find_kind(std::string_view name);  // null: there is none
// The actions of AWS's that faults can strike.
const std::set<std::string>& known_actions();
// The place in the plan, from 0, of the first fault that these guests cannot have.
std::optional<std::size_t> first_refused(const Plan& plan, const guest::FaultTarget& guests);

// ---- for kinds

// The instance that a fault is about: its argument `instance`, else the strike's machine, else the
// newest that runs; null: there is none.
const cloud::Instance* struck_instance(const Arguments&, const Strike&, const Targets&);
// The volume that the strike names, else the newest that is no instance's root.
const cloud::Volume* struck_volume(const Strike&, const Targets&);
// The snapshot that the strike names, else the newest.
const cloud::Snapshot* struck_snapshot(const Strike&, const Targets&);
// The pools that the arguments `pool`, `zone` and `type` name; without any of these all of them.
std::vector<market::Pool> struck_pools(const Arguments&, const Targets&);

// The pools have no more than so many spot instances to give, for so long.
void drain_pools(const std::vector<market::Pool>& pools, int slots, Duration lasts,
                 Targets& targets);

// Those who wait for EC2 to describe something else look now, and after so long: for what happens
// to calls.
void tell_of_calls(Targets& targets, Duration lasts);

inline constexpr Parameter kOnlyPool{"pool", ArgumentType::kPool, "", "", "only this pool"},
    kOnlyZone{"zone", ArgumentType::kZone, "", "", "only this Availability Zone"},
    kOnlyType{"type", ArgumentType::kType, "", "", "only this instance type"},
    kOneInstance{"instance", ArgumentType::kMachine, "", "",
                 "the n-th instance of the run; by default the one that `when` is about, else the "
                 "newest running one"},  // as struck_instance() finds it
    kVolumes{"volumes", ArgumentType::kWord, "", "kept lost",
             "`lost` (only without a notice): the hardware of the instance's volumes fails, too"},
    kCapacityAfter{"capacity_after",
                   ArgumentType::kWhole,
                   "",
                   "",
                   "number of slots of the instance's pool from then on",
                   false,
                   0,
                   1'000'000};

// ---- the files of the catalogue, a row for each kind
std::span<const Kind> instance_faults();
std::span<const Kind> market_faults();
std::span<const Kind> api_faults();
std::span<const Kind> metadata_faults();
std::span<const Kind> storage_faults();
std::span<const Kind> guest_faults();

}  // namespace sim::faults
