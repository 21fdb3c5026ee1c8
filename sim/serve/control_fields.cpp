#include "sim/serve/control_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sim::serve {
namespace {

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 100) text = text.substr(0, 97) + "...";
  return text;
}

[[noreturn]] void refuse(const std::string& key, const std::string& found,
                         const std::string& expected) {
  throw ControlError(400, fmt::format("{}: found {}, expected {}", key, found, expected));
}

}  // namespace

Json parse_shallow(const std::string& body) {
  constexpr int kDeepest = 4;
  struct TooDeep {};
  try {
    return Json::parse(
        body,
        [](int depth, Json::parse_event_t, const Json&) {
          if (depth > kDeepest) throw TooDeep();
          return true;
        },
        false);
  } catch (const TooDeep&) {
    return Json(Json::value_t::discarded);
  }
}

ControlFields::ControlFields(const std::string& body) : object_(Json::object()) {
  if (body.empty()) return;
  object_ = parse_shallow(body);
  if (object_.is_discarded()) refuse("body", "no JSON, or a deep one", "a JSON object");
  if (!object_.is_object()) refuse("body", shown(object_), "a JSON object");
}

const Json& ControlFields::take(const std::string& key, const std::string& expected) {
  taken_.insert(key);
  const auto found = object_.find(key);
  if (found == object_.end()) refuse(key, "nothing", expected);
  return *found;
}

std::string ControlFields::text(const std::string& key, const std::string& expected) {
  const Json& value = take(key, expected);
  if (!value.is_string()) refuse(key, shown(value), expected);
  return value.get<std::string>();
}

std::string ControlFields::text_or(const std::string& key, const std::string& otherwise) {
  return has(key) ? text(key, "text") : otherwise;
}

std::string ControlFields::choice(const std::string& key, const std::vector<std::string>& choices) {
  const std::string expected = fmt::format("one of {}", fmt::join(choices, ", "));
  const std::string value = text(key, expected);
  if (std::ranges::find(choices, value) == choices.end()) refuse(key, shown(value), expected);
  return value;
}

int ControlFields::whole_number_or(const std::string& key, int least, int most, int otherwise) {
  if (!has(key)) return otherwise;
  const std::string expected = fmt::format("a whole number from {} to {}", least, most);
  const Json& value = take(key, expected);
  if (!value.is_number_integer()) refuse(key, shown(value), expected);
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<unsigned>(most))
    refuse(key, shown(value), expected);
  const auto number = value.get<std::int64_t>();
  if (number < least || number > most) refuse(key, shown(value), expected);
  return static_cast<int>(number);
}

bool ControlFields::flag(const std::string& key) {
  const Json& value = take(key, "true or false");
  if (!value.is_boolean()) refuse(key, shown(value), "true or false");
  return value.get<bool>();
}

market::Pool ControlFields::pool(const std::string& key) {
  const std::string expected = "a pool such as p3.2xlarge/us-west-2b";
  const std::string value = text(key, expected);
  const auto slash = value.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == value.size())
    refuse(key, shown(value), expected);
  return {value.substr(0, slash), value.substr(slash + 1)};
}

market::Usd ControlFields::price(const std::string& key) {
  const std::string expected = "US dollars an hour as text, such as \"0.918\"";
  const std::string value = text(key, expected);
  const auto price = market::parse_usd(value);
  if (!price) refuse(key, shown(value), expected);
  return *price;
}

void ControlFields::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (taken_.contains(key)) continue;
    refuse(key, shown(value),
           taken_.empty() ? "no fields"
                          : fmt::format("no other fields than {}", fmt::join(taken_, ", ")));
  }
}

}  // namespace sim::serve
