#include "fakes/messaging.h"

#include <fmt/format.h>

namespace fakes {
namespace {

std::string arn_prefix(std::string_view service, const Backend& backend) {
  const auto& config = backend.cloud.config();
  return fmt::format("arn:aws:{}:{}:{}:", service, config.region, config.account_id);
}

}  // namespace

Messaging::Messaging(Backend& backend)
    : queues(backend.simulation, backend.streams, arn_prefix("sqs", backend)) {}

Messaging& messaging(Backend& backend) {
  if (!backend.messaging) backend.messaging = std::make_shared<Messaging>(backend);
  return *backend.messaging;
}

}  // namespace fakes
