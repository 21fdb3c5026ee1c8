#include "sim/scenario/yaml_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/market/instance_types.h"
#include "sim/scenario/yaml_syntax.h"

namespace sim::scenario {
namespace {

constexpr std::size_t kShown = 40;  // number of characters of a wrong value in a message

FilePosition place_of(const YAML::Node& node) {
  const YAML::Mark mark = node.Mark();
  return mark.is_null() ? FilePosition{} : FilePosition{mark.line + 1, mark.column + 1};
}

std::string quoted(const std::string& text) {
  std::string shown = text.substr(0, kShown);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return "\"" + shown + (text.size() > kShown ? "…\"" : "\"");
}

std::string describe(const YAML::Node& node) {
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  if (node.IsScalar()) return quoted(node.Scalar());
  return "nothing";
}

std::string written(const YAML::Node& node, int levels) {
  if (node.IsScalar()) return node.Scalar();
  if (levels == 0 || (!node.IsSequence() && !node.IsMap())) return "…";
  std::string text;
  if (node.IsSequence()) {
    for (const auto& item : node) text += (text.empty() ? "" : ", ") + written(item, levels - 1);
    return "[" + text + "]";
  }
  for (const auto& entry : node) {
    text += (text.empty() ? "" : ", ") + entry.first.as<std::string>("…") + ": " +
            written(entry.second, levels - 1);
  }
  return "{" + text + "}";
}

template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

bool in_range(Time t) {
  using namespace std::chrono;
  constexpr sys_days kFirst = 1970y / January / 1, kEnd = 2100y / January / 1;
  return t.time_since_epoch() >= kFirst.time_since_epoch() &&
         t.time_since_epoch() < kEnd.time_since_epoch();
}

void read_yaml(const std::string& text, Errors& errors,
               const std::function<void(const Value& root)>& read) {
  if (text.size() > kLargestFile) {
    return errors.add(
        {}, "file", fmt::format("found {} bytes, expected at most {}", text.size(), kLargestFile));
  }
  if (const auto wrong = syntax_error(text)) return errors.add(wrong->place, "YAML", wrong->what);
  try {
    read(Value(errors, YAML::Load(text), ""));
  } catch (const YAML::Exception& error) {
    errors.add({}, "YAML", error.what());
  }
}

Value::Value(Errors& errors, YAML::Node node, std::string key)
    : errors_(&errors), node_(std::move(node)), key_(std::move(key)), place_(place_of(node_)) {}

void Value::fail(const std::string& expected) const {
  errors_->add(place_, key_, describe(node_), expected);
}
void Value::reject(const std::string& message) const { errors_->add(place_, key_, message); }

std::string Value::as_written() const { return written(node_, 2); }

bool Value::is_map() const { return node_.IsMap(); }
bool Value::is_list() const { return node_.IsSequence(); }

const std::string* Value::scalar(const std::string& expected) const {
  if (node_.IsScalar()) return &node_.Scalar();
  fail(expected);
  return nullptr;
}

std::optional<std::string> Value::text(const std::string& expected) const {
  const std::string* text = scalar(expected);
  if (!text) return std::nullopt;
  if (text->empty()) return fail(expected), std::nullopt;
  return *text;
}

std::optional<std::string> Value::word(const std::vector<std::string>& words) const {
  const std::string expected = fmt::format("one of {}", fmt::join(words, ", "));
  const std::string* text = scalar(expected);
  if (!text) return std::nullopt;
  if (std::find(words.begin(), words.end(), *text) == words.end()) {
    return fail(expected), std::nullopt;
  }
  return *text;
}

std::optional<std::string> Value::name() const {
  const std::string expected = "a name of letters, digits, '-', '_' and '.'";
  const std::string* text = scalar(expected);
  if (!text) return std::nullopt;
  const auto plain = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  const bool good = !text->empty() && text->size() <= 100 && text->front() != '.' &&
                    std::all_of(text->begin(), text->end(), plain);
  if (!good) return fail(expected), std::nullopt;
  return *text;
}

std::optional<std::int64_t> Value::integer(std::int64_t low, std::int64_t high) const {
  const std::string expected = high == INT64_MAX
                                   ? fmt::format("a whole number from {}", low)
                                   : fmt::format("a whole number, {} to {}", low, high);
  const std::string* text = scalar(expected);
  if (!text) return std::nullopt;
  const auto value = parse_number<std::int64_t>(*text);
  if (!value || *value < low || *value > high) return fail(expected), std::nullopt;
  return value;
}

std::optional<double> Value::number() const {
  const std::string* text = scalar("a number");
  if (!text) return std::nullopt;
  const auto value = parse_number<double>(*text);
  if (!value || !(*value > -1e18 && *value < 1e18)) return fail("a number"), std::nullopt;
  return value;
}

std::optional<bool> Value::flag() const {
  const auto text = word({"true", "false"});
  return text ? std::optional(*text == "true") : std::nullopt;
}

std::optional<Duration> Value::duration(const std::string& expected) const {
  const std::string* text = scalar(expected);
  if (!text) return std::nullopt;
  const auto value = parse_duration(*text);
  if (!value) {
    const bool bare = parse_number<double>(*text).has_value();
    fail(expected + (bare ? fmt::format(" (a unit is missing: {0}s, {0}m or {0}h?)", *text)
                          : " (units: d, h, m, s, ms, us, ns; no spaces)"));
  } else if (*value > kLongest) {
    return fail(expected + ", at most 365d"), std::nullopt;
  }
  return value;
}

std::optional<cloud::Range> Value::range() const {
  const std::string expected = "a duration such as 40s or a range such as 30s-60s";
  const std::string* text = scalar(expected);
  if (!text) return std::nullopt;
  const std::size_t dash = text->find('-');
  const auto low = parse_duration(text->substr(0, dash));
  const auto high = dash == std::string::npos ? low : parse_duration(text->substr(dash + 1));
  if (!low || !high) {
    const bool bare =
        !text->empty() && text->find_first_not_of("0123456789.-") == std::string::npos;
    return fail(bare ? expected + " (a unit is missing)" : expected), std::nullopt;
  }
  if (*low > *high) return fail("a range with its lower end first"), std::nullopt;
  if (*high > kLongest) return fail(expected + ", at most 365d"), std::nullopt;
  return cloud::Range{*low, *high};
}

std::optional<Time> Value::time() const {
  const std::string expected = "an instant in UTC such as 2019-11-05T10:00:00Z";
  const std::string* text = scalar(expected);
  if (!text) return std::nullopt;
  const auto value = parse_time(*text);
  if (!value) return fail(expected), std::nullopt;
  if (!in_range(*value)) return fail("an instant from 1970 to 2099"), std::nullopt;
  return value;
}

std::optional<market::Usd> Value::usd() const {
  const std::string expected = "US dollars such as 0.10";
  const std::string* text = scalar(expected);
  if (!text) return std::nullopt;
  const auto value = market::parse_usd(*text);
  if (!value) fail(expected);
  return value;
}

std::optional<std::string> Value::instance_type(const market::InstanceTypes& types) const {
  auto name = text("an instance type such as p3.2xlarge");
  if (!name || types.contains(*name)) return name;
  return fail(market::expected_instance_type(types, *name)), std::nullopt;
}

std::optional<market::Pool> Value::pool(const market::InstanceTypes& types) const {
  const std::string expected = "a pool such as p3.2xlarge/us-west-2b";
  const std::string* text = scalar(expected);
  if (!text) return std::nullopt;
  const std::size_t slash = text->find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == text->size() ||
      text->find('/', slash + 1) != std::string::npos) {
    return fail(expected), std::nullopt;
  }
  const market::Pool pool{text->substr(0, slash), text->substr(slash + 1)};
  if (!types.contains(pool.instance_type)) {
    fail("before the '/' " + market::expected_instance_type(types, pool.instance_type));
    return std::nullopt;
  }
  return pool;
}

std::optional<Value> Value::find(const std::string& key) const {
  if (!is_map()) return {};
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar() || entry.first.Scalar() != key) continue;
    return Value(*errors_, entry.second, path_of(key));
  }
  return {};
}

std::vector<Value> Value::list(const std::string& expected) const {
  std::vector<Value> values;
  if (!node_.IsSequence()) return fail(expected), values;
  for (std::size_t i = 0; i < node_.size(); ++i) {
    values.emplace_back(*errors_, node_[i], fmt::format("{}[{}]", key_, i));
  }
  return values;
}

std::string Value::path_of(const std::string& name) const {
  return key_.empty() ? name : key_ + "." + name;
}

std::vector<Value::Member> Value::members() const {
  std::vector<Member> all;
  for (const auto& entry : node_) {
    Member member{{}, entry.first, entry.second};
    if (entry.first.IsScalar()) member.name = entry.first.Scalar();
    all.push_back(std::move(member));
  }
  return all;
}

Value Value::value_of(const Member& member) const {
  Value value(*errors_, member.value, path_of(*member.name));
  value.member_name_ = *member.name;
  return value;
}

void Value::refuse_kind() const { fail("a mapping of keys"); }

void Value::refuse_second(const Member& member) const {
  errors_->add(place_of(member.key), path_of(*member.name),
               "found a second time, expected each key once");
}

void Value::refuse_missing(const std::string& name, const std::string& expected) const {
  errors_->add(place_, path_of(name), "nothing", expected);
}

void Value::refuse_unknown(const Member& member, base::FieldNames& names) const {
  const std::string name = member.name.value_or("");
  const auto meant = member.name ? names.meant_by(name) : std::nullopt;
  const std::string expected = meant ? fmt::format("\"{}\"", *meant)
                                     : fmt::format("one of {}", fmt::join(names.all(), ", "));
  errors_->add_unknown(
      place_of(member.key), path_of(name), key_.empty() ? "key" : key_,
      fmt::format("found unknown key {}, expected {}", describe(member.key), expected));
  if (meant && names.take_missing(*meant)) errors_->withdraw(path_of(*meant));
}

}  // namespace sim::scenario
