#include "sim/messaging/topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/cloud/error.h"
#include "sim/kernel/json_object.h"
#include "sim/kernel/shallow_json.h"
#include "sim/messaging/filter_policy.h"

namespace sim::messaging {
namespace {

using cloud::ApiError;

constexpr std::size_t kLargest = 256 * 1024, kLongestName = 256, kLongestSubject = 100;

// Filter policies compare numbers with five digits after the decimal point (SNS Developer Guide,
// "Filter policy constraints").
Json with_five_digits(Json value) {
  constexpr double kMost = 1e9;  // beyond it, a double has no more digits that matter
  if (value.is_number_float() && std::abs(value.get<double>()) < kMost)
    return std::round(value.get<double>() * 1e5) / 1e5;
  if (value.is_structured())
    for (Json& each : value) each = with_five_digits(std::move(each));
  return value;
}

ApiError bad_parameter(const std::string& why) {
  return {"InvalidParameter", "Invalid parameter: " + why};
}

bool is_topic_name(std::string_view name) {
  const std::string_view stem = name.ends_with(".fifo") ? name.substr(0, name.size() - 5) : name;
  return !stem.empty() && name.size() <= kLongestName && std::ranges::all_of(stem, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

// True for an attribute of the SNS API reference, CreateTopic.
bool is_topic_attribute(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "DisplayName",        "Policy",        "DeliveryPolicy", "KmsMasterKeyId",
      "SignatureVersion",   "TracingConfig", "FifoTopic",      "ContentBasedDeduplication",
      "FifoThroughputScope"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

void check_topic_attribute(bool fifo, const std::string& name, const std::string& value) {
  if (name == "DeliveryPolicy") read_delivery_policy(value, "");
  if (name == "ContentBasedDeduplication" && value == "true" && !fifo)
    throw bad_parameter(
        "Attributes Reason: ContentBasedDeduplication can only be set for FIFO topics");
}

}  // namespace

std::string default_topic_policy(const std::string& topic_arn, const std::string& owner) {
  Json actions = Json::array();
  for (const char* name :
       {"GetTopicAttributes", "SetTopicAttributes", "AddPermission", "RemovePermission",
        "DeleteTopic", "Subscribe", "ListSubscriptionsByTopic", "Publish"})
    actions.push_back(std::string("SNS:") + name);
  const Json condition = json_object({{"StringEquals", json_object({{"AWS:SourceOwner", owner}})}});
  const Json statement = json_object({{"Sid", "__default_statement_ID"},
                                      {"Effect", "Allow"},
                                      {"Principal", json_object({{"AWS", "*"}})},
                                      {"Action", actions},
                                      {"Resource", topic_arn},
                                      {"Condition", condition}});
  return json_object({{"Version", "2008-10-17"},
                      {"Id", "__default_policy_ID"},
                      {"Statement", Json::array({statement})}})
      .dump();
}

void set_attribute_of(Subscription& subscription, const std::string& name, const std::string& value,
                      std::string_view where) {
  if (name == "RawMessageDelivery") {
    if (value != "true" && value != "false")
      throw bad_parameter("Attributes Reason: RawMessageDelivery: Invalid value [" + value +
                          "]. Must be true or false.");
    subscription.raw = value == "true";
  } else if (name == "FilterPolicyScope") {
    if (value != "MessageAttributes" && value != "MessageBody")
      throw bad_parameter("FilterPolicyScope: Invalid value [" + value + "].");
    subscription.filters_body = value == "MessageBody";
  } else if (name == "FilterPolicy") {
    const bool none = value.empty() || value == "{}";
    const FilterScope scope =
        subscription.filters_body ? FilterScope::kMessageBody : FilterScope::kMessageAttributes;
    if (!none) check_filter_policy(value, scope, where);
    subscription.filter =
        none ? nullptr
             : std::make_shared<EventPattern>(with_five_digits(parse_shallow_json(value)).dump(),
                                              "InvalidParameter");
  } else if (name == "DeliveryPolicy") {
    read_delivery_policy("", value);
  } else if (name == "RedrivePolicy") {
    const Json policy = parse_shallow_json(value);
    const bool names_queue = policy.is_object() && policy.contains("deadLetterTargetArn") &&
                             policy["deadLetterTargetArn"].is_string() &&
                             policy["deadLetterTargetArn"].get<std::string>().starts_with("arn:");
    if (!value.empty() && !names_queue)
      throw bad_parameter("RedrivePolicy: deadLetterTargetArn must be a queue's ARN.");
  } else {
    throw bad_parameter("AttributeName");
  }
  subscription.attributes[name] = value;
}

namespace {

// Message attributes as a filter policy sees them.
Json filtered_attributes(const Attributes& attributes) {
  Json shown = Json::object();
  for (const auto& [name, attribute] : attributes) {
    if (attribute.type.starts_with("Binary")) continue;
    Json parsed =
        attribute.type == "String" ? Json(attribute.value) : parse_shallow_json(attribute.value);
    if (!parsed.is_discarded()) shown[name] = std::move(parsed);
  }
  return shown;
}

bool passes_filter(const Subscription& to, const Publication& publication) {
  if (!to.filter) return true;
  const Json looked_at = to.filters_body ? parse_shallow_json(publication.message)
                                         : filtered_attributes(publication.attributes);
  return looked_at.is_object() && to.filter->matches(with_five_digits(looked_at));
}

void check_publication(const Topic& topic, const Publication& publication) {
  if (publication.message.empty()) throw bad_parameter("Empty message");
  if (publication.message.size() > kLargest) throw bad_parameter("Message too long");
  if (publication.subject.size() > kLongestSubject) throw bad_parameter("Subject");
  if (topic.fifo() && publication.group.empty())
    throw bad_parameter("The MessageGroupId parameter is required for FIFO topics");
  const auto content_based = topic.attributes.find("ContentBasedDeduplication");
  const bool by_content =
      content_based != topic.attributes.end() && content_based->second == "true";
  if (topic.fifo() && publication.deduplication.empty() && !by_content)
    throw bad_parameter(
        "The topic should either have ContentBasedDeduplication enabled or "
        "MessageDeduplicationId provided explicitly");
  if (!topic.fifo() && !publication.deduplication.empty())
    throw bad_parameter(
        "MessageDeduplicationId Reason: The request includes MessageDeduplicationId "
        "parameter that is not valid for this topic type");
  if (!publication.by_protocol) return;
  const Json texts = parse_shallow_json(publication.message);
  if (!texts.is_object() || !texts.contains("default") || !texts["default"].is_string())
    throw bad_parameter("Message Structure - No default entry in JSON message body");
}

}  // namespace

Topics::Topics(Simulation& simulation, const Streams& streams, Queues& queues,
               std::string arn_prefix, TopicsOutside outside)
    : simulation_(simulation),
      ids_(streams),
      queues_(queues),
      arn_prefix_(std::move(arn_prefix)),
      outside_(std::move(outside)) {}

const Topic& Topics::create(const std::string& name, std::map<std::string, std::string> attributes,
                            const std::map<std::string, std::string>& tags) {
  const auto fifo = attributes.find("FifoTopic");
  const bool says_fifo = fifo != attributes.end() && fifo->second == "true";
  if (!is_topic_name(name) || says_fifo != name.ends_with(".fifo"))
    throw bad_parameter("Topic Name");
  for (const auto& [attribute, value] : attributes) {
    if (!is_topic_attribute(attribute))
      throw bad_parameter("Attributes Reason: Unknown attribute " + attribute);
    check_topic_attribute(says_fifo, attribute, value);
  }
  const std::string arn = arn_prefix_ + name;
  if (const auto found = topics_.find(arn); found != topics_.end()) {
    for (const auto& [key, value] : tags)
      if (!found->second.tags.contains(key) || found->second.tags.at(key) != value)
        throw bad_parameter("Tags Reason: Topic already exists with different tags");
    for (const auto& [key, value] : attributes)
      if (!found->second.attributes.contains(key) || found->second.attributes.at(key) != value)
        throw bad_parameter("Attributes Reason: Topic already exists with different attributes");
    return found->second;
  }
  return topics_[arn] = {
             .name = name, .arn = arn, .attributes = std::move(attributes), .tags = tags};
}

const Topic& Topics::topic(const std::string& arn) const {
  const auto found = topics_.find(arn);
  if (found == topics_.end()) throw ApiError("NotFound", "Topic does not exist", 404);
  return found->second;
}

void Topics::remove(const std::string& arn) {
  std::erase_if(subscriptions_, [&](const auto& each) { return each.second.topic == arn; });
  std::erase_if(tokens_, [&](const auto& each) { return each.second.subscription.topic == arn; });
  topics_.erase(arn);  // AWS answers as if it existed
}

void Topics::set_attribute(const std::string& arn, const std::string& name,
                           const std::string& value) {
  // A topic's kind is final (SNS API reference, SetTopicAttributes).
  if (!is_topic_attribute(name) || name == "FifoTopic") throw bad_parameter("AttributeName");
  check_topic_attribute(topic(arn).fifo(), name, value);
  topics_.at(arn).attributes[name] = value;
}

void Topics::set_tags(const std::string& arn, std::map<std::string, std::string> tags) {
  topic(arn);
  topics_.at(arn).tags = std::move(tags);
}

const Subscription& Topics::subscription(const std::string& arn) const {
  const auto found = subscriptions_.find(arn);
  if (found == subscriptions_.end()) throw ApiError("NotFound", "Subscription does not exist", 404);
  return found->second;
}

void Topics::set_subscription_attribute(const std::string& arn, const std::string& name,
                                        const std::string& value) {
  subscription(arn);
  set_attribute_of(subscriptions_.at(arn), name, value, "");
}

void Topics::check(const std::string& topic_arn, const Publication& publication) const {
  check_publication(topic(topic_arn), publication);
}

SentMessage Topics::publish(const std::string& topic_arn, const Publication& publication) {
  const Topic& to = topic(topic_arn);
  check_publication(to, publication);
  const std::uint64_t number = ++topics_.at(topic_arn).published;
  const SentMessage made{
      ids_.uuid("publication"),
      to.fifo() ? fmt::format("{:020}", 10'000'000'000'000'000'000ull + number) : ""};
  for (const auto& [arn, each] : subscriptions_)
    if (each.topic == topic_arn && each.confirmed && passes_filter(each, publication))
      deliver(to, each, publication, made.id);
  return made;
}

}  // namespace sim::messaging
