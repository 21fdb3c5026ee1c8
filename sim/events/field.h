// What the fields of events are made of.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <variant>

namespace sim {

using Json = nlohmann::ordered_json;

namespace events {

// When a line has the field: always; if the value is not empty; always, as null if it is empty;
// never.
enum class Presence { kAlways, kSet, kNull, kNever };

// A field with an object or a list. It refers to the writer's JSON, or to a function that makes it
// when the first listener reads it.
class JsonField {
 public:
  JsonField() = default;
  JsonField(const Json& value) : value_(&value) {}
  JsonField(const std::function<const Json&()>& make) : make_(&make) {}

  bool empty() const { return !value_ && !make_; }
  // Null if the field is empty.
  const Json& get() const;

 private:
  const Json* value_ = nullptr;
  const std::function<const Json&()>* make_ = nullptr;
};

// A field of any type; texts and JSON are valid as long as the event.
using Value = std::variant<std::nullptr_t, std::string_view, std::int64_t, std::uint64_t, double,
                           bool, JsonField>;
// The value as in a line, but a text without its quotes.
std::string to_text(const Value& value);
Json to_json(const Value& value);

}  // namespace events
}  // namespace sim
