#include "fakes/cloudformation/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "api/json.h"
#include "api/refusal.h"
#include "fakes/cloudformation/types/type.h"

namespace fakes::cloudformation {
namespace {

using sim::Json;
using sim::stacks::Handle;

ApiError wrong_type(std::string_view name, std::string_view expected) {
  return sim::stacks::invalid(
      fmt::format("Value of property {} must be of type {}", name, expected));
}

template <class Number>
Json number_or_text(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return text;
  return number;
}

Json typed_text(const std::string& text, const api::Shape& shape) {
  switch (shape.type) {
    case api::Type::kBoolean:
      if (text == "true" || text == "True") return true;
      if (text == "false" || text == "False") return false;
      return text;
    case api::Type::kInteger:
    case api::Type::kLong:
      return number_or_text<std::int64_t>(text);
    case api::Type::kFloat:
    case api::Type::kDouble:
      return number_or_text<double>(text);
    default:
      return text;
  }
}

Json typed_structure(const Json& value, const api::Shape& shape) {
  Json made = Json::object();
  for (const auto& [name, child] : value.items()) {
    const auto member = std::ranges::find(shape.members, name, &api::Member::name);
    const bool known = member != shape.members.end();
    if (known && member->support == api::Support::kIgnored) continue;
    made[name] = known && member->shape ? typed(child, *member->shape) : child;
  }
  return made;
}

ApiError refused(const api::Refusal& refusal, const Handle& resource) {
  switch (refusal.why) {
    case api::Refusal::Why::kUnknown:
      return sim::stacks::invalid(
          fmt::format("Encountered unsupported property {}", refusal.where));
    case api::Refusal::Why::kUnsupported:
      return not_simulated(resource.type, "The property " + refusal.where);
    case api::Refusal::Why::kMissing:
      return sim::stacks::invalid(fmt::format("Property {} cannot be empty.", refusal.where));
    default:
      return sim::stacks::invalid(fmt::format("Value of property {}: found {}, expected {}",
                                              refusal.where, refusal.found, refusal.expected));
  }
}

}  // namespace

Json typed(const Json& value, const api::Shape& shape) {
  if (value.is_string()) return typed_text(value.get<std::string>(), shape);
  if (shape.type == api::Type::kString && value.is_structured()) return value.dump();
  if (shape.type == api::Type::kStructure && value.is_object())
    return typed_structure(value, shape);
  const bool holds = (shape.type == api::Type::kList && value.is_array()) ||
                     (shape.type == api::Type::kMap && value.is_object());
  if (!holds) return value;
  Json made = value;
  for (Json& child : made) child = typed(child, *shape.element);
  return made;
}

Properties::Properties(const Handle& resource)
    : resource_(&resource), values_(resource.properties) {
  if (!values_.is_object()) values_ = Json::object();
}

Json Properties::take(std::string_view name) {
  const auto found = values_.find(std::string(name));
  if (found == values_.end()) return nullptr;
  Json value = *found;
  values_.erase(found);
  return value;
}

std::optional<std::string> Properties::take_text(std::string_view name) {
  const Json value = take(name);
  if (value.is_null()) return {};
  if (!value.is_string()) throw wrong_type(name, "String");
  return value.get<std::string>();
}

std::optional<std::int64_t> Properties::take_number(std::string_view name) {
  const auto text = take_text(name);
  if (!text) return {};
  const Json number = number_or_text<std::int64_t>(*text);
  if (!number.is_number()) throw wrong_type(name, "Integer");
  return number.get<std::int64_t>();
}

std::optional<bool> Properties::take_flag(std::string_view name) {
  const auto text = take_text(name);
  if (!text) return {};
  if (*text != "true" && *text != "false") throw wrong_type(name, "Boolean");
  return *text == "true";
}

std::string Properties::need_text(std::string_view name) {
  auto text = take_text(name);
  if (!text || text->empty())
    throw sim::stacks::invalid(fmt::format("Property {} cannot be empty.", name));
  return std::move(*text);
}

void Properties::rename(std::string_view from, std::string_view to) {
  if (Json value = take(from); !value.is_null()) set(to, std::move(value));
}

void Properties::set(std::string_view name, Json value) {
  values_[std::string(name)] = std::move(value);
}

void Properties::ignore(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) take(name);
}

void Properties::end() const {
  if (values_.empty()) return;
  throw not_simulated(resource_->type, "The property " + values_.begin().key());
}

Json Properties::take_tags() {
  Json tags = take("Tags");
  if (!tags.is_null() && !tags.is_array()) throw wrong_type("Tags", "List");
  return tags.is_null() ? Json::array() : tags;
}

Json Properties::take_all_tags() {
  Json tags = take_tags();
  for (const auto& [key, value] : own_tags(*resource_))
    tags.push_back(Json{{"Key", key}, {"Value", value}});
  return tags;
}

void Properties::tag_as(std::string_view resource_type) {
  Json specification = {{"ResourceType", resource_type}};
  specification["Tags"] = take_tags();
  if (specification["Tags"].empty()) return;
  set("TagSpecifications", Json::array({specification}));
}

void fill_request(const Handle& resource, const Json& values, const api::Shape& shape,
                  void* object) {
  try {
    api::read_json_value(nlohmann::json(typed(values, shape)), shape, object,
                         api::JsonStyle::kPlain);
  } catch (const api::Refusal& refusal) {
    throw refused(refusal, resource);
  }
}

}  // namespace fakes::cloudformation
