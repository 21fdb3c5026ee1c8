#include <fmt/format.h>

#include <cmath>

#include "sim/market/usd.h"
#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

// Each line by its own quantity and price, within the rounding to 10^-9 dollars.
class MoneyAddsUp : public Invariant {
 public:
  MoneyAddsUp() : Invariant("money-adds-up", "the money ledger adds up") {}

  std::vector<std::string_view> hears() const override { return {"charge"}; }

  void hear(const Line& line) override {
    if (line.text("unit") != "seconds" || line.text("note").starts_with("waived")) return;
    const auto unit_price = market::parse_usd(std::string(line.text("unit_price")));
    const auto cost = market::parse_usd(std::string(line.text("cost")));
    if (!unit_price || !cost) return;  // which the story refuses
    const double hours = line.number("quantity") / 3600;
    if (std::abs(hours * static_cast<double>(unit_price->nano) - static_cast<double>(cost->nano)) <=
        1.0)
      return;
    broken(line.at(),
           fmt::format("{} s of {} at {} do not cost {}", line.number("quantity"),
                       line.text("resource"), line.text("unit_price"), line.text("cost")),
           {line.written()});
  }

  void end(const Story& story, const Result& result) override {
    const MoneyLedger& m = result.money;
    if (m.instances + m.volumes + m.snapshots + m.objects + m.logs + m.requests + m.transfer !=
        m.total)
      broken(story.end, "the kinds of charges do not add up to the total");
  }
};

}  // namespace

std::unique_ptr<Invariant> money_adds_up(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<MoneyAddsUp>();
}

}  // namespace sim::run
