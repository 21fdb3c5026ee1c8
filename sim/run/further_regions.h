// The further regions of a scenario. Each has its own market, cloud and services, on the clock, in
// the log and on the machines of the run.
#pragma once

#include <memory>
#include <vector>

#include "fakes/backend.h"
#include "sim/cloud/cloud.h"
#include "sim/events/event_log.h"
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
