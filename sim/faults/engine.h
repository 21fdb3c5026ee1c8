// Executes fault plans in one run: it waits for each fault's trigger and then strikes.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "fakes/fis/fault_injector.h"
#include "fakes/interference.h"
#include "sim/cloud/observer.h"
#include "sim/faults/kinds.h"
#include "sim/faults/ongoing_faults.h"
#include "sim/faults/plan.h"
#include "sim/kernel/random.h"

namespace sim::faults {

// Called when it is known that an interruption will strike an instance, with the length of its
// notice.
using Foretell = std::function<void(const cloud::InstanceId&, Time strike, Duration notice)>;

// A plan's author reads the log, so faults wait for lines of it. No other part of the world listens
// to the log. A fault acts after the line, as an event of its own. Only a fault of a call acts
// between the call and its effect. Each strike is logged as "fault.strike", and an interruption as
// "scenario.interruption" with the instances that it takes.
class Engine : public fakes::Interference,
               public fakes::fis::FaultInjector,
               private cloud::Observer {
 public:
  // All arguments must outlive the engine. `job` has the facts that the scenario states about the
  // job. `region` is a further region, as its log names it; it is empty for the first one.
  Engine(Simulation& simulation, EventLog& log, const Streams& streams, cloud::Cloud& cloud,
         guest::FaultTarget& guests, JobFacts job = {}, Foretell foretell = {},
         std::string region = {});

  // Adds a plan, which must outlive the engine and have checked kinds and arguments. Call it at the
  // run's start. Faults of a further plan continue the numbering.
  void follow(const Plan& plan);

  // Removes a fault, by its number in the plans: it waits no longer, and what it began ends now.
  // Its tally remains.
  void remove(std::int64_t fault);
  // True if something that the fault began still lasts.
  bool lasts(std::int64_t fault) const { return ongoing_.lasts(fault); }

  // True if a fault stopped an instance and will start it again. The job may have terminated or
  // started it in the meantime.
  bool will_start() const;

  // A fault of AWS FIS strikes now or later. It has the next number after the plans' faults.
  std::int64_t inject(fakes::fis::InjectedFault fault) override;
  void end(std::int64_t fault) override { remove(fault); }
  std::string not_undone(std::int64_t fault) const override { return ongoing_.not_undone(fault); }

  Trouble before(const Call& call) override;
  void after(const Call& call) override;
  MetadataTrouble metadata(const cloud::InstanceId& instance, std::string_view path) override;
  std::string obstacle(const cloud::InstanceId& from, const cloud::InstanceId& to) override;

  // The tally of each fault, in the order of their numbers.
  std::vector<Tally> tallies() const;

 private:
  struct Armed {
    const Fault* fault;
    const Kind* kind;
    std::int64_t place;  // number in the plans, from 1
    int seen = 0;        // occurrences of the trigger so far
  };
  Tally& tally(const Armed& armed) { return tallies_[static_cast<std::size_t>(armed.place - 1)]; }
  bool count(Armed& armed, int nth);
  void instance_state(const cloud::Instance& instance,
                      std::optional<cloud::InstanceState> from) override;
  void arm(const Fault& fault, std::int64_t place);
  void await(const Armed& armed, const OnEvent& on);
  void begin_life(const Armed& armed, const cloud::Instance& instance);
  void announce(const Armed& armed, Duration after, const Strike& strike);
  void log_strike(const Armed& armed, const Strike& strike);
  void strike_now(const Armed& armed, Strike strike);
  void strike_or_throw(const Armed& armed, Strike strike);
  void strike_after(const Armed& armed, Duration after, Strike strike);
  void strike_again(const Armed& armed, Duration mean, Stream stream);
  void hear(const events::AnyEvent& line);
  bool is_of_region(const events::AnyEvent& line) const;
  void trainer_starts(const events::TrainerStart& line);
  void checkpoint_durable(const events::TrainerCheckpointDurable& line);
  void checkpoint_written(const events::TrainerCheckpointWritten& line);
  void checkpoint_is_at(std::string_view path);
  bool is(const Machine& machine, std::string_view name) const;
  bool is_the_one(Armed& armed, OnCall::Side side, const Call& call);
  bool cuts_off(const Armed& armed, const Strike& strike) const;
  bool finds_target(const Armed& armed, const Strike& strike) const;

  EventLog& log_;
  const std::string region_;
  const Streams& streams_;
  OngoingFaults ongoing_;
  std::vector<cloud::InstanceId> launched_;
  JobFacts job_;
  Targets targets_;
  Foretell foretell_;
  std::vector<Armed> on_event_, on_call_, on_metadata_, on_lifetime_;
  std::set<events::Kind> awaited_;
  std::set<std::int64_t> removed_;
  std::deque<Tally> tallies_;
  std::deque<Fault> injected_;  // faults of AWS FIS
};

}  // namespace sim::faults
