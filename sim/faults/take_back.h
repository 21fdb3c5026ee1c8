// Interrupts spot instances, for faults, interruptions, falling capacity and the control API.
#pragma once

#include <string>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/faults/kinds.h"

namespace sim::faults {

market::Pool pool_of(const cloud::Instance& instance);
// A pool's spot instances that run at this instant, by ID.
std::vector<cloud::InstanceId> running_spot(const cloud::Cloud& cloud, const market::Pool& pool);
// A pool's spot instances that use a slot and have no notice: pending and running ones, in launch
// order.
std::vector<const cloud::Instance*> held_spot(const cloud::Cloud& cloud, const market::Pool& pool);
// The newest of these instances that exceed the pool's number of slots.
std::vector<cloud::InstanceId> surplus_spot(cloud::Cloud& cloud, const market::Pool& pool);

// Writes the line "scenario.interruption".
void log_interruption(EventLog& log, Time now, const market::Pool& pool,
                      const std::vector<cloud::InstanceId>& instances);

// Interrupts instances of a pool by the arguments `notice` (without it there is none), `reason`,
// `volumes` and `capacity_after`. An interruption is logged and counted.
void take_back(const market::Pool& pool, const std::vector<cloud::InstanceId>& instances,
               const Arguments& arguments, const Strike& strike, Targets& targets);

// Cuts the power of an instance. A spot instance is interrupted without a notice; for another one
// the host fails. With `volumes_lost` the hardware of its volumes fails at the same instant.
void cut_power(cloud::Cloud& cloud, const cloud::Instance& instance, bool volumes_lost = false);

}  // namespace sim::faults
