// The JSON documents that SNS sends to its subscribers, and the headers for HTTP endpoints (SNS
// Developer Guide, "Parsing Amazon SNS message formats").
#pragma once

#include <string>

#include "sim/kernel/json_object.h"
#include "sim/messaging/http_endpoints.h"
#include "sim/messaging/message.h"

namespace sim::messaging {

struct TopicMessage {
  std::string type = "Notification";  // or SubscriptionConfirmation, UnsubscribeConfirmation
  std::string id, topic, subject = {}, text;
  std::string timestamp;          // "2019-11-05T10:00:00.000Z"
  Attributes attributes = {};     // of a notification
  std::string token = {};         // of a confirmation
  std::string subscription = {};  // its ARN; empty in a SubscriptionConfirmation
  std::string links = {};         // where the message's URLs lead, such as "http://127.0.0.1:5000"
};

// The file name of the certificate in SigningCertURL.
inline constexpr const char* kCertificatePath =
    "/SimpleNotificationService-00000000000000000000000000000000.pem";

// The document. With `sign`, it also has the signature of version `version`.
Json document_of(const TopicMessage& message, const SignText& sign = {},
                 const std::string& version = "1");
// The text that is signed (SNS Developer Guide, "Verifying the signatures of Amazon SNS messages").
std::string text_to_sign(const Json& document);

// The request that carries the document, or the text alone if `raw`.
HttpPost post_of(const TopicMessage& message, const std::string& url, const Json& document,
                 bool raw, const std::string& content_type);

}  // namespace sim::messaging
