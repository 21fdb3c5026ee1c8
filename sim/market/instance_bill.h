// What an instance costs, by EC2's rules of an era: pure functions of when it ran and what it cost
// an hour then. The ledger of a run and the policies' runs over traces are billed by this.
#pragma once

#include <span>
#include <vector>

#include "sim/market/price_history.h"

namespace sim::market {

enum class Billing {
  // Since October 2017 (EC2 user guide, "Billing for Spot Instance usage"): by the second at the
  // price in force, a minute at least; nothing when EC2 takes a spot instance before its first hour
  // is over.
  kPerSecond,
  // Before: each hour begun, counted from the start, at the price at its beginning; the hour in
  // which EC2 takes a spot instance is free.
  kPerHour,
};

enum class Ended { kByCustomer, kByEc2, kNotYet };

// A part of an instance's time with one price.
struct BilledTime {
  Time from, to;
  Usd price;        // an hour
  Duration billed;  // at that price: to − from, or more, or nothing
  bool operator==(const BilledTime&) const = default;
};

// A spot instance's time from its start to `end` under prices of which the first is in force at the
// start; for an on-demand instance, which EC2 does not take, `ended` is kByCustomer or kNotYet. By
// the hour, the hour of an instance that has not ended is billed as far as it has come.
std::vector<BilledTime> instance_bill(std::span<const PricePoint> prices, Time start, Time end,
                                      Ended ended, Billing billing);

// True when EC2 charges nothing for an instance that it takes after so long.
bool is_free(Duration ran, Ended ended);

}  // namespace sim::market
