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

  // The cost of a resource up to now. For an instance it depends on the cause of its end.
  Items of(const Instance&, Ended) const;
  Items of(const Volume&) const;
  Items of(const Snapshot&) const;
  // The traffic between an instance and other zones. Empty if there was none.
  Items transfer_of(const Instance&) const;

  // Charges one line item.
  void charge(LineItem);
  // Charges for a resource that has ended. Has no effect after close(), which has charged for it.
  void settle(Items);
  // Charges the open items of all existing resources. Afterwards the bill has no open items.
  void close(Items open);
  bool closed() const { return closed_; }

  // Adds a service without resources in this cloud, such as S3. `charges` returns its charges up to
  // now.
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
