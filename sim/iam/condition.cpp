#include "sim/iam/condition.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "base/text/lower_case.h"
#include "sim/iam/policy_resource.h"

namespace sim::iam {
namespace {

using Relation = Condition::Relation;

// Removes the marks of literal characters, for operators without wildcards.
std::string plain(const std::string& stated) {
  std::string text = stated;
  std::erase(text, kLiteral);
  return text;
}

// ---- numbers, dates and addresses

std::optional<double> number_of(const std::string& text) {
  if (text.empty()) return {};
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

using Compare = bool (*)(double, double);

template <auto kRead, Compare kCompare>
bool compare(const std::string& requested, const std::string& stated) {
  const auto a = kRead(requested), b = kRead(plain(stated));
  return a && b && kCompare(*a, *b);
}
bool equal(double a, double b) { return a == b; }
bool less(double a, double b) { return a < b; }
bool at_most(double a, double b) { return a <= b; }
bool greater(double a, double b) { return a > b; }
bool at_least(double a, double b) { return a >= b; }

// An IPv4 address with a prefix's length, or an IPv6 address as 8 groups.
struct Network {
  std::array<std::uint8_t, 16> bytes{};
  int bits = 0, length = 0;  // of the address and of the prefix
};

bool read_ipv4(std::string_view text, Network& network) {
  network.bits = 32;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto dot = text.find('.');
    if ((dot == text.npos) != (i == 3)) return false;
    const std::string_view part = text.substr(0, dot);
    int value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || value < 0 || value > 255)
      return false;
    network.bytes[i] = static_cast<std::uint8_t>(value);
    if (i < 3) text.remove_prefix(dot + 1);
  }
  return true;
}

// The 16-bit groups of a part of an IPv6 address; false for anything else.
bool read_groups(std::string_view text, std::vector<std::uint16_t>& groups) {
  while (!text.empty()) {
    const auto colon = text.find(':');
    const std::string_view part = text.substr(0, colon);
    unsigned value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value, 16);
    if (error != std::errc() || end != part.data() + part.size() || value > 0xffff) return false;
    groups.push_back(static_cast<std::uint16_t>(value));
    if (colon == text.npos) return true;
    text.remove_prefix(colon + 1);
    if (text.empty()) return false;
  }
  return true;
}

bool read_ipv6(std::string_view text, Network& network) {
  network.bits = 128;
  const auto gap = text.find("::");
  std::vector<std::uint16_t> groups, tail;
  if (!read_groups(text.substr(0, gap), groups)) return false;
  if (gap != text.npos) {
    if (!read_groups(text.substr(gap + 2), tail) || groups.size() + tail.size() > 7) return false;
    groups.resize(8 - tail.size());
    groups.insert(groups.end(), tail.begin(), tail.end());
  }
  if (groups.size() != 8) return false;
  for (std::size_t i = 0; i < 8; ++i) {
    network.bytes[2 * i] = static_cast<std::uint8_t>(groups[i] >> 8);
    network.bytes[2 * i + 1] = static_cast<std::uint8_t>(groups[i]);
  }
  return true;
}

std::optional<Network> network_of(const std::string& text) {
  Network network;
  const auto slash = text.find('/');
  const std::string_view address = std::string_view(text).substr(0, slash);
  const bool six = address.find(':') != address.npos;
  if (!(six ? read_ipv6(address, network) : read_ipv4(address, network))) return {};
  network.length = network.bits;
  if (slash == text.npos) return network;
  const auto length = number_of(text.substr(slash + 1));
  if (!length || *length < 0 || *length > network.bits || *length != std::floor(*length)) return {};
  network.length = static_cast<int>(*length);
  return network;
}

bool is_within(const std::string& requested, const std::string& stated) {
  const auto address = network_of(requested), network = network_of(plain(stated));
  if (!address || !network || address->bits != network->bits) return false;
  for (int bit = 0; bit < network->length; ++bit) {
    const auto at = static_cast<std::size_t>(bit / 8);
    const int mask = 0x80 >> (bit % 8);
    if ((address->bytes[at] & mask) != (network->bytes[at] & mask)) return false;
  }
  return true;
}

// ---- texts

bool same(const std::string& requested, const std::string& stated) {
  return requested == plain(stated);
}
bool same_but_case(const std::string& requested, const std::string& stated) {
  return base::lower_case(requested) == base::lower_case(plain(stated));
}
bool like(const std::string& requested, const std::string& stated) {
  return matches_pattern(stated, requested);
}

// The first five of an ARN's six components end at a colon.
std::vector<std::string_view> components(std::string_view arn) {
  std::vector<std::string_view> parts;
  while (parts.size() < 5) {
    const auto colon = arn.find(':');
    if (colon == arn.npos) break;
    parts.push_back(arn.substr(0, colon));
    arn.remove_prefix(colon + 1);
  }
  parts.push_back(arn);
  return parts;
}

// Each component of an ARN matches by itself (IAM User Guide, "Amazon Resource Name (ARN) condition
// operators").
bool arn_like(const std::string& requested, const std::string& stated) {
  if (stated == "*") return true;
  const auto given = components(requested), pattern = components(stated);
  if (given.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!matches_pattern(pattern[i], given[i])) return false;
  return true;
}

struct OperatorRow {
  std::string_view name;
  Relation relation;
  bool negated = false;
};
constexpr OperatorRow kOperators[] = {{"StringEquals", same},
                                      {"StringNotEquals", same, true},
                                      {"StringEqualsIgnoreCase", same_but_case},
                                      {"StringNotEqualsIgnoreCase", same_but_case, true},
                                      {"StringLike", like},
                                      {"StringNotLike", like, true},
                                      {"NumericEquals", compare<number_of, equal>},
                                      {"NumericNotEquals", compare<number_of, equal>, true},
                                      {"NumericLessThan", compare<number_of, less>},
                                      {"NumericLessThanEquals", compare<number_of, at_most>},
                                      {"NumericGreaterThan", compare<number_of, greater>},
                                      {"NumericGreaterThanEquals", compare<number_of, at_least>},
                                      {"DateEquals", compare<seconds_of_date, equal>},
                                      {"DateNotEquals", compare<seconds_of_date, equal>, true},
                                      {"DateLessThan", compare<seconds_of_date, less>},
                                      {"DateLessThanEquals", compare<seconds_of_date, at_most>},
                                      {"DateGreaterThan", compare<seconds_of_date, greater>},
                                      {"DateGreaterThanEquals", compare<seconds_of_date, at_least>},
                                      {"Bool", same_but_case},
                                      {"BinaryEquals", same},
                                      {"IpAddress", is_within},
                                      {"NotIpAddress", is_within, true},
                                      {"ArnEquals", arn_like},
                                      {"ArnLike", arn_like},
                                      {"ArnNotEquals", arn_like, true},
                                      {"ArnNotLike", arn_like, true},
                                      {"Null", nullptr}};

bool remove_prefix(std::string& name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.erase(0, prefix.size());
  return true;
}

// True if a Null condition holds for a key that exists or not.
bool null_holds(const Condition& condition, bool exists) {
  return std::ranges::any_of(condition.values, [&](const std::string& value) {
    return (base::lower_case(value) == "true") == !exists;
  });
}

bool has_relation(const Condition& condition, const std::string& value, const Values& stated) {
  return std::ranges::any_of(
      stated, [&](const std::string& one) { return condition.relation(value, one); });
}

Values stated_values(const Condition& condition, const ContextKeys& context, bool has_variables) {
  if (!has_variables) return condition.values;
  Values values;
  for (const std::string& value : condition.values)
    if (auto text = with_variables(value, context)) values.push_back(std::move(*text));
  return values;
}

}  // namespace

std::optional<Condition> read_operator(std::string name) {
  Condition condition;
  if (remove_prefix(name, "ForAllValues:")) condition.set = Condition::Set::kAll;
  if (remove_prefix(name, "ForAnyValue:")) condition.set = Condition::Set::kAny;
  constexpr std::string_view kIfExists = "IfExists";
  if (name.ends_with(kIfExists)) {
    name.erase(name.size() - kIfExists.size());
    condition.if_exists = true;
  }
  const auto row = std::ranges::find(kOperators, name, &OperatorRow::name);
  if (row == std::end(kOperators)) return {};
  condition.relation = row->relation;
  condition.negated = row->negated;
  return condition;
}

bool holds(const Condition& condition, const ContextKeys& context, bool has_variables) {
  const auto requested = context(condition.key);
  const bool exists = requested && !requested->empty();
  if (condition.relation == nullptr) return null_holds(condition, requested.has_value());
  if (!exists) {
    if (condition.set == Condition::Set::kAny) return condition.if_exists;
    return condition.if_exists || condition.negated || condition.set == Condition::Set::kAll;
  }
  const Values stated = stated_values(condition, context, has_variables);
  const auto fits = [&](const std::string& value) {
    return has_relation(condition, value, stated) != condition.negated;
  };
  // Without a set operator, one matching value suffices. For a negated operator, no value may
  // match.
  const bool all = condition.set == Condition::Set::kAll ||
                   (condition.set == Condition::Set::kNone && condition.negated);
  return all ? std::ranges::all_of(*requested, fits) : std::ranges::any_of(*requested, fits);
}

// Matches greedily, and returns only to the last `*`. So the time stays short for any text.
bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = pattern.npos, resume = 0;
  while (t < text.size()) {
    const bool literal = p < pattern.size() && pattern[p] == kLiteral;
    const std::size_t at = p + (literal ? 1 : 0);
    if (p < pattern.size() && !literal && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (at < pattern.size() &&
               ((!literal && pattern[at] == '?') || pattern[at] == text[t])) {
      p = at + 1;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

namespace {

void append_literal(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '*' || c == '?' || c == kLiteral) out += kLiteral;
    out += c;
  }
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Appends the value of the variable "aws:username" or "aws:username, 'nobody'".
bool append_variable(std::string& out, std::string_view variable, const ContextKeys& context) {
  if (variable == "*" || variable == "?" || variable == "$") {
    append_literal(out, variable);
    return true;
  }
  const auto comma = variable.find(',');
  const auto values = context(base::lower_case(trimmed(variable.substr(0, comma))));
  if (values && values->size() == 1) {
    append_literal(out, values->front());
    return true;
  }
  if (comma == variable.npos) return false;
  std::string_view other = trimmed(variable.substr(comma + 1));
  if (other.size() >= 2 && other.starts_with('\'') && other.ends_with('\''))
    other = other.substr(1, other.size() - 2);
  append_literal(out, other);
  return true;
}

}  // namespace

std::optional<std::string> with_variables(std::string_view text, const ContextKeys& context) {
  std::string out;
  for (;;) {
    const auto begin = text.find("${");
    const auto end = begin == text.npos ? begin : text.find('}', begin);
    if (end == text.npos) break;
    out += text.substr(0, begin);
    if (!append_variable(out, text.substr(begin + 2, end - begin - 2), context)) return {};
    text.remove_prefix(end + 1);
  }
  out += text;
  return out;
}

}  // namespace sim::iam
