#include "base/json/json_fields.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace base {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 60;

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kMostShown) text = text.substr(0, kMostShown) + "…";
  return text;
}

// A member's name in a JSON pointer (RFC 6901 section 3).
std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

bool is_text(const Json& value) {
  return value.is_string() && !value.get_ref<const std::string&>().empty() &&
         value.get_ref<const std::string&>().find('\0') == std::string::npos;
}

bool is_whole(const Json& value, int low, int high) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(high)) return false;
  return value.is_number_integer() && value.get<std::int64_t>() >= low &&
         value.get<std::int64_t>() <= high;
}

std::string whole_number(int low, int high) {
  return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
}

std::string joined(const auto& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string one_of(const auto& words) { return "one of " + joined(words); }

}  // namespace

JsonValue::JsonValue(Json json, Refuse refuse, std::string pointer)
    : json_(std::move(json)), refuse_(std::move(refuse)), pointer_(std::move(pointer)) {}

std::string JsonValue::pointer_to(const std::string& name) const {
  return pointer_ + "/" + escaped(name);
}

void JsonValue::fail(const std::string& expected) const {
  refuse_(pointer_, shown(json_), expected);
  std::abort();  // it has thrown
}

std::vector<JsonValue::Member> JsonValue::members() const {
  std::vector<Member> all;
  for (const auto& [name, value] : json_.items()) all.push_back({name});
  return all;
}

std::optional<JsonValue> JsonValue::find(const std::string& name) const {
  const auto found = json_.find(name);
  if (found == json_.end()) return {};
  return JsonValue(*found, refuse_, pointer_to(name));
}

void JsonValue::refuse_missing(const std::string& name, const std::string& expected) const {
  refuse_(pointer_to(name), "nothing", expected);
}

void JsonValue::refuse_unknown(const Member& member, const FieldNames& names) const {
  refuse_(pointer_to(*member.name), "an unknown key", one_of(names.all()));
}

JsonFields::JsonFields(Json object, Refuse refuse, std::string pointer)
    : JsonFields(JsonValue(std::move(object), std::move(refuse), std::move(pointer))) {}

void JsonFields::fail(const std::string& name, const std::string& found,
                      const std::string& expected) const {
  const JsonValue& object = fields_.value();
  object.refuse()(object.pointer_to(name), found, expected);
  std::abort();  // it has thrown
}

void JsonFields::fail(const std::string& name, const std::string& expected) const {
  const auto found = fields_.value().find(name);
  if (found) found->fail(expected);
  fail(name, "nothing", expected);
}

std::optional<std::string> JsonFields::text(const std::string& name, const std::string& expected) {
  const auto value = fields_.take(name);
  if (!value) return {};
  if (!is_text(value->json())) value->fail(expected);
  return value->json().get<std::string>();
}

std::optional<std::string> JsonFields::choice(const std::string& name,
                                              const std::vector<std::string>& words) {
  auto word = text(name, one_of(words));
  if (word && std::ranges::find(words, *word) == words.end()) fail(name, one_of(words));
  return word;
}

std::optional<int> JsonFields::integer(const std::string& name, int low, int high) {
  const auto value = fields_.take(name);
  if (!value) return {};
  if (!is_whole(value->json(), low, high)) value->fail(whole_number(low, high));
  return value->json().get<int>();
}

std::optional<bool> JsonFields::flag(const std::string& name) {
  const auto value = fields_.take(name);
  if (!value) return {};
  if (!value->json().is_boolean()) value->fail("true or false");
  return value->json().get<bool>();
}

std::optional<JsonFields> JsonFields::object(const std::string& name) {
  auto value = fields_.take(name);
  if (!value) return {};
  return JsonFields(std::move(*value));
}

std::vector<std::string> JsonFields::texts(const std::string& name, const std::string& expected) {
  const auto value = fields_.take(name);
  if (!value) return {};
  if (!value->json().is_array()) value->fail("a list, each item " + expected);
  std::vector<std::string> items;
  for (const Json& item : value->json()) {
    if (!is_text(item))
      value->refuse()(value->pointer_to(std::to_string(items.size())), shown(item), expected);
    items.push_back(item.get<std::string>());
  }
  return items;
}

std::vector<JsonFields> JsonFields::objects(const std::string& name) {
  const auto value = fields_.take(name);
  if (!value) return {};
  if (!value->json().is_array()) value->fail("a list of objects");
  std::vector<JsonFields> items;
  for (const Json& item : value->json())
    items.emplace_back(item, value->refuse(), value->pointer_to(std::to_string(items.size())));
  return items;
}

std::string JsonFields::required_text(const std::string& name, const std::string& expected) {
  if (auto value = text(name, expected)) return *value;
  fail(name, expected);
}

std::string JsonFields::required_choice(const std::string& name,
                                        const std::vector<std::string>& words) {
  if (auto value = choice(name, words)) return *value;
  fail(name, one_of(words));
}

int JsonFields::required_integer(const std::string& name, int low, int high) {
  if (const auto value = integer(name, low, high)) return *value;
  fail(name, whole_number(low, high));
}

JsonFields JsonFields::required_object(const std::string& name) {
  if (auto value = object(name)) return *value;
  fail(name, "an object");
}

std::vector<std::string> JsonFields::names() const {
  std::vector<std::string> all;
  for (const JsonValue::Member& member : fields_.value().members()) all.push_back(*member.name);
  return all;
}

std::string JsonFields::asked() const { return joined(fields_.names().all()); }

}  // namespace base
