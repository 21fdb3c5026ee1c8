#include "base/json_fields.h"

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

std::string one_of(const std::vector<std::string>& words) { return "one of " + joined(words); }

}  // namespace

JsonFields::JsonFields(Json object, Refuse refuse, std::string pointer)
    : object_(std::move(object)), refuse_(std::move(refuse)), pointer_(std::move(pointer)) {
  if (!object_.is_object()) refuse_(pointer_, shown(object_), "an object");
}

void JsonFields::fail(const std::string& name, const std::string& found,
                      const std::string& expected) const {
  refuse_(pointer_ + "/" + escaped(name), found, expected);
  std::abort();  // it has thrown
}

void JsonFields::fail(const std::string& name, const std::string& expected) const {
  const auto found = object_.find(name);
  fail(name, found == object_.end() ? "nothing" : shown(*found), expected);
}

const Json* JsonFields::find(const std::string& name) {
  read_.insert(name);
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

std::optional<std::string> JsonFields::text(const std::string& name, const std::string& expected) {
  const Json* const value = find(name);
  if (!value) return {};
  if (!is_text(*value)) fail(name, expected);
  return value->get<std::string>();
}

std::optional<std::string> JsonFields::choice(const std::string& name,
                                              const std::vector<std::string>& words) {
  auto word = text(name, one_of(words));
  if (word && std::ranges::find(words, *word) == words.end()) fail(name, one_of(words));
  return word;
}

std::optional<int> JsonFields::integer(const std::string& name, int low, int high) {
  const Json* const value = find(name);
  if (!value) return {};
  if (!is_whole(*value, low, high)) fail(name, whole_number(low, high));
  return value->get<int>();
}

std::optional<bool> JsonFields::flag(const std::string& name) {
  const Json* const value = find(name);
  if (!value) return {};
  if (!value->is_boolean()) fail(name, "true or false");
  return value->get<bool>();
}

std::optional<JsonFields> JsonFields::object(const std::string& name) {
  const Json* const value = find(name);
  if (!value) return {};
  return JsonFields(*value, refuse_, pointer_ + "/" + escaped(name));
}

std::vector<std::string> JsonFields::texts(const std::string& name, const std::string& expected) {
  const Json* const value = find(name);
  if (!value) return {};
  if (!value->is_array()) fail(name, "a list, each item " + expected);
  std::vector<std::string> items;
  for (const Json& item : *value) {
    if (!is_text(item))
      refuse_(pointer_ + "/" + escaped(name) + "/" + std::to_string(items.size()), shown(item),
              expected);
    items.push_back(item.get<std::string>());
  }
  return items;
}

std::vector<JsonFields> JsonFields::objects(const std::string& name) {
  const Json* const value = find(name);
  if (!value) return {};
  if (!value->is_array()) fail(name, "a list of objects");
  std::vector<JsonFields> items;
  for (const Json& item : *value)
    items.emplace_back(item, refuse_,
                       pointer_ + "/" + escaped(name) + "/" + std::to_string(items.size()));
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
  for (const auto& [name, value] : object_.items()) all.push_back(name);
  return all;
}

std::string JsonFields::asked() const { return joined(read_); }

std::optional<std::string> JsonFields::unread() const {
  for (const auto& [name, value] : object_.items())
    if (!read_.contains(name)) return name;
  return {};
}

void JsonFields::finish() const {
  if (const auto name = unread()) fail(*name, "an unknown key", "one of " + asked());
}

}  // namespace base
