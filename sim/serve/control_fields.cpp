#include "sim/serve/control_fields.h"

#include <fmt/format.h>

#include "base/json/json_text.h"

namespace sim::serve {
namespace {

[[noreturn]] void refuse(const std::string& pointer, const std::string& found,
                         const std::string& expected) {
  const std::string name = pointer.empty() ? "body" : pointer.substr(1);
  throw ControlError(400, fmt::format("{}: found {}, expected {}", name, found,
                                      pointer.empty() ? "a JSON object" : expected));
}

Json object_of(const std::string& body) {
  if (body.empty()) return Json::object();
  Json object = parse_shallow(body);
  if (object.is_discarded()) refuse("", "invalid or deeply nested JSON", "");
  return object;
}

}  // namespace

Json parse_shallow(const std::string& body) {
  constexpr int kDeepest = 4;
  return base::parse_json(body, kDeepest);
}

ControlFields::ControlFields(const std::string& body)
    : JsonFields(object_of(body), refuse), whole_(object_of(body)) {}

market::Pool ControlFields::pool(const std::string& name) {
  const std::string expected = "a pool such as p3.2xlarge/us-west-2b";
  const std::string value = required_text(name, expected);
  const auto slash = value.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == value.size()) fail(name, expected);
  return {value.substr(0, slash), value.substr(slash + 1)};
}

market::Usd ControlFields::price(const std::string& name) {
  const std::string expected = "US dollars an hour as text, such as \"0.918\"";
  const auto price = market::parse_usd(required_text(name, expected));
  if (!price) fail(name, expected);
  return *price;
}

void ControlFields::finish() const {
  if (const auto name = unread())
    fail(*name, asked().empty() ? "no fields" : "no other fields than " + asked());
}

}  // namespace sim::serve
