// A debug switch that encodes and decodes the calls of fibers, which normally pass structs
// (docs/fiber-guest.md).
#pragma once

#include <functional>
#include <string>

#include "fakes/direct.h"

namespace sim::guest {

// Wraps a handler. It encodes each request like a client and decodes it like the service, and does
// the same with each answer in the other direction. `differs` gets a message for each one that
// changes: "DescribeVolumes: request: Filters.1.Name: …".
fakes::DirectHandler checked_on_the_wire(fakes::DirectHandler handler,
                                         std::function<void(const std::string&)> differs);

}  // namespace sim::guest
