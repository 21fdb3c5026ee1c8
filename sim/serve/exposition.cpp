#include "sim/serve/exposition.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/events/read.h"

namespace sim::serve {
namespace {

std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : events::as_utf8(value)) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return text;
}

}  // namespace

void Exposition::family(std::string_view name, Type type, std::string_view help) {
  name_ = name;
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name,
                       type == Type::kCounter ? "counter" : "gauge");
}

void Exposition::sample(const Labels& labels, double value) {
  std::string list;
  for (const auto& [label, text] : labels)
    list += fmt::format("{}{}=\"{}\"", list.empty() ? "" : ",", label, escaped(text));
  text_ += name_ + (list.empty() ? "" : "{" + list + "}");
  text_ += std::isinf(value) ? " +Inf\n" : fmt::format(" {}\n", value);
}

}  // namespace sim::serve
