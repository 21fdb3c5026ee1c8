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

// Whether a line has the field: always; where the field is not empty; as null where it is empty;
// not in this line.
enum class Presence { kAlways, kSet, kNull, kNever };

// A field that is an object or a list. It refers to JSON that the writer has, or to a function that
// makes it when the first listener reads it.
class JsonField {
 public:
  JsonField() = default;
  JsonField(const Json& value) : value_(&value) {}
  JsonField(const std::function<const Json&()>& make) : make_(&make) {}

  bool empty() const { return !value_ && !make_; }
  // Null where the field is empty.
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
