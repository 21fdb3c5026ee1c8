// When a resource's line items enter the ledger: when it ends, or when the books are closed.
#include "sim/cloud/state.h"

namespace sim::cloud {

void Cloud::State::charge(LineItem item) {
  tell(&Observer::charged, item);
  ledger.add(std::move(item));
}

void Cloud::State::bill(const Instance& instance, Ended ended) {
  if (books_closed) return;
  for (LineItem& item : instance_charges(instance, now(), ended, market)) charge(std::move(item));
}

void Cloud::State::bill(const Volume& volume) {
  if (!books_closed) charge(volume_charge(volume, now(), config.prices));
}

void Cloud::State::bill(const Snapshot& snapshot) {
  if (!books_closed) charge(snapshot_charge(snapshot, now(), config.prices));
}

std::vector<LineItem> Cloud::State::open_items() const {
  std::vector<LineItem> items;
  if (books_closed) return items;
  for (const InstanceId& id : launch_order) {
    const Instance& instance = instances.at(id);
    if (instance.shutting_down_at) continue;
    for (LineItem& item : instance_charges(instance, now(), Ended::kByCustomer, market))
      items.push_back(std::move(item));
  }
  for (const auto& [id, volume] : volumes)
    if (volume.state != VolumeState::kDeleting && volume.state != VolumeState::kDeleted)
      items.push_back(volume_charge(volume, now(), config.prices));
  for (const auto& [id, snapshot] : snapshots)
    if (!snapshot.deleted_at) items.push_back(snapshot_charge(snapshot, now(), config.prices));
  return items;
}

void Cloud::charge(LineItem item) { state_->charge(std::move(item)); }

Usd Cloud::cost_so_far() const {
  Usd sum = state_->ledger.total();
  for (const LineItem& item : state_->open_items()) sum += item.cost;
  return sum;
}

void Cloud::close_books() {
  for (LineItem& item : state_->open_items()) state_->charge(std::move(item));
  state_->books_closed = true;
}

}  // namespace sim::cloud
