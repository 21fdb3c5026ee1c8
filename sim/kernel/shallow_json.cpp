#include "sim/kernel/shallow_json.h"

namespace sim {
namespace {
constexpr int kDeepest = 100;
}  // namespace

bool is_shallow_json(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\')
      ++i;  // the next character does not end the string
    else if (c == '"')
      in_string = !in_string;
    else if (in_string)
      continue;
    else if (c == '[' || c == '{')
      ++depth;
    else if (c == ']' || c == '}')
      --depth;
    if (depth > kDeepest) return false;
  }
  return true;
}

Json parse_shallow_json(std::string_view text) {
  if (!is_shallow_json(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

}  // namespace sim
