#include "sim/faults/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::faults {
namespace {

// Quotes a text that YAML would read as another type.
std::string scalar(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
  constexpr std::string_view kNulls[] = {"null", "Null", "NULL"};
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos &&
                     text[0] != '-' && text[0] != '.' && !std::ranges::count(kNulls, text);
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  }
  return quoted + '"';
}

struct WhenText {
  std::string operator()(const AtTime& when) const { return "at: " + format_duration(when.after); }
  std::string operator()(const Drawn& when) const { return "every: " + format_duration(when.mean); }
  std::string operator()(const OnEvent& when) const {
    std::string text = "on: {event: " + scalar(when.event);
    for (const auto& [name, value] : when.fields)
      text += fmt::format(", {}: {}", scalar(name), scalar(value));
    if (when.nth != 1) text += fmt::format(", nth: {}", when.nth);
    if (when.after != Duration{}) text += ", after: " + format_duration(when.after);
    return text + "}";
  }
  std::string operator()(const OnCall& when) const {
    std::string text = when.side == OnCall::Side::kBefore ? "before_call: {" : "after_call: {";
    text += "action: " + (when.action.empty() ? std::string("any") : scalar(when.action));
    if (!when.caller.empty()) text += ", caller: " + scalar(when.caller);
    if (when.nth != 1) text += fmt::format(", nth: {}", when.nth);
    return text + "}";
  }
  std::string operator()(const OnMetadata& when) const {
    std::string text = "on_metadata: {path: " + (when.path.empty() ? "any" : scalar(when.path));
    if (!when.instance.empty()) text += ", instance: " + scalar(when.instance);
    if (when.nth != 1) text += fmt::format(", nth: {}", when.nth);
    return text + "}";
  }
  std::string operator()(const Lifetime& when) const {
    std::string text = "lifetime: {mean: " + format_duration(when.mean);
    if (when.shape != 1) text += fmt::format(", shape: {}", when.shape);
    if (when.pool) text += ", pool: " + market::to_string(*when.pool);
    return text + "}";
  }
};

struct ArgumentText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(Duration value) const { return format_duration(value); }
  std::string operator()(const std::string& value) const { return scalar(value); }
  std::string operator()(const market::Pool& value) const { return market::to_string(value); }
};

}  // namespace

std::string to_yaml(const Fault& fault) {
  std::string text = "{" + std::visit(WhenText(), fault.when) + ", kind: " + fault.kind;
  for (const auto& [name, value] : fault.arguments.all())
    text += fmt::format(", {}: {}", name, std::visit(ArgumentText(), value));
  if (fault.chance < 1) text += fmt::format(", chance: {}", fault.chance);
  return text + "}";
}

}  // namespace sim::faults
