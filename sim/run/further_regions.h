// The further regions of a scenario. Each has its own market, cloud and services, on the clock, in
// the log and on the machines of the run.
#pragma once

#include <memory>
#include <vector>

#include "fakes/backend.h"
#include "sim/cloud/cloud.h"
#include "sim/events/event_log.h"
#include "sim/faults/engine.h"
#include "sim/result/history.h"
#include "sim/result/result.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// Owns them for one run. Without further regions it does nothing.
class FurtherRegions {
 public:
  // Adds the regions to those of `first`, the first region's backend. All arguments must outlive
  // this object, which must be made after the first region's parts and before any request.
  FurtherRegions(const scenario::Scenario& scenario, EventLog& log, cloud::Host& host,
                 fakes::Backend& first);
  ~FurtherRegions();

  // Starts the regions' interruptions and faults, and lets AWS FIS inject faults there. `engines`
  // gets one place for each region, which is null before the region's first fault; it must outlive
  // the guests. Throws ScenarioError for a kind that the guests cannot have.
  using Engines = std::vector<std::unique_ptr<faults::Engine>>;
  void follow_plans(const scenario::Scenario& scenario, guest::FaultTarget& guests,
                    const faults::JobFacts& job, Engines& engines);
  // The effect of these plans, as planned_strikes() reports that of the first region's.
  std::vector<result::PlannedStrike> strikes(const scenario::Scenario& scenario,
                                             const Engines& engines,
                                             const result::History& history) const;

  // The regions know the work of instances as `first` does.
  void share_work(const fakes::Backend& first);
  void observe(cloud::Observer& observer);
  // Whether something runs or may still be launched in one of them.
  bool anything_active() const;
  market::Usd cost_so_far() const;
  // Ends billing now. Returns the total of these regions' bills.
  market::Usd close_books();

 private:
  struct One;
  std::vector<std::unique_ptr<One>> regions_;
};

// The same for a single region: whether a service of `backend` may still do something.
bool is_active(const fakes::Backend& backend);

}  // namespace sim::run
