// What a fiber's calls skip, made beside them: a debug switch (docs/fiber-guest.md).
#pragma once

#include <functional>
#include <string>

#include "fakes/direct.h"

namespace sim::guest {

// A handler that also writes each request as a client does and reads it as the service does, and
// the other way round with each answer. `differs` is told of every one that comes out another:
// "DescribeVolumes: request: Filters.1.Name: …".
fakes::DirectHandler checked_on_the_wire(fakes::DirectHandler handler,
                                         std::function<void(const std::string&)> differs);

}  // namespace sim::guest
