#include "sim/sagemaker/transfer.h"

#include <algorithm>

namespace sim::sagemaker {

// Requests begin and end in the order of the objects. So the request that frees a place for the
// n-th object is the one `requests_at_once` before it.
std::vector<Duration> arrivals(const std::vector<std::uint64_t>& sizes,
                               const TransferKnobs& knobs) {
  const auto places = static_cast<std::size_t>(knobs.requests_at_once);
  std::vector<Duration> out;
  Duration line_free{};
  for (const std::uint64_t size : sizes) {
    const std::size_t n = out.size();
    const Duration begin = n < places ? Duration{} : out[n - places];
    line_free =
        std::max(begin + knobs.request, line_free) +
        from_seconds(static_cast<double>(size) / static_cast<double>(knobs.bytes_per_second));
    out.push_back(line_free);
  }
  return out;
}

Duration time_for(const std::vector<std::uint64_t>& sizes, const TransferKnobs& knobs) {
  const auto times = arrivals(sizes, knobs);
  return times.empty() ? Duration{} : times.back();
}

}  // namespace sim::sagemaker
