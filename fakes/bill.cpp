#include "sim/logs/bill.h"

#include "fakes/backend.h"
#include "sim/objects/bill.h"

namespace fakes {

void bill_services(Backend& backend) {
  const sim::Time begin = backend.simulation.now();
  const auto& prices = backend.cloud.config().prices;
  backend.cloud.also_bill([&backend, &prices, begin] {
    return sim::objects::charges(backend.objects, begin, backend.simulation.now(), prices);
  });
  backend.cloud.also_bill([&backend, &prices, begin] {
    return sim::logs::charges(backend.logs, begin, backend.simulation.now(), prices);
  });
}

}  // namespace fakes
