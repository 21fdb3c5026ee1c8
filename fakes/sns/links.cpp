#include "fakes/sns/links.h"

#include <algorithm>

#include "api/form.h"
#include "api/refusal.h"
#include "api/sns.h"
#include "fakes/http/identity_signature.h"
#include "sim/messaging/topic_messages.h"

namespace fakes::sns {
namespace {

// Empty for a malformed query.
api::Parameters query_of(const api::HttpRequest& request) {
  api::Parameters query;
  try {
    api::parse_form(request.query, query);
  } catch (const api::Refusal&) {
    return {};
  }
  return query;
}

bool is_unsigned_get(const api::HttpRequest& request) {
  return request.method == "GET" && request.headers.find("authorization") == nullptr &&
         request.query.find("X-Amz-Credential=") == std::string::npos &&
         request.query.find("AWSAccessKeyId=") == std::string::npos;
}

}  // namespace

bool is_link(const api::HttpRequest& request) {
  if (request.path != "/" || !is_unsigned_get(request)) return false;
  const api::Parameters query = query_of(request);
  const auto action = api::find_parameter(query, "Action");
  return action == "ConfirmSubscription" || action == "Unsubscribe";
}

std::string region_of_link(const api::HttpRequest& request) {
  constexpr int kRegion = 3;  // arn:aws:sns:REGION:…
  const api::Parameters query = query_of(request);
  for (const char* name : {"TopicArn", "SubscriptionArn"}) {
    std::string_view arn = api::find_parameter(query, name);
    for (int part = 0; part < kRegion && !arn.empty(); ++part)
      arn.remove_prefix(std::min(arn.find(':'), arn.size() - 1) + 1);
    if (!arn.empty()) return std::string(arn.substr(0, arn.find(':')));
  }
  return "";
}

void complete_link(api::HttpRequest& request) {
  request.query += "&Version=";
  request.query += api::sns::kService.version;
}

std::optional<std::string> certificate_for(const api::HttpRequest& request) {
  if (!is_unsigned_get(request) || request.path != sim::messaging::kCertificatePath) return {};
  return signing_certificate();
}

}  // namespace fakes::sns
