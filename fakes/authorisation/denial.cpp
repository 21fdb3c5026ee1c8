// The messages for denied requests, in AWS's words (IAM User Guide, "Troubleshoot access denied
// error messages").
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/base64.h"
#include "fakes/authorisation/authorisation.h"

namespace fakes::authorisation {
namespace {

using Json = nlohmann::ordered_json;
using Reason = sim::iam::Decision::Reason;
using sim::cloud::ApiError;

std::string why(const Denial& denial) {
  const std::string& action = denial.permission.action;
  switch (denial.decision.reason) {
    case Reason::kExplicit:
      return denial.decision.policy == nullptr
                 ? "with an explicit deny in a resource-based policy"
                 : "with an explicit deny in an identity-based policy";
    case Reason::kBoundary:
      return fmt::format("because no permissions boundary allows the {} action", action);
    case Reason::kSession:
      return fmt::format("because no session policy allows the {} action", action);
    case Reason::kTrust:
      return "";
    default:
      return fmt::format("because no identity-based policy allows the {} action", action);
  }
}

std::string sentence(const sim::iam::Caller& caller, const Denial& denial, bool quoted) {
  const std::string reason = why(denial);
  return fmt::format("User: {} is not authorized to perform: {} on resource: {}{}{}{}{}",
                     caller.arn, denial.permission.action, quoted ? "\"" : "",
                     denial.permission.resource, quoted ? "\"" : "", reason.empty() ? "" : " ",
                     reason);
}

Json items(Json list) { return {{"items", std::move(list)}}; }

// The explanation that EC2 encodes (STS API reference, DecodeAuthorizationMessage).
std::string explanation(const sim::iam::Caller& caller, const Denial& denial) {
  Json statements = Json::array();
  if (denial.decision.statement != nullptr)
    statements.push_back({{"statementId", denial.decision.statement->sid},
                          {"effect", denial.decision.statement->allows ? "ALLOW" : "DENY"},
                          {"sourcePolicyId",
                           denial.decision.policy != nullptr ? denial.decision.policy->name : ""}});
  return Json{{"allowed", false},
              {"explicitDeny", denial.decision.reason == Reason::kExplicit},
              {"matchedStatements", items(std::move(statements))},
              {"failures", items(Json::array())},
              {"context",
               {{"principal", {{"id", caller.id}, {"name", caller.name}, {"arn", caller.arn}}},
                {"action", denial.permission.action},
                {"resource", denial.permission.resource},
                {"conditions", items(Json::array())}}}}
      .dump();
}

// AWS's encoded text is opaque, too. Here it is base64 of the reversed explanation, so nothing
// needs to be stored.
std::string encode(std::string text) {
  std::ranges::reverse(text);
  return base::base64_encode(text);
}

}  // namespace

std::string decode_message(const std::string& encoded) {
  const auto invalid = [] {
    return ApiError("InvalidAuthorizationMessageException", "Invalid encoded message");
  };
  auto text = base::base64_decode(encoded);
  if (!text) throw invalid();
  std::ranges::reverse(*text);
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("allowed")) throw invalid();
  return *text;
}

ApiError error_of(const Asked& asked, const sim::iam::Caller& caller, const Denial& denial) {
  constexpr int kForbidden = 403;
  switch (asked.service.model.protocol) {
    case api::Protocol::kEc2:
      return ApiError(
          "UnauthorizedOperation",
          fmt::format("You are not authorized to perform this operation. {}. Encoded "
                      "authorization failure message: {}",
                      sentence(caller, denial, false), encode(explanation(caller, denial))),
          kForbidden);
    case api::Protocol::kRestXml:
      return ApiError("AccessDenied",
                      is_anonymous(caller) ? "Access Denied" : sentence(caller, denial, true),
                      kForbidden);
    case api::Protocol::kQuery:
      return ApiError("AccessDenied", sentence(caller, denial, false), kForbidden);
    default:
      return ApiError("AccessDeniedException", sentence(caller, denial, false));
  }
}

}  // namespace fakes::authorisation
