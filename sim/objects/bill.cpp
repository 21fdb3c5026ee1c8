#include "sim/objects/bill.h"

#include <cmath>

namespace sim::objects {
namespace {

using cloud::ChargeKind;
using cloud::LineItem;

LineItem requests(std::uint64_t count, market::Usd a_thousand, const char* usage, Time begin,
                  Time now) {
  const auto n = static_cast<std::int64_t>(count);
  return {.kind = ChargeKind::kRequests,
          .resource = "s3",
          .usage = usage,
          .from = begin,
          .to = now,
          .quantity = static_cast<double>(n),
          .unit = "requests",
          .unit_price = {a_thousand.nano / 1000},
          .cost = {(n * a_thousand.nano + 500) / 1000},
          .note = ""};
}

LineItem storage(double byte_seconds, market::Usd gb_month, Time begin, Time now) {
  constexpr double kGibibyte = 1024.0 * 1024 * 1024;
  const double gb_months = byte_seconds / kGibibyte / seconds(cloud::kBillingMonth);
  return {.kind = ChargeKind::kObjects,
          .resource = "s3",
          .usage = "TimedStorage-ByteHrs",
          .from = begin,
          .to = now,
          .quantity = gb_months,
          .unit = "GB-months",
          .unit_price = gb_month,
          .cost = cloud::gb_month_charge(gb_month, std::llround(byte_seconds), 1s),
          .note = ""};
}

}  // namespace

std::vector<LineItem> charges(const Store& store, const std::string& region, Time begin, Time now,
                              const cloud::Prices& prices) {
  const Store::Usage usage = store.usage(region);
  std::vector<LineItem> items;
  if (usage.byte_seconds > 0)
    items.push_back(storage(usage.byte_seconds, prices.object_gb_month, begin, now));
  if (usage.writes > 0)
    items.push_back(
        requests(usage.writes, prices.object_writes_1000, "Requests-Tier1", begin, now));
  if (usage.reads > 0)
    items.push_back(requests(usage.reads, prices.object_reads_1000, "Requests-Tier2", begin, now));
  return items;
}

}  // namespace sim::objects
