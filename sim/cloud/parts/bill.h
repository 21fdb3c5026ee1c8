// The account's bill: all charges, and the cost of resources up to now. billing.h has the rules.
// This class applies them at the present instant and reports each line item.
//
// A part charges for a resource when the resource ends. At the end of a run, close() charges for
// everything that still exists. Nothing is charged after that.
#pragma once

#include <functional>
#include <vector>

#include "sim/cloud/billing.h"
#include "sim/cloud/parts/context.h"
#include "sim/market/market.h"

namespace sim::cloud {

class Bill {
 public:
  using Items = std::vector<LineItem>;

  Bill(Context& context, const market::Market& market) : context_(context), market_(market) {}

  // The cost of a resource up to now. The charges of an instance depend on the cause of its end.
  Items of(const Instance&, Ended) const;
  Items of(const Volume&) const;
  Items of(const Snapshot&) const;
  // What an instance sent to and received from other zones. Empty if it did neither.
  Items transfer_of(const Instance&) const;

  // Enters a line item.
  void charge(LineItem);
  // Enters what an ended resource has cost. Nothing happens once the books are closed: close() has
  // charged for the resource.
  void settle(Items);
  // Enters what still stands open. From here on the bill has no open items.
  void close(Items open);
  bool closed() const { return closed_; }

  // A service without resources in this cloud, such as S3: what it charges up to now, if asked.
  void add_service(std::function<Items()> charges);
  Items open_items_of_services() const;

  const Ledger& ledger() const { return ledger_; }

 private:
  Context& context_;
  const market::Market& market_;
  Ledger ledger_;
  std::vector<std::function<Items()>> services_;
  bool closed_ = false;
};

}  // namespace sim::cloud
