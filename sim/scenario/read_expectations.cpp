#include <fmt/format.h>

#include "sim/scenario/blocks.h"

namespace sim::scenario {
namespace {

std::optional<double> read_number(const Value& value, result::ExpectedKind kind) {
  if (kind == result::ExpectedKind::kDuration) {
    const auto d = value.duration();
    return d ? std::optional(seconds(*d)) : std::nullopt;
  }
  if (kind == result::ExpectedKind::kCount) {
    const auto n = value.integer(0, INT64_MAX);
    return n ? std::optional(static_cast<double>(*n)) : std::nullopt;
  }
  return value.number();
}

result::Bounds read_bounds(const Value& value, result::ExpectedKind kind) {
  if (!value.is_map()) {
    const auto exact = read_number(value, kind);
    return {exact, exact};
  }
  Fields fields(value);
  result::Bounds bounds;
  const auto min = fields.take("min"), max = fields.take("max");
  if (min) bounds.min = read_number(*min, kind);
  if (max) bounds.max = read_number(*max, kind);
  fields.finish();
  if (!min && !max) value.fail("a value, or bounds such as {min: 1, max: 2}");
  if (bounds.min && bounds.max && *bounds.min > *bounds.max)
    value.reject("found a min that is above max, expected bounds such as {min: 1, max: 2}");
  return bounds;
}

std::vector<std::string> read_words(const Value& value) {
  std::vector<std::string> words;
  for (const Value& item : value.list("a list, one entry an attempt, or {first: […]}"))
    words.push_back(item.text().value_or(""));
  return words;
}

result::EachOf read_broken(const Value& value, const result::InvariantRules& rules) {
  result::EachOf named;
  for (const Value& item : value.list("a list of invariants such as [progress-kept]")) {
    named.words.push_back(item.text("an invariant such as progress-kept").value_or(""));
    if (!named.words.back().empty()) check_invariant(item, named.words.back(), rules);
  }
  if (value.is_list() && named.words.empty())
    value.fail("one invariant at least, such as [progress-kept]");
  return named;
}

result::Expectation read_row(const result::ExpectedKey& row, const Value& value,
                             const result::InvariantRules& rules) {
  result::Expectation expectation{std::string(row.key),
                                  fmt::format("{}: {}", row.key, value.as_written()), false};
  switch (row.kind) {
    case result::ExpectedKind::kWord:
      expectation.wanted = std::vector<std::string>{
          value.word({"completed", "failed", "deadline", "stuck", "unproven"}).value_or("")};
      break;
    case result::ExpectedKind::kWords:
      if (value.is_map()) {
        Fields fields(value);
        if (const auto first = fields.require("first", "a list of what the first attempts have"))
          expectation.wanted = result::FirstWords{read_words(*first)};
        fields.finish();
      } else {
        expectation.wanted = read_words(value);
      }
      break;
    case result::ExpectedKind::kInvariants:
      expectation.wanted = read_broken(value, rules);
      break;
    case result::ExpectedKind::kStruck:
      if (value.node().IsScalar() && value.node().Scalar() == "all")
        expectation.wanted = result::AllStruck{};
      else
        expectation.wanted = read_bounds(value, result::ExpectedKind::kCount);
      break;
    case result::ExpectedKind::kFlag:
      expectation.wanted = value.flag().value_or(false);
      break;
    default:
      expectation.wanted = read_bounds(value, row.kind);
  }
  return expectation;
}

}  // namespace

std::vector<result::Expectation> read_expectations(const Value& block,
                                                   const result::InvariantRules& rules) {
  std::vector<result::Expectation> expectations;
  Fields fields(block);
  for (const result::ExpectedKey& row : result::expected_keys()) {
    if (const auto value = fields.take(std::string(row.key)))
      expectations.push_back(read_row(row, *value, rules));
  }
  fields.finish();
  return expectations;
}

}  // namespace sim::scenario
