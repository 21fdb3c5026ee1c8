#include "sim/result/wasted_money.h"

#include "sim/result/gang.h"

namespace sim::result {
namespace {

Usd cost_of_instance(const History& history, const std::string& instance) {
  Usd sum;
  for (const ChargeLine& line : history.charges)
    if (line.resource == instance && line.kind == "instances") sum += line.cost;
  return sum;
}

// Rounded half up.
Usd part_of(Usd cost, Duration part, Duration whole) {
  if (whole <= Duration{}) return {};
  const __int128 product = static_cast<__int128>(cost.nano) * part.count();
  return {static_cast<std::int64_t>((product + whole.count() / 2) / whole.count())};
}

}  // namespace

WastedMoney wasted_money(const History& history, const std::vector<InstanceTime>& times) {
  WastedMoney wasted;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const History::Instance& instance = history.instances[i];
    const Usd cost = cost_of_instance(history, instance.id);
    wasted.all += cost;
    if (!instance.attempt()) continue;
    const TimeLedger& t = times[i].columns;
    const auto part = [&](Duration time) { return part_of(cost, time, t.sum()); };
    wasted.all = wasted.all - part(t.train_kept);
    wasted.lost += part(t.train_lost);
    wasted.checkpoint += part(t.checkpoint);
    const auto start = [](const TimeLedger& l) { return l.boot + l.migrate + l.restore; };
    const bool restart = is_restart(history, i);
    const TimeLedger first = restart ? TimeLedger{} : until_first_pause(instance, times[i]);
    wasted.restart += part(start(t) - start(first));
  }
  return wasted;
}

}  // namespace sim::result
