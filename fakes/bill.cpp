#include "sim/logs/bill.h"

#include "fakes/backend.h"
#include "fakes/regions.h"
#include "sim/objects/bill.h"

namespace fakes {

void bill_services(Backend& backend) {
  const sim::Time begin = backend.simulation.now();
  const auto& prices = backend.cloud.config().prices;
  const bool is_first = &first_region(backend) == &backend;
  const std::string region = is_first ? "" : backend.cloud.config().region;  // as of its buckets
  backend.cloud.also_bill([&backend, &prices, region, begin] {
    return sim::objects::charges(backend.objects, region, begin, backend.simulation.now(), prices);
  });
  backend.cloud.also_bill([&backend, &prices] {
    std::vector<sim::cloud::LineItem> items;
    for (const auto& [to, bytes] : backend.sent_to_regions)
      items.push_back(sim::cloud::region_transfer_charge("s3", static_cast<std::int64_t>(bytes),
                                                         {backend.cloud.config().region, to},
                                                         backend.simulation.now(), prices));
    return items;
  });
  backend.cloud.also_bill([&backend, &prices, begin] {
    return sim::logs::charges(backend.logs, begin, backend.simulation.now(), prices);
  });
}

}  // namespace fakes
