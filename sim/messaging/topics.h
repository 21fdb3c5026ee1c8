// Amazon SNS: topics and their subscriptions. A published message goes to every subscribed queue
// and HTTP endpoint whose filter policy it passes (SNS Developer Guide).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/kernel/simulation.h"
#include "sim/messaging/delivery_policy.h"
#include "sim/messaging/event_pattern.h"
#include "sim/messaging/http_endpoints.h"
#include "sim/messaging/ids.h"
#include "sim/messaging/message.h"
#include "sim/messaging/queues.h"
#include "sim/messaging/topic_messages.h"

namespace sim::messaging {

struct Subscription {
  std::string arn, topic, protocol, endpoint;
  std::map<std::string, std::string> attributes = {};  // that clients have set
  std::shared_ptr<const EventPattern> filter = {};     // null: every message passes
  bool filters_body = false;                           // FilterPolicyScope MessageBody
  bool raw = false;                                    // RawMessageDelivery
  // An HTTP endpoint gets no notifications before it has confirmed the subscription.
  bool confirmed = true;
  bool needs_signature = false;  // to unsubscribe
  std::string links = {};        // TopicMessage::links

  bool is_http() const { return protocol == "http" || protocol == "https"; }
};

// A Subscribe request.
struct NewSubscription {
  std::string topic, protocol, endpoint;
  std::map<std::string, std::string> attributes = {};
  std::string links = {};
};

struct Topic {
  std::string name, arn;
  std::map<std::string, std::string> attributes = {};  // that clients have set
  std::map<std::string, std::string> tags = {};
  std::uint64_t published = 0;
  std::set<std::string> deleted = {};  // deleted subscriptions, which attributes count

  bool fifo() const { return name.ends_with(".fifo"); }
};

// A message as its publisher gives it.
struct Publication {
  std::string message, subject = {};
  bool by_protocol = false;  // MessageStructure json: `message` has a text for each protocol
  Attributes attributes = {};
  std::string group = {}, deduplication = {};
};

// Who ends a subscription: its owner by a signed call, or whoever opens a message's UnsubscribeURL.
enum class Unsubscriber { kOwner, kLink };

// True if a topic may send to a queue; both are ARNs.
using MaySend = std::function<bool(const std::string& topic, const std::string& queue)>;

// What lies outside of the topics.
struct TopicsOutside {
  MaySend may_send;
  HttpEndpoints* http = nullptr;  // null: subscriptions of HTTP endpoints are refused
  SignText sign = {};             // empty: messages have no signature
};

// Owns the topics and subscriptions of an account. fakes/sns parses requests and calls it.
// Functions throw ApiError: NotFound, InvalidParameter.
class Topics {
 public:
  // `arn_prefix` is "arn:aws:sns:us-west-2:123456789012:". All references must outlive this object.
  // A message that may not be sent is lost.
  Topics(Simulation& simulation, const Streams& streams, Queues& queues, std::string arn_prefix,
         TopicsOutside outside);

  // Makes a topic, or returns the existing one. Throws InvalidParameter if its tags or attributes
  // differ.
  const Topic& create(const std::string& name, std::map<std::string, std::string> attributes,
                      const std::map<std::string, std::string>& tags);
  void remove(const std::string& arn);                                 // its subscriptions, too
  const std::map<std::string, Topic>& all() const { return topics_; }  // by ARN
  const Topic& topic(const std::string& arn) const;
  void set_attribute(const std::string& arn, const std::string& name, const std::string& value);
  void set_tags(const std::string& arn, std::map<std::string, std::string> tags);

  // Subscribes an endpoint, or returns its existing subscription. Throws InvalidParameter if an
  // attribute of the request differs. An HTTP endpoint gets a token with which it can confirm the
  // subscription.
  const Subscription& subscribe(const NewSubscription& request);
  // Confirms a subscription, or restores one after Unsubscribe. Throws InvalidParameter for an
  // unknown token and for one that is older than two days.
  const Subscription& confirm(const std::string& topic, const std::string& token,
                              bool needs_signature);
  // "If the Unsubscribe call does not require authentication and the requester is not the
  // subscription owner, a final cancellation message is delivered to the endpoint" (SNS API
  // reference, Unsubscribe).
  void unsubscribe(const std::string& arn, Unsubscriber by);
  const std::map<std::string, Subscription>& subscriptions() const { return subscriptions_; }
  const Subscription& subscription(const std::string& arn) const;
  // How deliveries to an HTTP endpoint are repeated.
  DeliveryPolicy policy_of(const Subscription& subscription) const;
  void set_subscription_attribute(const std::string& arn, const std::string& name,
                                  const std::string& value);

  // Throws InvalidParameter for a message that the topic does not take.
  void check(const std::string& topic, const Publication& publication) const;
  // Returns the message's ID, and a sequence number for a FIFO topic.
  SentMessage publish(const std::string& topic, const Publication& publication);

 private:
  struct Attempts;
  struct Token {
    Subscription subscription;
    Time expires;
  };
  void deliver(const Topic& topic, const Subscription& to, const Publication& publication,
               const std::string& id);
  void to_queue(const Topic& topic, const Subscription& to, const Publication& publication,
                TopicMessage message);
  void to_http(const Topic& topic, const Subscription& to, const TopicMessage& message);
  void ask_for_confirmation(const Subscription& to, const char* type);
  void attempt(const std::shared_ptr<Attempts>& attempts);
  void give_up(const Attempts& attempts);

  Simulation& simulation_;
  Ids ids_;
  Queues& queues_;
  std::string arn_prefix_;
  TopicsOutside outside_;
  std::map<std::string, Topic> topics_;
  std::map<std::string, Subscription> subscriptions_;
  std::map<std::string, Token> tokens_;  // for confirmations
  // Answers of endpoints may come after this object is gone.
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

// Sets an attribute of a subscription. Throws ApiError InvalidParameter, whose text begins with
// `where` after "Invalid parameter: " if it is about a filter policy.
void set_attribute_of(Subscription& subscription, const std::string& name, const std::string& value,
                      std::string_view where);

// The policy of a topic for which no other is set: the owner may use it (SNS Developer Guide,
// "Overview of managing access in Amazon SNS"; its text is that of GetTopicAttributes).
std::string default_topic_policy(const std::string& topic_arn, const std::string& owner);

}  // namespace sim::messaging
