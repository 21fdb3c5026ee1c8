// The cost of an instance by EC2's billing rules of an era: pure functions of its times and its
// price per hour. A run's ledger and the policy evaluation over traces both use these functions.
#pragma once

#include <span>
#include <vector>

#include "sim/market/price_history.h"

namespace sim::market {

enum class Billing {
  // Since October 2017 (EC2 user guide, "Billing for Spot Instance usage"): per second at the price
  // in force, at least one minute. Nothing when EC2 interrupts a spot instance in its first hour.
  kPerSecond,
  // Before: per started hour since the launch, at the price at the hour's beginning. The hour in
  // which EC2 interrupts a spot instance is free.
  kPerHour,
};

enum class Ended { kByCustomer, kByEc2, kNotYet };

// A part of an instance's time with one price.
struct BilledTime {
  Time from, to;
  Usd price;        // an hour
  Duration billed;  // billed time: to − from, or longer, or zero
  bool operator==(const BilledTime&) const = default;
};

// The billed parts of a spot instance from its start to `end`. The first of the prices is in force
// at the start. For an on-demand instance, `ended` is kByCustomer or kNotYet, because EC2 does not
// interrupt it. With hourly billing, the current hour of a running instance is billed up to `end`.
std::vector<BilledTime> instance_bill(std::span<const PricePoint> prices, Time start, Time end,
                                      Ended ended, Billing billing);

// Whether EC2 charges nothing for an instance that it interrupts after this time.
bool is_free(Duration ran, Ended ended);

}  // namespace sim::market
