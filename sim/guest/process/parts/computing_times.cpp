#include "sim/guest/process/parts/computing_times.h"

#include <algorithm>

namespace sim::guest {

void ComputingTimes::add(const cloud::InstanceId& instance, Time from, Time to) {
  auto& spans = spans_[instance];
  if (!spans.empty() && from <= spans.back().to)
    spans.back().to = std::max(spans.back().to, to);
  else if (from < to)
    spans.push_back({from, to});
}

Duration ComputingTimes::within(const cloud::InstanceId& instance, Time from, Time to) const {
  Duration sum{};
  const auto found = spans_.find(instance);
  if (found == spans_.end()) return sum;
  auto span = std::ranges::upper_bound(found->second, from, {}, &Span::to);
  for (; span != found->second.end() && span->from < to; ++span)
    sum += std::min(span->to, to) - std::max(span->from, from);
  return sum;
}

}  // namespace sim::guest
