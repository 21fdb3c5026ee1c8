#include "sim/guest/network/lines.h"

#include <algorithm>

namespace sim::guest {

Time Line::pass(Time from, std::int64_t bytes, std::int64_t bandwidth) {
  if (from > free_) free_ = from, rest_ = 0;
  const __int128 amount = static_cast<__int128>(bytes) * 1'000'000'000 + rest_;
  free_ += Duration{static_cast<std::int64_t>(amount / bandwidth)};
  rest_ = static_cast<std::int64_t>(amount % bandwidth);
  return free_;
}

Time arrival(Time now, std::int64_t bytes, const NetworkPath& path, std::int64_t instance_bandwidth,
             Line& sender, Line& connection, Line& receiver) {
  const Duration half = path.round_trip / 2;
  const Time begins = sender.begin(now);
  const Time sent = std::max(sender.pass(now, bytes, instance_bandwidth),
                             connection.pass(begins, bytes, path.bandwidth));
  return std::max(sent + half, receiver.pass(begins + half, bytes, instance_bandwidth));
}

}  // namespace sim::guest
