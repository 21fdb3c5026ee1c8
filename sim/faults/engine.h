// A plan at work in one run: waits for each fault's instant, and strikes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fakes/interference.h"
#include "sim/cloud/observer.h"
#include "sim/faults/kinds.h"
#include "sim/faults/plan.h"
#include "sim/faults/weather.h"
#include "sim/kernel/random.h"

namespace sim::faults {

// What became of a fault of the plan.
struct Tally {
  bool part = true;          // of the run: its chance was drawn
  std::int64_t seen = 0;     // lines, calls or requests that `when` counted
  std::int64_t strikes = 0;  // those that found nothing to strike included
  std::int64_t found = 0;    // of the strikes: those that found something
  bool unmet = false;        // what it began met no call, request or transition
};

// Its instants are lines of the log, as a plan's author reads them; so it is the one part of the
// world that listens there. Whatever a fault does comes after the line, as an event of its own, and
// only a call's fault comes between the call and its effect. Each is logged as "fault.strike".
class Engine : public fakes::Interference, private cloud::Observer {
 public:
  // The clock stands at the run's start. All must outlive it; the plan's kinds and arguments have
  // been checked.
  // `told` is what the scenario says of the job.
  Engine(const Plan& plan, Simulation& simulation, EventLog& log, const Streams& streams,
         cloud::Cloud& cloud, guest::GuestHost& guests, Told told = {});

  Trouble before(const Call& call) override;
  void after(const Call& call) override;
  MetadataTrouble metadata(const cloud::InstanceId& instance, std::string_view path) override;

  // Of each fault, in the order of the plan.
  std::vector<Tally> tallies() const;

 private:
  struct Armed {
    const Fault* fault;
    const Kind* kind;
    std::int64_t place;  // in the plan, from 1
    int seen = 0;        // of what `when` counts
  };
  Tally& tally(const Armed& armed) { return tallies_[static_cast<std::size_t>(armed.place - 1)]; }
  bool count(Armed& armed, int nth);
  void instance_state(const cloud::Instance& instance,
                      std::optional<cloud::InstanceState> from) override;
  void arm(const Fault& fault, std::int64_t place);
  void strike_now(const Armed& armed, const Strike& strike);
  void strike_after(const Armed& armed, Duration after, Strike strike);
  void strike_again(const Armed& armed, Duration mean, Stream stream);
  void hear(const events::AnyEvent& line);
  void trainer_starts(const events::TrainerStart& line);
  void checkpoint_durable(const events::TrainerCheckpointDurable& line);
  void checkpoint_written(const events::TrainerCheckpointWritten& line);
  void checkpoint_is_at(std::string_view path);
  bool is(const Machine& machine, std::string_view name) const;
  bool is_the_one(Armed& armed, OnCall::Side side, const Call& call);
  bool cuts_off(const Armed& armed, const Strike& strike) const;
  bool finds_target(const Armed& armed, const Strike& strike) const;

  EventLog& log_;
  const Streams& streams_;
  Weather weather_;
  std::vector<cloud::InstanceId> launched_;
  Told told_;
  Targets targets_;
  std::vector<Armed> on_event_, on_call_, on_metadata_;
  std::vector<Tally> tallies_;
};

}  // namespace sim::faults
