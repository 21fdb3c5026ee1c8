// When bytes arrive: an instance's line in and out, and each connection's own, are queues that
// serve so many bytes a second; after the sender's comes half a round trip.
#pragma once

#include <cstdint>

#include "sim/guest/network/network_knobs.h"

namespace sim::guest {

// Serves bytes one after the other, exactly: what is left of a nanosecond counts for the next.
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

// When bytes that are sent `now` have arrived. They pass the sender's line, the connection's and
// the receiver's at once, not one after the other: the slowest of the three counts.
Time arrival(Time now, std::int64_t bytes, const NetworkPath& path, std::int64_t instance_bandwidth,
             Line& sender, Line& connection, Line& receiver);

}  // namespace sim::guest
