// Condition elements of policies (IAM User Guide, "IAM JSON policy elements: Condition operators"
// and "Conditions with multiple context keys or values").
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim::iam {

using Values = std::vector<std::string>;
// The values of a condition key, whose name is in lower case: "aws:requestedregion". Empty: the
// request has no such key.
using ContextKeys = std::function<std::optional<Values>(std::string_view key)>;

// A condition of a statement: a key with its operator, and values, of which one must match.
struct Condition {
  // How values of a key with several values count: all must match, or one.
  enum class Set { kNone, kAll, kAny };
  // True if the value of the request has the relation to the policy's.
  using Relation = bool (*)(const std::string& requested, const std::string& stated);

  Relation relation = nullptr;  // null for Null
  bool negated = false;         // StringNotEquals …
  bool if_exists = false;
  Set set = Set::kNone;
  std::string key = {};   // in lower case
  std::string name = {};  // the key as stated: "aws:RequestedRegion"
  Values values = {};
};

// Reads "ForAnyValue:StringLikeIfExists" into a condition without key and values. Empty: unknown.
std::optional<Condition> read_operator(std::string name);

// True if the request satisfies the condition. With `has_variables`, ${aws:username} in values is
// replaced by the key's value.
bool holds(const Condition& condition, const ContextKeys& context, bool has_variables);

// ---- texts with wildcards

// `*` stands for any characters, `?` for one. A character after kLiteral stands for itself.
inline constexpr char kLiteral = '\x01';
bool matches_pattern(std::string_view pattern, std::string_view text);
// Replaces policy variables: ${key}, ${key, 'default'}, ${*}, ${?}, ${$}. The wildcards in values
// are literal. Empty: a variable has neither value nor default, so nothing matches.
std::optional<std::string> with_variables(std::string_view text, const ContextKeys& context);

}  // namespace sim::iam
