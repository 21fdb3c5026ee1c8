#include "sim/market/instance_bill.h"

#include <algorithm>

#include "sim/kernel/check.h"

namespace sim::market {
namespace {

constexpr Duration kBillingMinimum = 60s;
constexpr Duration kFreeWhenInterruptedWithin = 1h;
constexpr Duration kBilledHour = 1h;

std::vector<BilledTime> by_the_second(std::span<const PricePoint> prices, Time start, Time end,
                                      Ended ended) {
  std::vector<BilledTime> parts;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    const Time from = std::max(start, prices[i].at);
    const Time to = i + 1 < prices.size() ? std::min(prices[i + 1].at, end) : end;
    if (from >= to && !(parts.empty() && from == end)) continue;
    // Traces sometimes repeat a price. Consecutive equal prices are one part.
    if (!parts.empty() && parts.back().price == prices[i].price)
      parts.back().to = to;
    else
      parts.push_back({from, to, prices[i].price, {}});
  }
  for (BilledTime& part : parts) part.billed = part.to - part.from;
  if (is_free(end - start, ended)) {
    for (BilledTime& part : parts) part.billed = Duration::zero();
  } else {
    parts.back().billed += std::max(kBillingMinimum - (end - start), Duration::zero());
  }
  return parts;
}

std::vector<BilledTime> by_the_hour(std::span<const PricePoint> prices, Time start, Time end,
                                    Ended ended) {
  std::vector<BilledTime> parts;
  auto price = prices.begin();
  Time from = start;
  do {
    while (std::next(price) != prices.end() && std::next(price)->at <= from) ++price;
    const Time to = std::min(from + kBilledHour, end);
    const bool over = to == from + kBilledHour;
    const Duration billed = over || ended == Ended::kByCustomer ? kBilledHour
                            : ended == Ended::kNotYet           ? to - from
                                                                : Duration::zero();
    parts.push_back({from, to, price->price, billed});
    from = to;
  } while (from < end);
  return parts;
}

}  // namespace

std::vector<BilledTime> instance_bill(std::span<const PricePoint> prices, Time start, Time end,
                                      Ended ended, Billing billing) {
  SIM_CHECK(start <= end && !prices.empty() && prices.front().at <= start);
  return billing == Billing::kPerSecond ? by_the_second(prices, start, end, ended)
                                        : by_the_hour(prices, start, end, ended);
}

bool is_free(Duration ran, Ended ended) {
  return ended == Ended::kByEc2 && ran < kFreeWhenInterruptedWithin;
}

}  // namespace sim::market
