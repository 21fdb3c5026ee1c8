#include <fmt/format.h>

#include <cmath>

#include "sim/market/usd.h"
#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

// Each charge equals its quantity times its price, within the rounding to 10^-9 dollars.
class MoneyAddsUp : public Invariant {
 public:
  MoneyAddsUp()
      : Invariant("money-adds-up", "the amounts of the money ledger add up to the bill") {}

  void listen(events::Listeners& log) override { log.on(*this, &MoneyAddsUp::charge); }

  void end(const History& history, const Result& result) override {
    const MoneyLedger& m = result.money;
    if (m.instances + m.volumes + m.snapshots + m.objects + m.logs + m.requests + m.transfer !=
        m.total)
      broken(history.end, "the kinds of charges do not add up to the total");
  }

 private:
  void charge(const events::Charge& event) {
    if (event.unit != "seconds" || event.note.starts_with("waived")) return;
    const auto unit_price = market::parse_usd(std::string(event.unit_price));
    const auto cost = market::parse_usd(std::string(event.cost));
    if (!unit_price || !cost) return;  // the history refuses such a charge
    const double hours = event.quantity / 3600;
    if (std::abs(hours * static_cast<double>(unit_price->nano) - static_cast<double>(cost->nano)) <=
        1.0)
      return;
    broken(event.time,
           fmt::format("{} s of {} at {} do not cost {}", event.quantity, event.resource,
                       event.unit_price, event.cost),
           {to_line(event)});
  }
};

}  // namespace

std::unique_ptr<Invariant> money_adds_up(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<MoneyAddsUp>();
}

}  // namespace sim::result
