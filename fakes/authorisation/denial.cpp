// The messages for denied requests, in AWS's words (IAM User Guide, "Troubleshoot access denied
// error messages").
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/base64.h"
#include "base/text/lower_case.h"
#include "fakes/authorisation/authorisation.h"
#include "fakes/authorisation/context.h"
#include "fakes/authorisation/ec2_keys.h"

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

std::string sentence(const sim::iam::Caller& caller, const Denial& denial,
                     const std::string& resource) {
  const std::string reason = why(denial);
  return fmt::format("User: {} is not authorized to perform: {}{}{}{}", caller.arn,
                     denial.permission.action, resource, reason.empty() ? "" : " ", reason);
}

std::string on_resource(const Denial& denial, std::string_view quote = "") {
  return fmt::format(" on resource: {}{}{}", quote, denial.permission.resource, quote);
}

Json items(Json list) { return {{"items", std::move(list)}}; }

// A list of texts as a decoded message has it.
Json values_in(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back({{"value", text}});
  return items(std::move(list));
}

Json condition_in(std::string_view key, const std::vector<std::string>& values) {
  return {{"key", key}, {"values", values_in(values)}};
}

// The statement that denies. Its actions are compiled to lower case, so the denied action gets its
// own letters back. Those of NotAction and NotResource are left out.
Json statement_in(const sim::iam::Caller& caller, const Denial& denial) {
  const sim::iam::Statement& statement = *denial.decision.statement;
  std::vector<std::string> actions;
  if (!statement.all_actions_but) actions = statement.actions;
  for (std::string& action : actions)
    if (action == base::lower_case(denial.permission.action)) action = denial.permission.action;
  Json conditions = Json::array();
  for (const sim::iam::Condition& condition : statement.conditions)
    conditions.push_back(condition_in(condition.name, condition.values));
  const auto* const policy = denial.decision.policy;
  return {{"statementId", statement.sid},
          {"effect", statement.allows ? "ALLOW" : "DENY"},
          {"principals", values_in({caller.id})},
          {"principalGroups", items(Json::array())},
          {"actions", values_in(actions)},
          {"resources", values_in(statement.all_resources_but ? std::vector<std::string>()
                                                              : statement.resources)},
          {"conditions", items(std::move(conditions))},
          {"sourcePolicyId", policy != nullptr ? policy->name : ""}};
}

// The keys of the request on which conditions could decide.
Json context_in(const Asked& asked, const sim::iam::Caller& caller, const Denial& denial) {
  const RequestContext context{
      .backend = asked.backend, .parameters = asked.parameters, .http = asked.http};
  const Subject subject{context, caller, denial.permission};
  Json conditions = Json::array();
  for (const std::string_view key : ec2_keys())
    if (const auto values = find_ec2_key(subject, base::lower_case(key)))
      conditions.push_back(condition_in(key, *values));
  return items(std::move(conditions));
}

// The explanation that EC2 encodes (STS API reference, DecodeAuthorizationMessage).
std::string explanation(const Asked& asked, const sim::iam::Caller& caller, const Denial& denial,
                        bool with_statement = true) {
  Json statements = Json::array();
  if (with_statement && denial.decision.statement != nullptr)
    statements.push_back(statement_in(caller, denial));
  return Json{{"allowed", false},
              {"explicitDeny", denial.decision.reason == Reason::kExplicit},
              {"matchedStatements", items(std::move(statements))},
              {"failures", items(Json::array())},
              {"context",
               {{"principal", {{"id", caller.id}, {"name", caller.name}, {"arn", caller.arn}}},
                {"action", denial.permission.action},
                {"resource", denial.permission.resource},
                {"conditions", context_in(asked, caller, denial)}}}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

// AWS's encoded text is opaque, too. Here it is base64 of the reversed explanation, so nothing
// needs to be stored.
std::string encode(std::string text) {
  std::ranges::reverse(text);
  return base::base64_encode(text);
}

// EC2 says more about actions that it decides on resources.
std::string ec2_message(const Asked& asked, const sim::iam::Caller& caller, const Denial& denial) {
  constexpr std::string_view kRefusal = "You are not authorized to perform this operation.";
  if (denial.permission.resource == "*")
    return fmt::format("{} {}", kRefusal, sentence(caller, denial, ""));
  // DecodeAuthorizationMessage takes 10,240 characters.
  constexpr std::size_t kLongest = 10240;
  std::string encoded = encode(explanation(asked, caller, denial));
  if (encoded.size() > kLongest) encoded = encode(explanation(asked, caller, denial, false));
  return fmt::format("{} {}. Encoded authorization failure message: {}", kRefusal,
                     sentence(caller, denial, on_resource(denial)), encoded);
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
  const api::Service& model = asked.service.model;
  const std::string text = sentence(caller, denial, on_resource(denial));
  switch (model.protocol) {
    case api::Protocol::kEc2:
      return ApiError("UnauthorizedOperation", ec2_message(asked, caller, denial), kForbidden);
    case api::Protocol::kRestXml:
      return ApiError("AccessDenied",
                      is_anonymous(caller) ? "Access Denied"
                                           : sentence(caller, denial, on_resource(denial, "\"")),
                      kForbidden);
    case api::Protocol::kQuery:
      return ApiError("AccessDenied", text, kForbidden);
    case api::Protocol::kRestJson:
      return ApiError("AccessDeniedException", text, kForbidden);
    default:
      // A service that also speaks the query protocol has that protocol's codes.
      return ApiError(model.error_namespace.empty() ? "AccessDeniedException" : "AccessDenied",
                      text);
  }
}

}  // namespace fakes::authorisation
