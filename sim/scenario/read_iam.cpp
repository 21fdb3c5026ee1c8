#include "sim/cloud/error.h"
#include "sim/iam/policy_document.h"
#include "sim/scenario/blocks.h"

namespace sim::scenario {
namespace {

constexpr const char* kPolicies = "a mapping from a role, or operator, to a policy's file";

// Reads the inline policy of one role.
void read_policy(const Value& value, const std::string& role, Scenario& s) {
  const auto path = value.text("a file with a policy document (JSON)");
  if (!path) return;
  try {
    std::string document = read_input(beside(s, *path));
    iam::check_identity_policy(document);
    s.iam_policies[role] = std::move(document);
  } catch (const cloud::ApiError& fault) {
    value.fail(std::string("a policy document, but IAM refuses this one: ") + fault.what());
  } catch (const ScenarioError& error) {
    value.reject(error.what());
  }
}

void read_policies(const Value& block, Scenario& s) {
  if (!block.is_map()) return block.fail(kPolicies);
  for (const Value::Member& member : block.members()) {
    const Value value = block.value_of(member);
    if (member.name)
      read_policy(value, *member.name, s);
    else
      value.fail(kPolicies);
  }
}

}  // namespace

void read_iam(const Value& block, Scenario& s) {
  Fields fields(block);
  if (const auto v = fields.take("decide")) s.iam_decides = v->flag().value_or(false);
  const auto policies = fields.take("policies");
  if (policies) read_policies(*policies, s);
  if (const auto list = fields.take("instance_profiles")) {
    s.instance_profiles.emplace();
    for (const Value& entry : list->list("a list of instance profiles' names"))
      if (const auto name = entry.name()) s.instance_profiles->push_back(*name);
  } else if (!s.iam_decides && !policies) {
    fields.require("instance_profiles", "a list of names");
  }
  fields.finish();
}

}  // namespace sim::scenario
