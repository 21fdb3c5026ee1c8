#include "fakes/messaging.h"

#include <fmt/format.h>

#include <algorithm>

namespace fakes {
namespace {

using sim::messaging::NewEvent;
using sim::messaging::Target;

std::string arn_prefix(std::string_view service, const Backend& backend) {
  const auto& config = backend.cloud.config();
  return fmt::format("arn:aws:{}:{}:{}:", service, config.region, config.account_id);
}

void to_queue(Messaging& to, const Target& target, const std::string& text) {
  const auto* const queue = to.queues.find_arn(target.arn);
  if (queue == nullptr) return;
  to.queues.send(queue->name,
                 {.body = text, .sender = "events.amazonaws.com", .group = target.group});
}

void to_topic(Messaging& to, const Target& target, const std::string& text) {
  to.topics.publish(target.arn, {.message = text});
}

// "arn:aws:logs:REGION:ACCOUNT:log-group:NAME", maybe with ":*" at its end. A rule's events are in
// one stream, where AWS has many.
void to_log_group(Backend& backend, const Target& target, const std::string& text) {
  std::string name = target.arn.substr(arn_prefix("logs", backend).size());
  name.erase(0, name.find(':') + 1);
  if (name.ends_with(":*")) name.resize(name.size() - 2);
  if (!backend.logs.groups().contains(name)) return;
  backend.logs.append(name, target.id, sim::logs::milliseconds(backend.simulation.now()), text);
}

constexpr std::string_view kTargetServices[] = {"sqs", "sns", "logs"};

bool can_deliver(const Backend& backend, const std::string& arn) {
  return std::ranges::any_of(kTargetServices, [&](std::string_view service) {
    return arn.starts_with(arn_prefix(service, backend));
  });
}

void deliver(Backend& backend, const Target& target, const std::string& text) {
  Messaging& to = messaging(backend);
  try {
    if (target.arn.starts_with(arn_prefix("sqs", backend))) to_queue(to, target, text);
    if (target.arn.starts_with(arn_prefix("sns", backend))) to_topic(to, target, text);
    if (target.arn.starts_with(arn_prefix("logs", backend))) to_log_group(backend, target, text);
  } catch (const sim::cloud::ApiError&) {
    return;  // AWS retries for a day and then drops the event
  }
}

}  // namespace

Messaging::Messaging(Backend& backend)
    : queues(backend.simulation, backend.streams, arn_prefix("sqs", backend)),
      topics(backend.simulation, backend.streams, queues, arn_prefix("sns", backend)),
      buses(
          backend.simulation, backend.streams,
          {backend.cloud.config().account_id, backend.cloud.config().region},
          backend.cloud.config().durations.event_delivery,
          [&backend](const std::string& arn) { return can_deliver(backend, arn); },
          [&backend](const Target& target, const std::string& text) {
            deliver(backend, target, text);
          }),
      service_events(backend.cloud, backend.groups, backend.training,
                     [this](const NewEvent& event) { buses.put("default", event); }) {}

Messaging& messaging(Backend& backend) {
  if (!backend.messaging) backend.messaging = std::make_shared<Messaging>(backend);
  return *backend.messaging;
}

}  // namespace fakes
