// Computes when bytes arrive. An instance's line in, its line out and each connection's line are
// queues with a number of bytes per second. Half a round trip is added after the sender's queue.
#pragma once

#include <cstdint>

#include "sim/guest/network/network_knobs.h"

namespace sim::guest {

// Serves bytes in order and exactly: fractions of a nanosecond are added to the next bytes.
class Line {
 public:
  // Returns the time at which the last of `bytes` has passed, if they are ready at `from`.
  // `bandwidth` is in bytes per second.
  Time pass(Time from, std::int64_t bytes, std::int64_t bandwidth);
  // Returns the time at which bytes that are ready at `from` can begin to pass.
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
