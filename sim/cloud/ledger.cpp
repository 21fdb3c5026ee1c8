#include "sim/cloud/ledger.h"

#include <array>
#include <cstddef>
#include <utility>

#include "sim/kernel/check.h"

namespace sim::cloud {

std::string_view name(ChargeKind kind) {
  static constexpr std::array<std::string_view, 5> kNames{"instances", "volumes", "snapshots",
                                                          "requests", "transfer"};
  const auto i = static_cast<std::size_t>(kind);
  SIM_CHECK(i < kNames.size());
  return kNames[i];
}

void Ledger::add(LineItem item) {
  SIM_CHECK(item.from <= item.to && item.cost.nano >= 0);
  items_.push_back(std::move(item));
}

market::Usd Ledger::total() const {
  market::Usd sum;
  for (const LineItem& item : items_) sum += item.cost;
  return sum;
}

}  // namespace sim::cloud
