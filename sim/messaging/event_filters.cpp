#include "sim/messaging/event_filters.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "base/text/lower_case.h"
#include "base/text/wildcards.h"
#include "sim/vpc/cidr.h"

namespace sim::messaging {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

bool is_text_test(const Json& filter) {
  return filter.is_object() && filter.size() == 1 && filter.begin().value().is_string();
}

// ---- the checks of a filter's argument

void check_text(const Json& argument) {
  if (!argument.is_string()) refuse("a text is expected");
}
// Checks {"prefix": "a"}, and also {"prefix": {"equals-ignore-case": "a"}}.
void check_end(const Json& argument) {
  if (argument.is_string()) return;
  if (!is_text_test(argument) || argument.begin().key() != "equals-ignore-case")
    refuse("a text or equals-ignore-case is expected");
}
void check_exists(const Json& argument) {
  if (!argument.is_boolean()) refuse("true or false is expected");
}
void check_cidr(const Json& argument) {
  if (!argument.is_string() || !vpc::parse_cidr(argument.get<std::string>()))
    refuse("an IPv4 block is expected");
}
// Checks comparisons such as [">=", 0, "<", 5].
void check_numeric(const Json& argument) {
  constexpr std::string_view kOperators[] = {"<", "<=", "=", ">", ">="};
  if (!argument.is_array() || argument.empty() || argument.size() % 2 != 0)
    refuse("pairs of an operator and a number are expected");
  for (std::size_t i = 0; i < argument.size(); i += 2)
    if (!argument[i].is_string() || !argument[i + 1].is_number() ||
        std::ranges::find(kOperators, argument[i].get<std::string>()) == std::end(kOperators))
      refuse("pairs of an operator and a number are expected");
}
void check_wildcard(const Json& argument) {
  check_text(argument);
  if (argument.get<std::string>().find("**") != std::string::npos)
    refuse("consecutive wildcards are not allowed");
}
void check_anything_but(const Json& argument) {
  const auto is_literal = [](const Json& j) { return j.is_string() || j.is_number(); };
  if (is_literal(argument)) return;
  if (argument.is_array() && !argument.empty() && std::ranges::all_of(argument, is_literal)) return;
  if (!argument.is_object() || argument.size() != 1)
    refuse("anything-but expects a value, a list of values, or one filter");
  constexpr std::string_view kInside[] = {"prefix", "suffix", "equals-ignore-case", "wildcard"};
  const Json& inner = argument.begin().value();
  if (std::ranges::find(kInside, argument.begin().key()) == std::end(kInside))
    refuse("anything-but does not take " + argument.begin().key());
  for (const Json& each : inner.is_array() ? inner : Json::array({inner})) check_text(each);
}

// ---- the tests of a value

std::string text_of(const Json& value) { return value.get<std::string>(); }

bool starts(const Json& argument, const Json& value) {
  if (argument.is_object())
    return base::lower_case(text_of(value))
        .starts_with(base::lower_case(text_of(argument.begin().value())));
  return text_of(value).starts_with(text_of(argument));
}
bool ends(const Json& argument, const Json& value) {
  if (argument.is_object())
    return base::lower_case(text_of(value))
        .ends_with(base::lower_case(text_of(argument.begin().value())));
  return text_of(value).ends_with(text_of(argument));
}
bool equals_but_case(const Json& argument, const Json& value) {
  return base::lower_case(text_of(value)) == base::lower_case(text_of(argument));
}
bool fits_wildcard(const Json& argument, const Json& value) {
  return base::matches_wildcards(text_of(argument), text_of(value), base::Wildcards::kStar);
}
bool is_in_block(const Json& argument, const Json& value) {
  const auto block = vpc::parse_cidr(text_of(argument));
  const auto address = vpc::parse_ipv4(text_of(value));
  return block && address && block->contains(*address);
}
bool fits_numbers(const Json& argument, const Json& value) {
  const double number = value.get<double>();
  for (std::size_t i = 0; i < argument.size(); i += 2) {
    const std::string op = text_of(argument[i]);
    const double bound = argument[i + 1].get<double>();
    const bool fits = op == "<"    ? number < bound
                      : op == "<=" ? number <= bound
                      : op == "="  ? number == bound
                      : op == ">"  ? number > bound
                                   : number >= bound;
    if (!fits) return false;
  }
  return true;
}
bool is_anything_but(const Json& argument, const Json& value);

enum class Of { kTexts, kNumbers, kAny };
struct FilterKind {
  std::string_view name;
  Of of;  // only values of this type pass
  void (*check)(const Json& argument);
  bool (*test)(const Json& argument, const Json& value);
};
constexpr FilterKind kFilters[] = {
    {"prefix", Of::kTexts, check_end, starts},
    {"suffix", Of::kTexts, check_end, ends},
    {"equals-ignore-case", Of::kTexts, check_text, equals_but_case},
    {"wildcard", Of::kTexts, check_wildcard, fits_wildcard},
    {"cidr", Of::kTexts, check_cidr, is_in_block},
    {"numeric", Of::kNumbers, check_numeric, fits_numbers},
    {"anything-but", Of::kAny, check_anything_but, is_anything_but},
    {"exists", Of::kAny, check_exists, nullptr},
};

const FilterKind* find_row(std::string_view name) {
  const auto row = std::ranges::find(kFilters, name, &FilterKind::name);
  return row == std::end(kFilters) ? nullptr : row;
}

bool is_anything_but(const Json& argument, const Json& value) {
  if (argument.is_object()) {
    const Json& inner = argument.begin().value();
    for (const Json& each : inner.is_array() ? inner : Json::array({inner})) {
      Json filter = Json::object();
      filter[argument.begin().key()] = each;
      if (passes(filter, value)) return false;
    }
    return true;
  }
  if (argument.is_array())
    return std::ranges::none_of(argument, [&](const Json& one) { return one == value; });
  return argument != value;
}

}  // namespace

void check_filter(const Json& filter) {
  if (filter.is_array()) refuse("a list in a list is not a filter");
  if (!filter.is_object()) return;  // a literal
  if (filter.size() != 1) refuse("a filter has one name");
  const std::string& name = filter.begin().key();
  const FilterKind* const row = find_row(name);
  if (row == nullptr) refuse("Unrecognized match type " + name);
  row->check(filter.begin().value());
}

bool passes(const Json& filter, const Json& value) {
  if (!filter.is_object()) return filter == value;
  const FilterKind* const row = find_row(filter.begin().key());
  if (row == nullptr || row->test == nullptr) return false;
  if (row->of == Of::kTexts && !value.is_string()) return false;
  if (row->of == Of::kNumbers && !value.is_number()) return false;
  return row->test(filter.begin().value(), value);
}

}  // namespace sim::messaging
