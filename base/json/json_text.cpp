#include "base/json/json_text.h"

#include <nlohmann/json.hpp>

namespace base {
namespace {

template <class Json>
std::string text_in(const Json& object, const char* name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->template get<std::string>()
                                                     : std::string{};
}

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text, int deepest) {
  using Json = nlohmann::ordered_json;
  struct TooDeep {};
  const auto check_depth = [deepest](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) throw TooDeep();
    return true;
  };
  try {
    return Json::parse(text, check_depth, false);
  } catch (const TooDeep&) {
    return Json(Json::value_t::discarded);
  }
}

std::string text_of(const nlohmann::json& object, const char* name) {
  return text_in(object, name);
}
std::string text_of(const nlohmann::ordered_json& object, const char* name) {
  return text_in(object, name);
}

}  // namespace base
