#include "sim/messaging/topic_messages.h"

#include <fmt/format.h>

#include "base/text/base64.h"
#include "base/text/percent.h"

namespace sim::messaging {
namespace {

constexpr const char* kNotification = "Notification";

std::string link_query(const char* action,
                       std::initializer_list<std::pair<const char*, std::string>> parameters) {
  std::string out = fmt::format("/?Action={}", action);
  for (const auto& [name, value] : parameters) {
    out += fmt::format("&{}=", name);
    base::append_percent(out, value, ":");
  }
  return out;
}

void add_links(Json& document, const TopicMessage& message) {
  const std::string base = message.links.empty() ? "https://sns.amazonaws.com" : message.links;
  if (message.type == kNotification)
    document["UnsubscribeURL"] =
        base + link_query("Unsubscribe", {{"SubscriptionArn", message.subscription}});
  else
    document["SubscribeURL"] =
        base +
        link_query("ConfirmSubscription", {{"TopicArn", message.topic}, {"Token", message.token}});
}

}  // namespace

std::string text_to_sign(const Json& document) {
  std::string text;
  for (const char* name : {"Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token",
                           "TopicArn", "Type"})
    if (const auto found = document.find(name); found != document.end())
      text += fmt::format("{}\n{}\n", name, found->get<std::string>());
  return text;
}

Json document_of(const TopicMessage& message, const SignText& sign, const std::string& version) {
  Json document = json_object({{"Type", message.type}, {"MessageId", message.id}});
  if (!message.token.empty()) document["Token"] = message.token;
  document["TopicArn"] = message.topic;
  if (!message.subject.empty()) document["Subject"] = message.subject;
  document["Message"] = message.text;
  document["Timestamp"] = message.timestamp;
  if (message.type != kNotification) add_links(document, message);
  if (sign) {
    document["SignatureVersion"] = version;
    document["Signature"] = sign(text_to_sign(document), version);
    document["SigningCertURL"] = message.links + kCertificatePath;
  }
  if (message.type == kNotification) add_links(document, message);
  for (const auto& [name, attribute] : message.attributes)
    document["MessageAttributes"][name] = json_object(
        {{"Type", attribute.type},
         {"Value", attribute.type.starts_with("Binary") ? base::base64_encode(attribute.value)
                                                        : attribute.value}});
  return document;
}

HttpPost post_of(const TopicMessage& message, const std::string& url, const Json& document,
                 bool raw, const std::string& content_type) {
  HttpPost post{
      .url = url,
      .headers = {{"x-amz-sns-message-type", message.type},
                  {"x-amz-sns-message-id", message.id},
                  {"x-amz-sns-topic-arn", message.topic}},
      .body = raw ? message.text : document.dump(2, ' ', false, Json::error_handler_t::replace)};
  if (!message.subscription.empty())
    post.headers.emplace_back("x-amz-sns-subscription-arn", message.subscription);
  if (raw) post.headers.emplace_back("x-amz-sns-rawdelivery", "true");
  post.headers.emplace_back("Content-Type", content_type);
  post.headers.emplace_back("User-Agent", "Amazon Simple Notification Service Agent");
  return post;
}

}  // namespace sim::messaging
