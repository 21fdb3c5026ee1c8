#include "sim/messaging/target_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"

namespace sim::messaging {
namespace {

using cloud::ApiError;

constexpr std::string_view kReserved = "aws.events.";

// Finds the value at a path such as "$.detail.ids[0]"; null if there is none.
const Json* at_path(const Json& event, std::string_view path) {
  const Json* here = &event;
  path.remove_prefix(1);  // "$"
  while (!path.empty() && here != nullptr) {
    const char kind = path[0];
    const auto end = kind == '[' ? path.find(']') : path.find_first_of(".[", 1);
    const std::string part(path.substr(1, end == path.npos ? end : end - 1));
    path.remove_prefix(std::min(path.size(), kind == '[' && end != path.npos ? end + 1 : end));
    if (kind == '[') {
      const auto place = static_cast<std::size_t>(std::strtoul(part.c_str(), nullptr, 10));
      here = here->is_array() && place < here->size() ? &(*here)[place] : nullptr;
    } else {
      const auto found = here->is_object() ? here->find(part) : here->end();
      here = here->is_object() && found != here->end() ? &*found : nullptr;
    }
  }
  return here;
}

bool is_path(std::string_view path) {
  return path.starts_with('$') && (path.size() == 1 || path[1] == '.' || path[1] == '[');
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The value of a variable: JSON, or within quotes its text.
std::string value_of(const std::string& variable, bool quoted, const InputTransformer& transformer,
                     const Json& event, const RuleNames& rule) {
  if (variable == "aws.events.event" || variable == "aws.events.event.json") return dumped(event);
  Json value;
  if (variable == "aws.events.rule-arn") value = rule.arn;
  if (variable == "aws.events.rule-name") value = rule.name;
  if (variable == "aws.events.event.ingestion-time") value = event.value("time", "");
  if (const auto path = transformer.paths.find(variable); path != transformer.paths.end())
    if (const Json* const found = at_path(event, path->second)) value = *found;
  if (value.is_null()) return "";
  if (!quoted) return dumped(value);
  const std::string text = value.is_string() ? dumped(value) : dumped(Json(dumped(value)));
  return text.substr(1, text.size() - 2);  // within quotes it stays escaped
}

// Splits a template: calls `plain` with texts, and `variable` with names and whether they are
// within quotes.
template <class Plain, class Variable>
void each_part(std::string_view text, Plain plain, Variable variable) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto end = text[i] == '<' ? text.find('>', i) : text.npos;
    if (end != text.npos) {
      variable(std::string(text.substr(i + 1, end - i - 1)), quoted);
      i = end;
      continue;
    }
    if (text[i] == '\\' && i + 1 < text.size()) {
      plain(text.substr(i, 2));
      ++i;
      continue;
    }
    if (text[i] == '"') quoted = !quoted;
    plain(text.substr(i, 1));
  }
}

}  // namespace

void check(const TargetInput& input, const std::string& target_id) {
  const auto bad = [&](const std::string& why) {
    return ApiError("ValidationException", fmt::format("{} for target {}.", why, target_id));
  };
  const int given = int{input.constant.has_value()} + int{input.path.has_value()} +
                    int{input.transformer.has_value()};
  if (given > 1) throw bad("Only one of Input, InputPath, or InputTransformer must be provided");
  if (input.constant && !Json::accept(*input.constant)) throw bad("JSON syntax error in Input");
  if (input.path && !is_path(*input.path)) throw bad("Invalid InputPath");
  if (!input.transformer) return;
  for (const auto& [name, path] : input.transformer->paths)
    if (!is_path(path)) throw bad("InputPath for variable " + name + " is invalid");
  each_part(
      input.transformer->text, [](std::string_view) {},
      [&](const std::string& variable, bool) {
        if (!variable.starts_with(kReserved) && !input.transformer->paths.contains(variable))
          throw bad("InputTemplate has undefined variable " + variable);
      });
}

std::string input_for(const TargetInput& input, const Json& event, const RuleNames& rule) {
  if (input.constant) return *input.constant;
  if (input.path) {
    const Json* const found = at_path(event, *input.path);
    return found ? dumped(*found) : "";
  }
  if (!input.transformer) return dumped(event);
  std::string out;
  each_part(
      input.transformer->text, [&](std::string_view part) { out += part; },
      [&](const std::string& variable, bool quoted) {
        out += value_of(variable, quoted, *input.transformer, event, rule);
      });
  return out;
}

}  // namespace sim::messaging
