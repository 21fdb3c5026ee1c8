// AddPermission and RemovePermission, which change a queue's policy.
#include <fmt/format.h>

#include <algorithm>

#include "fakes/sqs/actions.h"
#include "fakes/sqs/requests.h"
#include "sim/kernel/shallow_json.h"
#include "sim/messaging/queue_settings.h"

namespace fakes::sqs {
namespace {

using sim::Json;
using sim::json_object;

// SQS Developer Guide, "Amazon SQS policy quotas".
constexpr std::size_t kMostActions = 7, kMostPrincipals = 50, kMostStatements = 20;
constexpr std::size_t kAccountDigits = 12, kLongestLabel = 80;
constexpr std::string_view kShared[] = {
    "*",           "ChangeMessageVisibility",    "DeleteMessage", "GetQueueAttributes",
    "GetQueueUrl", "ListDeadLetterSourceQueues", "PurgeQueue",    "ReceiveMessage",
    "SendMessage"};
// Other accounts cannot have these permissions (API reference, AddPermission).
constexpr std::string_view kOfOwner[] = {"AddPermission",      "CreateQueue",   "DeleteQueue",
                                         "ListQueues",         "ListQueueTags", "RemovePermission",
                                         "SetQueueAttributes", "TagQueue",      "UntagQueue"};

ApiError invalid(const std::string& value, std::string_view parameter, std::string_view reason) {
  return {"InvalidParameterValue", fmt::format("Value {} for parameter {} is invalid. Reason: {}",
                                               value, parameter, reason)};
}

bool is_in(std::span<const std::string_view> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

void check_count(std::size_t count, std::size_t most, std::string_view what) {
  if (count > most)
    throw ApiError("OverLimit",
                   fmt::format("{} {} were found, maximum allowed is {}.", count, what, most), 403);
}

void check_label(const std::string& label) {
  const bool is_plain = std::ranges::all_of(label, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
  if (label.empty() || label.size() > kLongestLabel || !is_plain)
    throw invalid(label, "Label",
                  "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in "
                  "length.");
}

void check_actions(const api::List<std::string>& actions) {
  if (actions.empty())
    throw ApiError("MissingParameter", "The request must contain the parameter Actions.");
  check_count(actions.size(), kMostActions, "Actions");
  for (const std::string& action : actions) {
    if (is_in(kOfOwner, action))
      throw invalid("SQS:" + action, "ActionName",
                    "Only the queue owner is allowed to invoke this action.");
    if (!is_in(kShared, action))
      throw invalid("SQS:" + action, "ActionName",
                    "Please refer to the appropriate WSDL for a list of valid actions.");
  }
}

void check_accounts(const api::List<std::string>& accounts) {
  check_count(accounts.size(), kMostPrincipals, "Principals");
  const auto is_account = [](const std::string& id) {
    return id.size() == kAccountDigits &&
           std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (accounts.empty() || !std::ranges::all_of(accounts, is_account))
    throw invalid(fmt::format("[{}]", accounts.empty() ? "" : accounts.front()), "PrincipalId",
                  "Unable to verify.");
}

// One value as itself, several as a list.
Json one_or_all(const std::vector<std::string>& values) {
  return values.size() == 1 ? Json(values.front()) : Json(values);
}

Json policy_of(const sim::messaging::Queue& queue) {
  const auto found = queue.settings.shown.find("Policy");
  if (found != queue.settings.shown.end())
    if (Json policy = sim::parse_shallow_json(found->second); policy.is_object()) return policy;
  return json_object({{"Version", "2012-10-17"},
                      {"Id", queue.arn + "/SQSDefaultPolicy"},
                      {"Statement", Json::array()}});
}

// The statements as a list. A policy may have a single statement without one.
Json statements_in(const Json& policy) {
  const auto found = policy.find("Statement");
  if (found == policy.end()) return Json::array();
  return found->is_array() ? *found : Json::array({*found});
}

bool has_label(const Json& statement, const std::string& label) {
  return statement.is_object() && statement.contains("Sid") && statement["Sid"] == label;
}

void set_policy(Call& call, const std::string& name, const Json& policy) {
  const bool is_empty = statements_in(policy).empty();
  const std::string text = is_empty ? "" : policy.dump();
  check_count(text.size(), sim::messaging::kMostPolicyBytes, "bytes of policy");
  queues(call).set_attributes(name, {{"Policy", text}});
}

}  // namespace

op::AddPermission::Response add_permission(Call& call, const op::AddPermission::Request& request) {
  const auto& queue = queues(call).queue(name_in(request.queue_url.value()));
  const std::string& label = request.label.value();
  check_label(label);
  check_actions(request.actions);
  check_accounts(request.aws_account_ids);
  Json policy = policy_of(queue), statements = statements_in(policy);
  for (const Json& statement : statements)
    if (has_label(statement, label)) throw invalid(label, "Label", "Already exists.");
  check_count(statements.size() + 1, kMostStatements, "Statements");
  std::vector<std::string> principals, actions;
  for (const std::string& id : request.aws_account_ids)
    principals.push_back(fmt::format("arn:aws:iam::{}:root", id));
  for (const std::string& action : request.actions) actions.push_back("SQS:" + action);
  statements.push_back(json_object({{"Sid", label},
                                    {"Effect", "Allow"},
                                    {"Principal", json_object({{"AWS", one_or_all(principals)}})},
                                    {"Action", one_or_all(actions)},
                                    {"Resource", queue.arn}}));
  policy["Statement"] = std::move(statements);
  set_policy(call, queue.name, policy);
  return {};
}

op::RemovePermission::Response remove_permission(Call& call,
                                                 const op::RemovePermission::Request& request) {
  const auto& queue = queues(call).queue(name_in(request.queue_url.value()));
  const std::string& label = request.label.value();
  Json policy = policy_of(queue), kept = Json::array();
  const Json statements = statements_in(policy);
  for (const Json& statement : statements)
    if (!has_label(statement, label)) kept.push_back(statement);
  if (kept.size() == statements.size())
    throw invalid(label, "Label", "can't find label on existing policy.");
  policy["Statement"] = std::move(kept);
  set_policy(call, queue.name, policy);
  return {};
}

}  // namespace fakes::sqs
