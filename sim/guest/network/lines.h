// When bytes arrive: an instance's line in, its line out and each connection's line are queues with
// a number of bytes per second. After the sender's queue comes half a round trip.
#pragma once

#include <cstdint>

#include "sim/guest/network/network_knobs.h"

namespace sim::guest {

// Serves bytes in order, exactly: a fraction of a nanosecond counts for the next bytes.
class Line {
 public:
  // `bandwidth` in bytes a second. The time at which the last of `bytes` that want to begin at
  // `from` has passed.
  Time pass(Time from, std::int64_t bytes, std::int64_t bandwidth);
  // When what wants to begin at `from` can.
  Time begin(Time from) const { return from > free_ ? from : free_; }

 private:
  Time free_{Duration::min()};
  std::int64_t rest_ = 0;  // of a nanosecond, in 1/bandwidth
};

// The lines of one instance.
struct InstanceLines {
  Line out, in;
};

// The arrival of bytes that are sent `now`. They pass the lines of sender, connection and receiver
// at the same time, so the slowest of the three counts.
Time arrival(Time now, std::int64_t bytes, const NetworkPath& path, std::int64_t instance_bandwidth,
             Line& sender, Line& connection, Line& receiver);

}  // namespace sim::guest
