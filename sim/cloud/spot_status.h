// The sentences that go with a spot request's status codes.
#pragma once

#include <string>
#include <string_view>

namespace sim::cloud {

// EC2 user guide, "Get the status of a Spot Instance request", in short; empty for a code that is
// not in it.
std::string status_message(std::string_view code);

}  // namespace sim::cloud
