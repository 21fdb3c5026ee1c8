// The rules of the bill, as pure functions. Given a resource's record and its times, they return
// line items by EC2's and EBS's rules. Parts of the cloud apply them when a resource ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cloud/resources.h"
#include "sim/market/instance_bill.h"
#include "sim/market/market.h"

namespace sim::cloud {

struct Prices;

enum class ChargeKind { kInstances, kVolumes, kSnapshots, kObjects, kLogs, kRequests, kTransfer };
std::string_view name(ChargeKind kind);  // "instances", "volumes", …: money_ledger_usd's keys

struct LineItem {
  ChargeKind kind;
  std::string resource;  // the resource's ID
  std::string usage;     // "SpotUsage:p3.2xlarge/us-west-2b", "BoxUsage:m4.xlarge",
                         // "EBS:VolumeUsage.gp2", "EBS:VolumeP-IOPS.gp3",
                         // "EBS:VolumeP-Throughput.gp3", "EBS:SnapshotUsage",
                         // "SpotTraining:ml.p3.2xlarge/us-west-2b", "Training:ml.p3.2xlarge",
                         // "TimedStorage-ByteHrs", "Requests-Tier1", "DataProcessing-Bytes",
                         // "DataTransfer-Regional-Bytes", "USW2-USE1-AWS-Out-Bytes"
  Time from, to;
  double quantity;         // amount in `unit`
  std::string unit;        // "seconds", "GB-months", "IOPS-months", "MiBps-months", "GB",
                           // "requests"
  market::Usd unit_price;  // per hour, per month or per GB, as `unit` implies
  market::Usd cost;
  std::string note;  // "waived: interrupted in the first hour", "60 s minimum", or empty
};

// All line items that were charged so far.
class Ledger {
 public:
  void add(LineItem item);
  const std::vector<LineItem>& items() const { return items_; }
  market::Usd total() const;

 private:
  std::vector<LineItem> items_;
};

// EBS's month: 730 hours, as AWS's own calculator has it.
inline constexpr Duration kBillingMonth = std::chrono::hours{730};

using market::Ended;

// An instance's time from running to `end`, by the second (market::instance_bill), with one item
// per price. A free item has cost zero. Empty if the instance never ran.
std::vector<LineItem> instance_charges(const Instance& instance, Time end, Ended ended,
                                       const market::Market& market);
// A volume's provisioned size from creation, or from its last modification, to `end`, and its IOPS
// and throughput if its type has a price for them. Empty for an instance's root.
std::vector<LineItem> volume_charges(const Volume& volume, Time end, const Prices& prices);
// The bytes that an instance exchanged with other zones until `end`.
LineItem transfer_charge(const Instance& instance, Time end, const Prices& prices);
// Bytes that leave a region for another one, charged to the sender's region. `resource` is what
// they become there.
struct RegionPair {
  std::string_view from, to;
};
LineItem region_transfer_charge(const std::string& resource, std::int64_t bytes, RegionPair regions,
                                Time now, const Prices& prices);
// A snapshot's billed bytes from Snapshot::billed_since to `end`.
LineItem snapshot_charge(const Snapshot& snapshot, Time end, const Prices& prices);

// bytes × time at a price per GiB and month, rounded half up to 10^-9 dollars.
Usd gb_month_charge(Usd per_gb_month, std::int64_t bytes, Duration d);

}  // namespace sim::cloud
