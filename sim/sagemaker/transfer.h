// How long a host takes to move objects from and to buckets.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/sagemaker/knobs.h"

namespace sim::sagemaker {

// When each object has arrived, from the start of the transfer on; in the order of `sizes`.
//
// A host has `requests_at_once` requests under way. Each waits `request` for its first byte, then
// its bytes share the host's bandwidth: they follow those of the request before.
std::vector<Duration> arrivals(const std::vector<std::uint64_t>& sizes, const TransferKnobs& knobs);
// When the last one has arrived; zero where there is none.
Duration time_for(const std::vector<std::uint64_t>& sizes, const TransferKnobs& knobs);

}  // namespace sim::sagemaker
