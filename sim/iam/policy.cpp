#include "sim/iam/policy.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/lower_case.h"
#include "sim/cloud/error.h"
#include "sim/kernel/shallow_json.h"

namespace sim::iam {
namespace {

using Json = nlohmann::json;

[[noreturn]] void fail() {
  throw cloud::ApiError("MalformedPolicyDocument", "Syntax errors in policy.");
}

// The text of a scalar: conditions also have numbers and booleans.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean() || value.is_number()) return value.dump();
  fail();
}

std::vector<std::string> texts_of(const Json& value) {
  std::vector<std::string> texts;
  if (!value.is_array()) return {text_of(value)};
  for (const Json& one : value) texts.push_back(text_of(one));
  return texts;
}

std::vector<std::string> member(const Json& statement, const char* name) {
  const auto found = statement.find(name);
  return found == statement.end() ? std::vector<std::string>{} : texts_of(*found);
}

std::vector<std::string> in_lower_case(std::vector<std::string> texts) {
  for (std::string& text : texts) text = base::lower_case(text);
  return texts;
}

std::vector<PrincipalPattern> principals_of(const Json& value) {
  std::vector<PrincipalPattern> all;
  if (value.is_string()) return {{.type = "*", .value = value.get<std::string>()}};
  if (!value.is_object()) fail();
  for (const auto& [type, names] : value.items())
    for (std::string& name : texts_of(names)) all.push_back({type, std::move(name)});
  return all;
}

std::vector<Condition> conditions_of(const Json& block) {
  std::vector<Condition> all;
  if (!block.is_object()) fail();
  for (const auto& [name, keys] : block.items()) {
    const auto made = read_operator(name);
    if (!keys.is_object() || (!made && !keys.empty())) fail();
    for (const auto& [key, values] : keys.items()) {
      Condition condition = *made;
      condition.key = base::lower_case(key);
      condition.name = key;
      condition.values = texts_of(values);
      all.push_back(std::move(condition));
    }
  }
  return all;
}

Statement statement_of(const Json& json) {
  if (!json.is_object() || !json.contains("Effect")) fail();
  Statement made;
  made.sid = json.contains("Sid") ? text_of(json["Sid"]) : "";
  made.allows = base::lower_case(text_of(json["Effect"])) == "allow";
  made.all_actions_but = json.contains("NotAction");
  made.actions = in_lower_case(member(json, made.all_actions_but ? "NotAction" : "Action"));
  made.all_resources_but = json.contains("NotResource");
  made.resources = member(json, made.all_resources_but ? "NotResource" : "Resource");
  made.all_principals_but = json.contains("NotPrincipal");
  const char* const principal = made.all_principals_but ? "NotPrincipal" : "Principal";
  if (json.contains(principal)) made.principals = principals_of(json[principal]);
  if (json.contains("Condition")) made.conditions = conditions_of(json["Condition"]);
  return made;
}

bool matches_resource(const Statement& statement, const Query& query, bool has_variables) {
  if (statement.resources.empty()) return true;  // of a trust policy
  const bool named = std::ranges::any_of(statement.resources, [&](const std::string& stated) {
    if (stated == "*") return true;
    if (!has_variables) return matches_pattern(stated, query.resource);
    const auto text = with_variables(stated, query.context);
    return text && matches_pattern(*text, query.resource);
  });
  return named != statement.all_resources_but;
}

}  // namespace

CompiledPolicy compile_policy(const std::string& document) {
  if (!is_shallow_json(document)) fail();
  const Json json = Json::parse(document, nullptr, false);
  if (!json.is_object() || !json.contains("Statement")) fail();
  CompiledPolicy policy;
  policy.has_variables = json.contains("Version") && text_of(json["Version"]) >= "2012";
  const Json& statements = json["Statement"];
  if (statements.is_object()) policy.statements.push_back(statement_of(statements));
  if (statements.is_array())
    for (const Json& one : statements) policy.statements.push_back(statement_of(one));
  return policy;
}

bool names_action(const Statement& statement, std::string_view action) {
  const std::string wanted = base::lower_case(action);
  const bool named = std::ranges::any_of(statement.actions, [&](const std::string& stated) {
    return stated == "*" || matches_pattern(stated, wanted);
  });
  return named != statement.all_actions_but;
}

bool matches(const Statement& statement, const Query& query, bool has_variables) {
  return names_action(statement, query.action) &&
         matches_resource(statement, query, has_variables) &&
         std::ranges::all_of(statement.conditions, [&](const Condition& condition) {
           return holds(condition, query.context, has_variables);
         });
}

}  // namespace sim::iam
