#include "sim/run/interruption_forecast.h"

#include <algorithm>

#include "sim/faults/take_back.h"

namespace sim::run {
namespace {

using cloud::Instance;

// The earliest strike from `now` on that ends the instance.
class Earliest {
 public:
  explicit Earliest(Time now) : now_(now) {}
  void strike(Time at, Duration notice) {
    if (at >= now_) see({at + notice, notice > Duration{}});
  }
  void see(guest::InterruptionAhead ahead) {
    if (!found_ || ahead.at < found_->at) found_ = ahead;
  }
  std::optional<guest::InterruptionAhead> found() const { return found_; }

 private:
  Time now_;
  std::optional<guest::InterruptionAhead> found_;
};

}  // namespace

std::optional<guest::InterruptionAhead> InterruptionForecast::next(
    const cloud::InstanceId& id) const {
  const Instance& instance = cloud_.instance(id);
  const market::Pool pool = faults::pool_of(instance);
  const Time now = cloud_.simulation().now();
  const Duration usual = cloud_.config().durations.interruption_notice;
  Earliest earliest(now);
  if (instance.interruption_at) earliest.see({*instance.interruption_at, true});
  if (const auto told = told_.find(id); told != told_.end())
    for (const Strike& strike : told->second) earliest.strike(strike.at, strike.notice);
  for (const faults::Fault& fault : scenario_.interruptions) {
    const auto* const at = std::get_if<faults::AtTime>(&fault.when);
    if (at && fault.arguments.get<market::Pool>("pool") == pool)
      earliest.strike(scenario_.start + at->after, fault.arguments.get<Duration>("notice"));
  }
  const auto held = faults::held_spot(cloud_, pool);
  const auto place = std::ranges::find(held, &instance) - held.begin();
  for (const scenario::CapacityChange& step : scenario_.capacity) {
    if (step.reclaim && step.pool == pool && step.slots <= place)
      earliest.strike(scenario_.start + step.after, usual);
  }
  const auto above = cloud_.market().first_above(pool, cloud_.max_price(instance.spec), now);
  if (above) earliest.strike(*above, usual);
  return earliest.found();
}

}  // namespace sim::run
