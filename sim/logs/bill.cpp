#include "sim/logs/bill.h"

#include <cmath>

namespace sim::logs {
namespace {

using cloud::LineItem;

constexpr double kGibibyte = 1024.0 * 1024 * 1024;

LineItem item(const char* usage, double quantity, const char* unit, market::Usd price, Time begin,
              Time now) {
  return {.kind = cloud::ChargeKind::kLogs,
          .resource = "logs",
          .usage = usage,
          .from = begin,
          .to = now,
          .quantity = quantity,
          .unit = unit,
          .unit_price = price,
          .cost = {std::llround(quantity * static_cast<double>(price.nano))},
          .note = ""};
}

}  // namespace

std::vector<LineItem> charges(const Store& store, Time begin, Time now,
                              const cloud::Prices& prices) {
  std::vector<LineItem> items;
  if (store.ingested() == 0) return items;
  items.push_back(item("DataProcessing-Bytes", static_cast<double>(store.ingested()) / kGibibyte,
                       "GB", prices.log_ingested_gb, begin, now));
  const double gb_months = store.byte_seconds() / kGibibyte / seconds(cloud::kBillingMonth);
  items.push_back(
      item("TimedStorage-ByteHrs", gb_months, "GB-months", prices.log_gb_month, begin, now));
  return items;
}

}  // namespace sim::logs
