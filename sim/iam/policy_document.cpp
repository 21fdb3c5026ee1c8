#include "sim/iam/policy_document.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/text/lower_case.h"
#include "sim/cloud/error.h"
#include "sim/iam/condition.h"
#include "sim/iam/policy_resource.h"
#include "sim/kernel/shallow_json.h"

namespace sim::iam {
namespace {

using Json = nlohmann::json;
using Statements = std::vector<Json>;
using Strings = std::vector<std::string>;

[[noreturn]] void fail(const std::string& message) {
  throw cloud::ApiError("MalformedPolicyDocument", message);
}

constexpr std::string_view kSyntax = "Syntax errors in policy.";
const std::set<std::string> kTopElements = {"Version", "Id", "Statement", "Conditions"};
const std::set<std::string> kVersions = {"2008-10-17", "2012-10-17"};
const std::set<std::string> kElements = {"Sid",       "Action",       "NotAction",
                                         "Resource",  "NotResource",  "Effect",
                                         "Principal", "NotPrincipal", "Condition"};
bool is_text(const Json& value) { return value.is_string(); }

bool is_texts(const Json& value) {
  return is_text(value) || (value.is_array() && std::ranges::all_of(value, is_text));
}

// The strings of an element: a string or a list of strings. Empty without the element.
Strings texts(const Json& statement, const char* element) {
  const auto found = statement.find(element);
  if (found == statement.end()) return {};
  return found->is_array() ? found->get<Strings>() : Strings{found->get<std::string>()};
}

bool has(const Json& statement, const char* element) { return statement.contains(element); }

bool compares_dates(const std::string& name) {
  const auto colon = name.find(':');
  return name.compare(colon == name.npos ? 0 : colon + 1, 4, "Date") == 0;
}

bool is_condition_value(const Json& value) {
  return value.is_string() || value.is_boolean() || value.is_number() || value.is_array();
}

bool is_condition(const Json& condition) {
  if (!condition.is_object()) return false;
  return std::ranges::all_of(condition.items(), [](const auto& entry) {
    if (!entry.value().is_object()) return false;
    return (read_operator(entry.key()) || entry.value().empty()) &&
           std::ranges::all_of(entry.value(), is_condition_value);
  });
}

bool is_effect(const Json& value) {
  if (!value.is_string()) return false;
  std::string word = value.get<std::string>();
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word == "allow" || word == "deny";
}

struct ElementForm {
  const char* name;
  bool (*is_good)(const Json&);
};
constexpr ElementForm kForms[] = {{"Sid", is_text},          {"Action", is_texts},
                                  {"NotAction", is_texts},   {"Resource", is_texts},
                                  {"NotResource", is_texts}, {"Condition", is_condition}};

bool is_statement(const Json& statement) {
  if (!statement.is_object() || !has(statement, "Effect") || !is_effect(statement["Effect"]))
    return false;
  for (const auto& [element, value] : statement.items())
    if (!kElements.contains(element)) return false;
  if (has(statement, "Resource") && has(statement, "NotResource")) return false;
  if (has(statement, "Action") && has(statement, "NotAction")) return false;
  return std::ranges::all_of(kForms, [&](const ElementForm& form) {
    return !has(statement, form.name) || form.is_good(statement[form.name]);
  });
}

struct Document {
  std::string version;  // empty: not given, which is 2008-10-17
  Statements statements;
};

Document parse(const std::string& text) {
  if (!is_shallow_json(text)) fail(std::string(kSyntax));
  const Json json = Json::parse(text, nullptr, false);
  const auto is_good_top = [&] {
    if (!json.is_object() || !has(json, "Statement")) return false;
    for (const auto& [element, value] : json.items())
      if (!kTopElements.contains(element)) return false;
    if (has(json, "Id") && !json["Id"].is_string()) return false;
    return !has(json, "Version") ||
           (json["Version"].is_string() && kVersions.contains(json["Version"].get<std::string>()));
  };
  if (!is_good_top()) fail(std::string(kSyntax));
  const Json& statement = json["Statement"];
  Document document{.version = json.value("Version", ""), .statements = {}};
  if (statement.is_array())
    document.statements.assign(statement.begin(), statement.end());
  else
    document.statements.push_back(statement);
  if (document.statements.empty() || !std::ranges::all_of(document.statements, is_statement))
    fail(std::string(kSyntax));
  return document;
}

void check_sids(const Statements& statements) {
  std::set<std::string> seen;
  for (const Json& statement : statements) {
    const auto sid = statement.value("Sid", "");
    if (!std::ranges::all_of(sid, [](unsigned char c) { return std::isalnum(c); }))
      fail(
          "Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular "
          "expression [A-Za-z0-9]*");
    if (!sid.empty() && !seen.insert(sid).second)
      fail("Statement IDs (SID) in a single policy must be unique.");
  }
}

void check_action(const std::string& action) {
  if (action == "*") return;
  const auto colon = action.find(':');
  if (colon == action.npos)
    fail("Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.");
  if (action.find(':', colon + 1) != action.npos)
    fail("Actions/Condition can contain only one colon.");
  const std::string vendor = action.substr(0, colon);
  const bool good = std::ranges::all_of(
      vendor, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '.'; });
  if (vendor != "*" && !good) fail("Vendor " + vendor + " is not valid");
}

void check_actions_given(const Statements& statements) {
  for (const Json& statement : statements)
    if (texts(statement, "Action").empty() && texts(statement, "NotAction").empty())
      fail("Policy statement must contain actions.");
}

void check_actions(const Statements& statements) {
  for (const Json& statement : statements)
    for (const char* element : {"Action", "NotAction"})
      for (const std::string& action : texts(statement, element)) check_action(action);
}

bool has_good_dates(const Json& statement) {
  const Json condition = statement.value("Condition", Json::object());
  for (const auto& [name, values] : condition.items()) {
    if (!compares_dates(name)) continue;
    for (const Json& value : values)
      for (const Json dates = value.is_array() ? value : Json::array({value});
           const Json& date : dates)
        if (!date.is_string() || !is_policy_date(date.get<std::string>())) return false;
  }
  return true;
}

// The first fault of the statements' resources; empty: none.
std::string first_resource_fault(const Statements& statements) {
  for (const Json& statement : statements)
    for (const char* element : {"Resource", "NotResource"})
      for (const std::string& resource : texts(statement, element))
        if (auto fault = resource_fault(resource); !fault.empty()) return fault;
  return "";
}

// The older parser checks these before everything else.
void check_legacy(const Statements& statements) {
  const bool good = std::ranges::all_of(statements, [](const Json& statement) {
    const auto effect = statement["Effect"].get<std::string>();
    return (effect == "Allow" || effect == "Deny") && has_good_dates(statement);
  });
  if (!good || first_resource_fault(statements) == kLegacyFault) fail(std::string(kLegacyFault));
}

void check_identity(const Document& document) {
  const Statements& statements = document.statements;
  check_legacy(statements);
  check_sids(statements);
  check_actions_given(statements);
  for (const Json& statement : statements)
    if (has(statement, "Principal") || has(statement, "NotPrincipal"))
      fail("Policy document should not specify a principal.");
  if (const auto fault = first_resource_fault(statements); !fault.empty()) fail(fault);
  check_actions(statements);
  for (const Json& statement : statements)
    if (texts(statement, "Resource").empty() && texts(statement, "NotResource").empty())
      fail("Policy statement must contain resources.");
}

// True if the action, which may have wildcards, is one of those that a role's trust policy can
// grant (IAM User Guide, "Actions, resources, and condition keys for AWS STS").
bool may_be_trusted(const std::string& action) {
  constexpr std::string_view kTrusted[] = {
      "sts:assumerole", "sts:assumerolewithsaml", "sts:assumerolewithwebidentity",
      "sts:tagsession", "sts:setsourceidentity",  "sts:setcontext"};
  const std::string pattern = base::lower_case(action);
  return std::ranges::any_of(
      kTrusted, [&](std::string_view trusted) { return matches_pattern(pattern, trusted); });
}

}  // namespace

void check_identity_policy(const std::string& document) { check_identity(parse(document)); }

void check_managed_policy(const std::string& text) {
  const Document document = parse(text);
  if (document.version != "2012-10-17")
    fail("Policy document must be version 2012-10-17 or greater.");
  check_identity(document);
}

void check_trust_policy(const std::string& text) {
  const Statements statements = parse(text).statements;
  check_legacy(statements);
  check_sids(statements);
  check_actions_given(statements);
  check_actions(statements);
  for (const Json& statement : statements) {
    if (!std::ranges::all_of(texts(statement, "Action"), may_be_trusted))
      fail("AssumeRole policy may only specify STS AssumeRole actions.");
    if (has(statement, "Resource") || has(statement, "NotResource"))
      fail("Has prohibited field Resource.");
    // "You cannot use the NotPrincipal element … in an IAM role trust policy" (IAM User Guide, "AWS
    // JSON policy elements: NotPrincipal").
    if (has(statement, "NotPrincipal")) fail("Has prohibited field NotPrincipal.");
    if (!has(statement, "Principal")) fail("Missing required field Principal");
  }
}

std::size_t counted_length(std::string_view document) {
  return static_cast<std::size_t>(
      std::ranges::count_if(document, [](unsigned char c) { return std::isspace(c) == 0; }));
}

}  // namespace sim::iam
