#include <optional>

#include "sim/cli/schema/schemas.h"

namespace sim::cli {
namespace {

constexpr std::string_view kRequired = "required";

bool has_word(const Json& types, std::string_view type) {
  if (types.is_string()) return types.get<std::string_view>() == type;
  for (const Json& one : types)
    if (one.get<std::string_view>() == type) return true;
  return false;
}

// The default as a value of the key's type. Empty if the default is a text for readers.
std::optional<Json> default_value(const Json& node, const std::string& text) {
  if (node.contains("enum")) {
    for (const Json& word : node["enum"])
      if (word == text) return word;
    return {};
  }
  if (node.value("$ref", "").ends_with("/duration") && text.find(' ') == std::string::npos &&
      text.find('`') == std::string::npos)
    return text;
  if (!node.contains("type")) return {};
  const Json value = Json::parse(text, nullptr, false);
  if (value.is_boolean() && has_word(node["type"], "boolean")) return value;
  if (value.is_number_integer() && has_word(node["type"], "integer")) return value;
  if (value.is_number() && has_word(node["type"], "number")) return value;
  return {};
}

void complete_default(Json& node) {
  const auto found = node.find("default");
  if (found == node.end() || !found->is_string()) return;
  const std::string text = found->get<std::string>();
  if (const auto value = default_value(node, text)) {
    *found = *value;
    return;
  }
  node.erase("default");
  if (text != kRequired && node.contains("description"))
    node["description"] = node["description"].get<std::string>() + ". Default: " + text;
}

Json required_keys(const Json& node) {
  Json keys = Json::array();
  for (const auto& [key, property] : node["properties"].items())
    if (property.is_object() && property.value("default", Json()) == kRequired) keys.push_back(key);
  return keys;
}

// A scenario that is based on another one may lack every key, and may replace values in mappings.
void require(Json& node, const Json& keys) {
  if (keys.empty()) return;
  if (node["properties"].contains("based_on")) {
    node["if"] = {{"required", Json::array({"based_on"})}};
    node["else"] = {{"required", keys}, {"propertyNames", {{"pattern", "^[^.]*$"}}}};
  } else {
    node["required"] = keys;
  }
}

void complete_node(Json& node) {
  if (node.is_array()) {
    for (Json& item : node) complete_node(item);
    return;
  }
  if (!node.is_object()) return;
  if (node.contains("properties") && node["properties"].is_object())
    require(node, required_keys(node));
  complete_default(node);
  for (auto& [key, below] : node.items())
    if (key != "default" && key != "enum") complete_node(below);
}

}  // namespace

void complete_schema(Json& schema) { complete_node(schema); }

}  // namespace sim::cli
