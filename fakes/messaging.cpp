#include "fakes/messaging.h"

#include <fmt/format.h>

#include <algorithm>

#include "fakes/authorisation/resource_policy.h"
#include "fakes/http/identity_signature.h"

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

// True if the policy of the queue or topic lets the rule deliver to it. EventBridge uses no other
// permission for them (EventBridge User Guide, "Using resource-based policies"). Policies of log
// groups are not simulated.
bool is_permitted(Backend& backend, const std::string& rule, const Target& target,
                  const char* action) {
  return authorisation::is_permitted(backend, {.service = "events.amazonaws.com",
                                               .action = action,
                                               .resource = target.arn,
                                               .source = rule});
}

void deliver(Backend& backend, const std::string& rule, const Target& target,
             const std::string& text) {
  Messaging& to = messaging(backend);
  try {
    if (target.arn.starts_with(arn_prefix("sqs", backend)) &&
        is_permitted(backend, rule, target, "sqs:SendMessage"))
      to_queue(to, target, text);
    if (target.arn.starts_with(arn_prefix("sns", backend)) &&
        is_permitted(backend, rule, target, "sns:Publish"))
      to_topic(to, target, text);
    if (target.arn.starts_with(arn_prefix("logs", backend))) to_log_group(backend, target, text);
  } catch (const sim::cloud::ApiError&) {
    return;  // AWS retries for a day and then drops the event
  }
}

}  // namespace

Messaging::Messaging(Backend& backend)
    : queues(backend.simulation, backend.streams, arn_prefix("sqs", backend)),
      topics(backend.simulation, backend.streams, queues, arn_prefix("sns", backend),
             {.may_send =
                  [&backend](const std::string& topic, const std::string& queue) {
                    return authorisation::is_permitted(backend, {.service = "sns.amazonaws.com",
                                                                 .action = "sqs:SendMessage",
                                                                 .resource = queue,
                                                                 .source = topic});
                  },
              .http = backend.http_endpoints,
              .sign =
                  [](const std::string& text, const std::string& version) {
                    return rsa_signature(text, version == "2" ? "SHA256" : "SHA1");
                  }}),
      buses(
          backend.simulation, backend.streams,
          {backend.cloud.config().account_id, backend.cloud.config().region},
          backend.cloud.config().durations.event_delivery,
          [&backend](const std::string& arn) { return can_deliver(backend, arn); },
          [&backend](const std::string& rule, const Target& target, const std::string& text) {
            deliver(backend, rule, target, text);
          }),
      service_events(backend.cloud, backend.groups, backend.training,
                     [this](const NewEvent& event) { buses.put("default", event); }) {}

Messaging& messaging(Backend& backend) {
  if (!backend.messaging) backend.messaging = std::make_shared<Messaging>(backend);
  return *backend.messaging;
}

}  // namespace fakes
