#include "sim/guest/fiber/object_store.h"

namespace sim::guest {

Duration ObjectStore::transfer(std::int64_t bytes) const {
  return model_.latency +
         from_seconds(static_cast<double>(bytes) / static_cast<double>(model_.bytes_per_second));
}

void ObjectStore::charge(const char* usage, market::Usd price) {
  constexpr std::int64_t kRequests = 2;  // the checkpoint's and its manifest's
  const Time now = cloud_.simulation().now();
  cloud_.charge({.kind = cloud::ChargeKind::kRequests,
                 .resource = "checkpoints",
                 .usage = usage,
                 .from = now,
                 .to = now,
                 .quantity = static_cast<double>(kRequests),
                 .unit = "requests",
                 .unit_price = price,
                 .cost = {kRequests * price.nano},
                 .note = ""});
}

Duration ObjectStore::expected_write(std::int64_t bytes) const {
  return transfer(bytes) + transfer(kManifestBytes);
}

Duration ObjectStore::write_checkpoint(const KeptCheckpoint& checkpoint) {
  charge("Requests-Tier1", model_.put_price);
  return expected_write(checkpoint.bytes);
}

Duration ObjectStore::read_checkpoints(const std::vector<std::int64_t>& sizes) {
  Duration time{};
  for (const std::int64_t bytes : sizes) {
    charge("Requests-Tier2", model_.get_price);
    time += transfer(kManifestBytes) + transfer(bytes);
  }
  return time;
}

}  // namespace sim::guest
