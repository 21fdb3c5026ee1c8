#include "sim/cloud/billing.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

#include "sim/cloud/config.h"
#include "sim/cloud/volume_types.h"
#include "sim/kernel/check.h"
#include "sim/market/zones.h"

namespace sim::cloud {
namespace {

constexpr std::int64_t kGib = std::int64_t{1} << 30;

std::vector<market::PricePoint> prices_of(const Instance& instance, Time from, Time to,
                                          const market::Market& market) {
  const LaunchSpec& spec = instance.spec;
  std::vector<market::PricePoint> prices;
  if (instance.lifecycle == Lifecycle::kSpot) {
    prices = market.spot_prices({spec.instance_type, spec.availability_zone}, from, to);
  } else {
    const auto price = market.on_demand_price(spec.instance_type);
    SIM_CHECK(price.has_value());
    prices = {{from, *price}};
  }
  if (!spec.managed_by.empty())
    for (auto& point : prices) point.price = scaled(point.price, spec.price_factor);
  return prices;
}

std::string usage_of(const Instance& instance) {
  const LaunchSpec& spec = instance.spec;
  const bool spot = instance.lifecycle == Lifecycle::kSpot;
  const std::string pool = to_string(Pool{spec.instance_type, spec.availability_zone});
  if (!spec.managed_by.empty())
    return (spot ? "SpotTraining:ml." + pool : "Training:ml." + spec.instance_type);
  return spot ? "SpotUsage:" + pool : "BoxUsage:" + spec.instance_type;
}

LineItem seconds_at(const Instance& instance, const market::BilledTime& part) {
  const bool waived = part.billed == Duration::zero();
  const Duration length = part.to - part.from;
  return {.kind = ChargeKind::kInstances,
          .resource = instance.id.value,
          .usage = usage_of(instance),
          .from = part.from,
          .to = part.to,
          .quantity = seconds(waived ? length : part.billed),
          .unit = "seconds",
          .unit_price = part.price,
          .cost = market::charge(part.price, part.billed),
          .note = waived                 ? "waived: interrupted in the first hour"
                  : part.billed > length ? "60 s minimum"
                                         : ""};
}

LineItem gb_months(ChargeKind kind, std::string resource, std::string usage, Time from, Time to,
                   std::int64_t bytes, Usd price) {
  return {
      .kind = kind,
      .resource = std::move(resource),
      .usage = std::move(usage),
      .from = from,
      .to = to,
      .quantity = static_cast<double>(bytes) / kGib * (seconds(to - from) / seconds(kBillingMonth)),
      .unit = "GB-months",
      .unit_price = price,
      .cost = gb_month_charge(price, bytes, to - from),
      .note = {}};
}

// A region in the bill's usage types: "USW2" for us-west-2 (AWS Billing User Guide, "Understanding
// your usage report").
std::string billing_code(std::string_view region) {
  if (region == "eu-west-1") return "EU";
  if (region == "ap-south-1") return "APS3";
  const std::string zone = market::zone_id(std::string(region) + "a");  // "usw2-az1"
  std::string code = zone.substr(0, zone.find('-'));
  std::ranges::transform(code, code.begin(), [](unsigned char c) { return std::toupper(c); });
  return code;
}

}  // namespace

std::string_view name(ChargeKind kind) {
  static constexpr std::array<std::string_view, 7> kNames{
      "instances", "volumes", "snapshots", "objects", "logs", "requests", "transfer"};
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

std::vector<LineItem> instance_charges(const Instance& instance, Time end, Ended ended,
                                       const market::Market& market) {
  if (!instance.running_at) return {};
  const Time start = *instance.running_at;
  const auto prices = prices_of(instance, start, end, market);
  std::vector<LineItem> items;
  // The free first hour is EC2's rule ("Billing for interrupted Spot Instances" in its user guide).
  // AWS documents no such rule for spot instances of other services.
  const bool ec2s_spot = instance.lifecycle == Lifecycle::kSpot && instance.spec.managed_by.empty();
  const Ended by = ec2s_spot ? ended : Ended::kByCustomer;
  for (const auto& part : instance_bill(prices, start, end, by, market::Billing::kPerSecond))
    items.push_back(seconds_at(instance, part));
  return items;
}

std::vector<LineItem> volume_charges(const Volume& volume, Time end, const Prices& prices) {
  if (volume.root) return {};
  const bool modified = !volume.modifications.empty();
  const Time from = modified ? volume.modifications.back().started_at : volume.created_at;
  const VolumeSettings billed =
      modified ? volume.modifications.back().target
               : VolumeSettings{volume.size_gib, volume.type, volume.iops, volume.throughput};
  const VolumeType& type = volume_type(billed.type);
  const auto months = [&](const char* usage, int units, Usd price, const char* unit) {
    LineItem item = gb_months(ChargeKind::kVolumes, volume.id.value, usage + billed.type, from, end,
                              units * kGib, price);
    item.unit = unit;
    return item;
  };
  std::vector<LineItem> items{
      months("EBS:VolumeUsage.", billed.size_gib, prices.*type.gb_month, "GB-months")};
  const bool gp3 = type.throughput_month != nullptr;
  if (const int iops = billed.iops - (gp3 ? kGp3Iops : 0); type.iops_month && iops > 0)
    items.push_back(months("EBS:VolumeP-IOPS.", iops, prices.*type.iops_month, "IOPS-months"));
  if (const int more = billed.throughput - kGp3MibPerSecond; gp3 && more > 0)
    items.push_back(
        months("EBS:VolumeP-Throughput.", more, prices.*type.throughput_month, "MiBps-months"));
  return items;
}

LineItem transfer_charge(const Instance& instance, Time end, const Prices& prices) {
  const Usd price = prices.transfer_between_zones_gb;
  const __int128 amount = static_cast<__int128>(instance.regional_bytes) * price.nano;
  return {.kind = ChargeKind::kTransfer,
          .resource = instance.id.value,
          .usage = "DataTransfer-Regional-Bytes",
          .from = instance.running_at.value_or(instance.launched_at),
          .to = end,
          .quantity = static_cast<double>(instance.regional_bytes) / kGib,
          .unit = "GB",
          .unit_price = price,
          .cost = {static_cast<std::int64_t>((amount + kGib / 2) / kGib)},
          .note = {}};
}

LineItem region_transfer_charge(const std::string& resource, std::int64_t bytes, RegionPair regions,
                                Time now, const Prices& prices) {
  const Usd price = prices.transfer_between_regions_gb;
  const __int128 amount = static_cast<__int128>(bytes) * price.nano;
  return {.kind = ChargeKind::kTransfer,
          .resource = resource,
          .usage = billing_code(regions.from) + "-" + billing_code(regions.to) + "-AWS-Out-Bytes",
          .from = now,
          .to = now,
          .quantity = static_cast<double>(bytes) / kGib,
          .unit = "GB",
          .unit_price = price,
          .cost = {static_cast<std::int64_t>((amount + kGib / 2) / kGib)},
          .note = {}};
}

LineItem snapshot_charge(const Snapshot& snapshot, Time end, const Prices& prices) {
  return gb_months(ChargeKind::kSnapshots, snapshot.id.value, "EBS:SnapshotUsage",
                   snapshot.billed_since, end, snapshot.billed_bytes, prices.snapshot_gb_month);
}

Usd gb_month_charge(Usd per_gb_month, std::int64_t bytes, Duration d) {
  SIM_CHECK(per_gb_month.nano >= 0 && bytes >= 0 && d >= Duration{});
  // Uses whole MiB if possible: bytes × nanodollars × nanoseconds of a 16 TiB volume would
  // overflow.
  const std::int64_t mib = std::int64_t{1} << 20;
  const bool whole = bytes % mib == 0;
  const __int128 amount = static_cast<__int128>(whole ? bytes / mib : bytes) * per_gb_month.nano;
  const __int128 unit = static_cast<__int128>(whole ? kGib / mib : kGib) * kBillingMonth.count();
  return {static_cast<std::int64_t>((amount * d.count() + unit / 2) / unit)};
}

}  // namespace sim::cloud
