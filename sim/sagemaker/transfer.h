// The time that a host needs to copy objects from and to buckets.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/sagemaker/knobs.h"

namespace sim::sagemaker {

// The arrival of each object, counted from the start of the transfer, in the order of `sizes`.
//
// A host makes up to `requests_at_once` requests at a time. Each waits `request` for its first
// byte. Then its bytes use the host's bandwidth, after the bytes of the previous request.
std::vector<Duration> arrivals(const std::vector<std::uint64_t>& sizes, const TransferKnobs& knobs);
// The arrival of the last object; zero if there is none.
Duration time_for(const std::vector<std::uint64_t>& sizes, const TransferKnobs& knobs);

}  // namespace sim::sagemaker
