#include "sim/cloud/parts/bill.h"

#include <utility>

namespace sim::cloud {

Bill::Items Bill::of(const Instance& instance, Ended ended) const {
  return instance_charges(instance, context_.now(), ended, market_);
}

Bill::Items Bill::of(const Volume& volume) const {
  return volume_charges(volume, context_.now(), context_.config.prices);
}

Bill::Items Bill::of(const Snapshot& snapshot) const {
  return {snapshot_charge(snapshot, context_.now(), context_.config.prices)};
}

Bill::Items Bill::transfer_of(const Instance& instance) const {
  if (instance.regional_bytes == 0) return {};
  return {transfer_charge(instance, context_.now(), context_.config.prices)};
}

void Bill::charge(LineItem item) {
  context_.tell(&Observer::charged, item);
  ledger_.add(std::move(item));
}

void Bill::settle(Items items) {
  if (closed_) return;
  for (LineItem& item : items) charge(std::move(item));
}

void Bill::close(Items open) {
  settle(std::move(open));
  closed_ = true;
}

void Bill::add_service(std::function<Items()> charges) { services_.push_back(std::move(charges)); }

Bill::Items Bill::open_items_of_services() const {
  Items items;
  for (const auto& charges : services_)
    for (LineItem& item : charges()) items.push_back(std::move(item));
  return items;
}

}  // namespace sim::cloud
