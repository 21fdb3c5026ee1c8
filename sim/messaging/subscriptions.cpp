// Subscriptions of topics, and deliveries to them.
#include <fmt/format.h>

#include <cstddef>
#include <deque>
#include <string_view>
#include <utility>

#include "sim/cloud/error.h"
#include "sim/kernel/shallow_json.h"
#include "sim/messaging/topics.h"

namespace sim::messaging {
namespace {

using cloud::ApiError;

constexpr Duration kTokenLives = std::chrono::hours{48};

ApiError invalid_parameter(const std::string& why) {
  return {"InvalidParameter", "Invalid parameter: " + why};
}

// The value of an attribute; empty if it is not set.
std::string attribute_of(const std::map<std::string, std::string>& attributes, const char* name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? "" : found->second;
}

// "us-west-2" in a topic's ARN.
std::string region_in(const std::string& topic) {
  constexpr std::size_t kBefore = std::string_view("arn:aws:sns:").size();
  return topic.substr(kBefore, topic.find(':', kBefore) - kBefore);
}

std::string signature_version(const Topic& topic) {
  return attribute_of(topic.attributes, "SignatureVersion") == "2" ? "2" : "1";
}

// Whether a repeated Subscribe sets an attribute to another value than the subscription has.
bool differs(const Subscription& asked, const Subscription& held, const std::string& name) {
  if (name == "RawMessageDelivery") return asked.raw != held.raw;
  if (name == "FilterPolicyScope") return asked.filters_body != held.filters_body;
  return attribute_of(asked.attributes, name.c_str()) !=
         attribute_of(held.attributes, name.c_str());
}

void check_endpoint(const NewSubscription& request, const HttpEndpoints* http) {
  const auto& [topic, protocol, endpoint, attributes, links] = request;
  if (protocol == "sqs") {
    if (!endpoint.starts_with("arn:aws:sqs:")) throw invalid_parameter("SQS endpoint ARN");
    if (!endpoint.starts_with("arn:aws:sqs:" + region_in(topic) + ":"))
      throw invalid_parameter(
          "Endpoint Reason: queues of other regions are not supported by this simulated AWS");
    return;
  }
  if (protocol != "http" && protocol != "https")
    throw invalid_parameter(fmt::format(
        "Protocol {} is not supported by this simulated AWS, expected sqs, http or https",
        protocol));
  if (!endpoint.starts_with(protocol + "://"))
    throw invalid_parameter(
        fmt::format("Endpoint must match the specified protocol: expected {}://…", protocol));
  if (http == nullptr)
    throw invalid_parameter(fmt::format(
        "Protocol Reason: {} endpoints are only reached by `spotsim serve` without --state",
        protocol));
  if (const std::string why = http->obstacle(endpoint); !why.empty())
    throw invalid_parameter("Endpoint Reason: " + why);
}

bool is_success(int status) { return status >= 200 && status < 300; }

// The endpoint may succeed later. Other errors of the client are final.
bool is_passing(int status) { return status < 200 || status == 429 || status >= 500; }

// The text that subscribers with this protocol get.
std::string text_for(const std::string& protocol, const Publication& publication) {
  if (!publication.by_protocol) return publication.message;
  const Json texts = parse_shallow_json(publication.message);
  const auto own = texts.find(protocol);
  return (own != texts.end() && own->is_string() ? *own : texts["default"]).get<std::string>();
}

}  // namespace

// A message on its way to an HTTP endpoint.
struct Topics::Attempts {
  HttpPost post;
  std::deque<Duration> delays;  // before each further attempt
  std::string dead_letters;     // the ARN of a queue, or empty
};

const Subscription& Topics::subscribe(const NewSubscription& request) {
  if (topic(request.topic).fifo() && request.protocol != "sqs")
    throw invalid_parameter("Invalid protocol type: " + request.protocol);
  check_endpoint(request, outside_.http);
  Subscription made{.arn = {},
                    .topic = request.topic,
                    .protocol = request.protocol,
                    .endpoint = request.endpoint,
                    .links = request.links};
  // The scope first, because a filter policy depends on it.
  const auto set = [&](const std::string& name, const std::string& value) {
    set_attribute_of(made, name, value, "Attributes Reason: ");
  };
  constexpr const char* kScope = "FilterPolicyScope";
  if (const auto scope = request.attributes.find(kScope); scope != request.attributes.end())
    set(kScope, scope->second);
  for (const auto& [name, value] : request.attributes) set(name, value);
  for (const auto& [arn, each] : subscriptions_) {
    if (each.topic != request.topic || each.endpoint != request.endpoint) continue;
    for (const auto& [name, value] : request.attributes)
      if (differs(made, each, name))
        throw invalid_parameter(
            "Attributes Reason: Subscription already exists with different attributes");
    if (!each.confirmed) ask_for_confirmation(each, "SubscriptionConfirmation");
    return each;
  }
  made.arn = request.topic + ":" + ids_.uuid("subscription");
  made.confirmed = !made.is_http();
  const std::string arn = made.arn;
  const Subscription& held = subscriptions_[arn] = std::move(made);
  if (!held.confirmed) ask_for_confirmation(held, "SubscriptionConfirmation");
  return held;
}

const Subscription& Topics::confirm(const std::string& topic_arn, const std::string& token,
                                    bool needs_signature) {
  topic(topic_arn);
  const auto found = tokens_.find(token);
  if (found == tokens_.end() || found->second.subscription.topic != topic_arn ||
      found->second.expires < simulation_.now())
    throw invalid_parameter("Token");
  const Subscription& asked = found->second.subscription;
  Subscription& held = subscriptions_.try_emplace(asked.arn, asked).first->second;
  held.confirmed = true;
  held.needs_signature = needs_signature;
  topics_.at(topic_arn).deleted.erase(held.arn);
  return held;
}

void Topics::unsubscribe(const std::string& arn, Unsubscriber by) {
  const auto found = subscriptions_.find(arn);
  if (found == subscriptions_.end()) return;
  const Subscription gone = found->second;
  topics_.at(gone.topic).deleted.insert(arn);
  subscriptions_.erase(found);
  if (gone.is_http() && gone.confirmed && by == Unsubscriber::kLink)
    ask_for_confirmation(gone, "UnsubscribeConfirmation");
}

// Sends the endpoint a token with which it can make or restore the subscription.
void Topics::ask_for_confirmation(const Subscription& to, const char* type) {
  std::string token;
  for (int part = 0; part < 4; ++part) token += ids_.uuid("token");
  std::erase(token, '-');
  tokens_[token] = {to, simulation_.now() + kTokenLives};
  const bool is_new = std::string_view(type) == "SubscriptionConfirmation";
  const std::string text =
      is_new ? fmt::format(
                   "You have chosen to subscribe to the topic {}.\nTo confirm the "
                   "subscription, visit the SubscribeURL included in this message.",
                   to.topic)
             : fmt::format(
                   "You have chosen to deactivate subscription {}.\nTo cancel this "
                   "operation and restore the subscription, visit the SubscribeURL "
                   "included in this message.",
                   to.arn);
  to_http(topic(to.topic), to,
          {.type = type,
           .id = ids_.uuid("publication"),
           .topic = to.topic,
           .text = text,
           .timestamp = iso_milliseconds(simulation_.now()),
           .token = token,
           .subscription = is_new ? "" : to.arn,
           .links = to.links});
}

DeliveryPolicy Topics::policy_of(const Subscription& subscription) const {
  return read_delivery_policy(attribute_of(topic(subscription.topic).attributes, "DeliveryPolicy"),
                              attribute_of(subscription.attributes, "DeliveryPolicy"));
}

void Topics::deliver(const Topic& topic, const Subscription& to, const Publication& publication,
                     const std::string& id) {
  TopicMessage message{.id = id,
                       .topic = topic.arn,
                       .subject = publication.subject,
                       .text = text_for(to.protocol, publication),
                       .timestamp = iso_milliseconds(simulation_.now()),
                       .attributes = publication.attributes,
                       .subscription = to.arn,
                       .links = to.links};
  if (to.is_http())
    to_http(topic, to, message);
  else
    to_queue(topic, to, publication, std::move(message));
}

// A queue may refuse the message, which is then lost. AWS also drops it, after retries.
void Topics::to_queue(const Topic& topic, const Subscription& to, const Publication& publication,
                      TopicMessage message) {
  const Queue* const queue = queues_.find_arn(to.endpoint);
  if (queue == nullptr || !outside_.may_send(topic.arn, queue->arn)) return;
  message.links = "https://sns." + region_in(topic.arn) + ".amazonaws.com";
  NewMessage sent{.body = message.text, .sender = "sns.amazonaws.com"};
  if (queue->settings.fifo) {
    sent.group = publication.group;
    sent.deduplication = publication.deduplication.empty() ? message.id : publication.deduplication;
  }
  if (to.raw)
    sent.attributes = publication.attributes;
  else
    sent.body = document_of(message, outside_.sign, signature_version(topic))
                    .dump(-1, ' ', false, Json::error_handler_t::replace);
  try {
    queues_.send(queue->name, std::move(sent));
  } catch (const ApiError&) {
    return;
  }
}

void Topics::to_http(const Topic& topic, const Subscription& to, const TopicMessage& message) {
  const DeliveryPolicy policy = policy_of(to);
  const bool raw = to.raw && message.type == "Notification";
  const Json document = document_of(message, outside_.sign, signature_version(topic));
  auto attempts = std::make_shared<Attempts>();
  attempts->post = post_of(message, to.endpoint, document, raw, policy.content_type);
  for (const Duration delay : retry_delays(policy)) attempts->delays.push_back(delay);
  const Json redrive = parse_shallow_json(attribute_of(to.attributes, "RedrivePolicy"));
  if (redrive.is_object() && message.type == "Notification")
    attempts->dead_letters = redrive.value("deadLetterTargetArn", "");
  attempt(attempts);
}

void Topics::attempt(const std::shared_ptr<Attempts>& attempts) {
  outside_.http->post(attempts->post, [this, alive = std::weak_ptr(alive_), attempts](int status) {
    if (alive.expired() || is_success(status)) return;
    if (!is_passing(status) || attempts->delays.empty()) return give_up(*attempts);
    const Duration delay = attempts->delays.front();
    attempts->delays.pop_front();
    simulation_.after(delay, [this, alive, attempts] {
      if (!alive.expired()) attempt(attempts);
    });
  });
}

void Topics::give_up(const Attempts& attempts) {
  const Queue* const queue = queues_.find_arn(attempts.dead_letters);
  if (queue == nullptr) return;
  try {
    queues_.send(queue->name, {.body = attempts.post.body, .sender = "sns.amazonaws.com"});
  } catch (const ApiError&) {
    return;
  }
}

}  // namespace sim::messaging
