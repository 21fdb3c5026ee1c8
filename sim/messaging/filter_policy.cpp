#include "sim/messaging/filter_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "sim/cloud/error.h"
#include "sim/kernel/shallow_json.h"

namespace sim::messaging {
namespace {

constexpr std::size_t kMostKeys = 5;
constexpr double kMostCombinations = 150;
constexpr int kDeepestPolicy = 20;  // as that of an event pattern

// The reason, without "FilterPolicy: ".
[[noreturn]] void reject(const std::string& why) { throw std::invalid_argument(why); }

// ---- the filters of a value

bool is_operator(const Json& text, std::initializer_list<std::string_view> operators) {
  return std::ranges::find(operators, text.get<std::string>()) != operators.end();
}

void check_bound(const std::string& name, const Json* bound) {
  if (bound == nullptr || !bound->is_number())
    reject(fmt::format("Value of {} must be numeric", name == "=" ? "equals" : name));
}

// Checks ["=", 5] and [">", 0, "<=", 5].
void check_numeric(const std::string&, const Json& terms) {
  if (!terms.is_array() || terms.empty()) reject("Invalid member in numeric match: ]");
  const auto term = [&](std::size_t i) { return i < terms.size() ? &terms[i] : nullptr; };
  if (!terms[0].is_string()) reject("Invalid member in numeric match: " + terms[0].dump());
  const auto first = terms[0].get<std::string>();
  if (!is_operator(terms[0], {"<", "<=", "=", ">", ">="}))
    reject("Unrecognized numeric range operator: " + first);
  check_bound(first, term(1));
  if (terms.size() == 2) return;
  if (!is_operator(terms[0], {">", ">="})) reject("Too many elements in numeric expression");
  if (!terms[2].is_string()) reject("Bad value in numeric range: " + terms[2].dump());
  const auto second = terms[2].get<std::string>();
  if (!is_operator(terms[2], {"<", "<="})) reject("Bad numeric range operator: " + second);
  check_bound(second, term(3));
  if (terms[3].get<double>() <= terms[1].get<double>()) reject("Bottom must be less than top");
  if (terms.size() > 4) reject("Too many terms in numeric range expression");
}

void check_text(const std::string& name, const Json& argument) {
  if (!argument.is_string()) reject(name + " match pattern must be a string");
}

void check_exists(const std::string& name, const Json& argument) {
  if (!argument.is_boolean()) reject(name + " match pattern must be either true or false.");
}

void check_cidr(const std::string&, const Json& argument) {
  check_text("prefix", argument);  // AWS's text has this name
  const auto block = argument.get<std::string>();
  if (std::ranges::count(block, '/') != 1) reject("Malformed CIDR, one '/' required");
  const std::string bits = block.substr(block.find('/') + 1);
  if (bits.empty() || bits.find_first_not_of("0123456789") != bits.npos)
    reject("Malformed CIDR, mask bits must be an integer");
}

bool is_plain_value(const Json& value) { return value.is_primitive() && !value.is_discarded(); }

void check_anything_but(const std::string&, const Json& argument) {
  if (argument.is_object()) {
    for (const auto& [name, inner] : argument.items()) {
      constexpr std::string_view kInside[] = {"prefix", "suffix", "equals-ignore-case", "wildcard"};
      if (std::ranges::find(kInside, name) == std::end(kInside))
        reject("Unsupported anything-but pattern: " + name);
      for (const Json& each : inner.is_array() ? inner : Json::array({inner}))
        check_text(name, each);
    }
    if (argument.size() != 1) reject("Only one key allowed in match expression");
    return;
  }
  const Json values = argument.is_array() ? argument : Json::array({argument});
  if (values.empty()) reject("Empty arrays are not allowed");
  if (!std::ranges::all_of(values, is_plain_value))
    reject("Match value must be String, number, true, false, or null");
}

struct PolicyFilter {
  std::string_view name;
  void (*check)(const std::string& name, const Json& argument);
};
constexpr PolicyFilter kPolicyFilters[] = {{"prefix", check_text},
                                           {"suffix", check_text},
                                           {"equals-ignore-case", check_text},
                                           {"wildcard", check_text},
                                           {"anything-but", check_anything_but},
                                           {"cidr", check_cidr},
                                           {"exists", check_exists},
                                           {"numeric", check_numeric}};

void check_value(const Json& value) {
  if (is_plain_value(value)) return;
  if (!value.is_object()) reject("Match value must be String, number, true, false, or null");
  if (value.size() != 1) reject("Only one key allowed in match expression");
  const std::string& name = value.begin().key();
  const auto* const row = std::ranges::find(kPolicyFilters, name, &PolicyFilter::name);
  if (row == std::end(kPolicyFilters)) reject("Unrecognized match type " + name);
  row->check(name, value.begin().value());
}

// ---- the tree of keys

// A policy's number of combinations of values: the product of the numbers of values, each times the
// depth of its key. Alternatives add up.
class Combinations {
 public:
  explicit Combinations(FilterScope scope) : scope_(scope) {}

  // `depth` is that of the keys. `level` also counts alternatives, whose keys are not deeper.
  double count(const Json& keys, double before, int depth, int level) const {
    if (level > kDeepestPolicy) reject("Filter policy is too complex");
    if (!keys.is_object()) reject("\"$or\" must be an array of objects");
    double combinations = before;
    for (const auto& [key, below] : keys.items()) {
      if (below.is_object())
        combinations = nested(below, combinations, depth, level);
      else if (!below.is_array())
        reject(fmt::format("\"{}\" must be an object or an array", key));
      else if (below.empty())
        reject("Empty arrays are not allowed");
      else if (key == "$or")
        combinations = alternatives(below, combinations, depth, level);
      else
        combinations *= static_cast<double>(below.size()) * depth;
    }
    return combinations;
  }

 private:
  double nested(const Json& below, double before, int depth, int level) const {
    if (scope_ == FilterScope::kMessageAttributes)
      throw std::domain_error(
          "Filter policy scope MessageAttributes does not support nested filter policy");
    return count(below, before, depth + 1, level + 1);
  }
  double alternatives(const Json& below, double before, int depth, int level) const {
    double sum = 0;
    for (const Json& each : below) sum += count(each, before, depth, level + 1);
    return sum;
  }

  FilterScope scope_;
};

void check_policy_values(const Json& keys) {
  for (const auto& [key, below] : keys.items()) {
    if (below.is_object()) {
      check_policy_values(below);
      continue;
    }
    for (const Json& value : below)
      if (key == "$or")
        check_policy_values(value);
      else
        check_value(value);
  }
}

}  // namespace

void check_filter_policy(const std::string& text, FilterScope scope, std::string_view where) {
  const auto invalid = [&](std::string_view prefix, std::string_view why) {
    return cloud::ApiError("InvalidParameter",
                           fmt::format("Invalid parameter: {}{}{}", where, prefix, why));
  };
  try {
    const Json policy = parse_shallow_json(text);
    if (!policy.is_object()) reject("failed to parse JSON.");
    if (policy.size() > kMostKeys) reject("Filter policy can not have more than 5 keys");
    if (Combinations(scope).count(policy, 1, 1, 1) > kMostCombinations)
      reject("Filter policy is too complex");
    check_policy_values(policy);
  } catch (const std::invalid_argument& wrong) {
    throw invalid("FilterPolicy: ", wrong.what());
  } catch (const std::domain_error& nested) {
    throw invalid("", nested.what());
  }
}

}  // namespace sim::messaging
