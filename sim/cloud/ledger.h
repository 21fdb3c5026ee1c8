// The bill: line items that add up to what the run cost.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/usd.h"

namespace sim::cloud {

enum class ChargeKind { kInstances, kVolumes, kSnapshots, kRequests, kTransfer };
std::string_view name(ChargeKind kind);  // "instances", "volumes", …: money_ledger_usd's keys

struct LineItem {
  ChargeKind kind;
  std::string resource;  // the resource's ID
  std::string usage;     // "SpotUsage:p3.2xlarge/us-west-2b", "BoxUsage:m4.xlarge",
                         // "EBS:VolumeUsage.gp2", "EBS:SnapshotUsage"
  Time from, to;
  double quantity;         // in `unit`
  std::string unit;        // "seconds", "GB-months"
  market::Usd unit_price;  // an hour for seconds, a month for GB-months
  market::Usd cost;
  std::string note;  // "waived: interrupted in the first hour", "60 s minimum", or empty
};

class Ledger {
 public:
  void add(LineItem item);
  const std::vector<LineItem>& items() const { return items_; }
  market::Usd total() const;

 private:
  std::vector<LineItem> items_;
};

}  // namespace sim::cloud
