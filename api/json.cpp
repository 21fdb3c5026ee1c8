#include "api/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "api/refusal.h"
#include "api/scalar.h"
#include "api/value.h"

namespace api {
namespace {

using Why = Refusal::Why;

std::string_view json_name(const Member& member, JsonStyle style) {
  return style == JsonStyle::kPlain ? member.name : member.in;
}

bool is_in_json(const Member& member, JsonStyle style) {
  return style == JsonStyle::kPlain || member.location == Location::kBody;
}

void append_json_string(std::string& out, const std::string& text) {
  const bool is_plain = std::ranges::all_of(
      text, [](char c) { return c >= 0x20 && c <= 0x7e && c != '"' && c != '\\'; });
  if (is_plain) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

class JsonWriter {
 public:
  JsonWriter(std::string& out, JsonStyle style) : out_(out), style_(style) {}

  void value(const Shape& shape, const void* value, TimeFormat time) {
    switch (shape.type) {
      case Type::kStructure:
        structure(shape, value);
        return;
      case Type::kList:
        list(shape, value);
        return;
      case Type::kMap:
        map(shape, value);
        return;
      case Type::kString:
        append_json_string(out_, *static_cast<const std::string*>(value));
        return;
      case Type::kTimestamp:
        if (style_ == JsonStyle::kPlain) time = TimeFormat::kIso8601;
        quoted_scalar(shape.type, value, time, time == TimeFormat::kUnix ? "" : "\"");
        return;
      case Type::kBlob:
        quoted_scalar(shape.type, value, time, "\"");
        return;
      case Type::kFloat:
      case Type::kDouble:
        if (!std::isfinite(*static_cast<const double*>(value))) {
          out_ += "null";
          return;
        }
        [[fallthrough]];
      default:
        append_scalar(out_, shape.type, value, time);
    }
  }

 private:
  void quoted_scalar(Type type, const void* value, TimeFormat time, std::string_view quote) {
    out_ += quote;
    append_scalar(out_, type, value, time);
    out_ += quote;
  }
  void comma(bool& first) {
    if (!first) out_ += ',';
    first = false;
  }
  void structure(const Shape& shape, const void* object) {
    bool first = true;
    out_ += '{';
    for (const Member& member : shape.members) {
      const void* const value = is_in_json(member, style_) ? get(member, object) : nullptr;
      if (value == nullptr) continue;
      comma(first);
      fmt::format_to(std::back_inserter(out_), "\"{}\":", json_name(member, style_));
      this->value(*member.shape, value, member.time);
    }
    out_ += '}';
  }
  void list(const Shape& shape, const void* value) {
    bool first = true;
    out_ += '[';
    each_element(shape, value, [&](const void* element) {
      comma(first);
      this->value(*shape.element, element, shape.element->time);
    });
    out_ += ']';
  }
  void map(const Shape& shape, const void* value) {
    bool first = true;
    out_ += '{';
    each_entry(shape, value, [&](const std::string& key, const void* entry) {
      comma(first);
      append_json_string(out_, key);
      out_ += ':';
      this->value(*shape.element, entry, shape.element->time);
    });
    out_ += '}';
  }

  std::string& out_;
  const JsonStyle style_;
};

// Receives the events of nlohmann's parser (its SAX interface), which does not recurse. A value is
// stored in the place that the innermost open structure, list or map expects.
class JsonReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonReader(const Shape& structure, void* object, JsonStyle style)
      : structure_(structure), object_(object), style_(style) {}

  bool null() override {
    if (passing_ > 0) return true;
    if (open_.empty()) no_structure();
    Open& in = open_.back();
    ++in.count;
    // A null member of a structure counts as missing, and so does any other null in a response.
    if (in.shape->type == Type::kStructure || style_ == JsonStyle::kResponse) return true;
    wrong("null", expected_of(*in.shape->element));
  }
  bool boolean(bool value) override { return scalar({Type::kBoolean}, value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return number(fmt::format("{}", value)); }
  bool number_unsigned(number_unsigned_t value) override {
    return number(fmt::format("{}", value));
  }
  bool number_float(number_float_t, const string_t& text) override { return number(text); }
  bool string(string_t& text) override {
    return scalar({Type::kString, Type::kBlob, Type::kTimestamp}, text);
  }
  bool binary(binary_t&) override { return false; }  // JSON has none

  bool start_object(std::size_t) override {
    if (!open_.empty() || passing_ > 0) return start({Type::kStructure, Type::kMap}, "{");
    open_.push_back({&structure_, object_});
    return true;
  }
  bool start_array(std::size_t) override { return start({Type::kList}, "["); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }

  bool key(string_t& name) override {
    if (passing_ > 0) return true;
    Open& in = open_.back();
    in.key = name;
    if (in.shape->type == Type::kStructure) in.member = find(*in.shape, in.next, name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& e) override {
    throw Refusal(Why::kMalformed, "", "", e.what());
  }

 private:
  struct Open {
    const Shape* shape;
    void* value;
    std::string key = {};            // of the member or entry that is being read
    const Member* member = nullptr;  // of a structure; null: the value is ignored
    std::size_t next = 0;            // probable index of the next member
    std::size_t count = 0;           // number of a list's elements so far
  };
  struct Target {
    const Shape* shape;
    void* value;
  };

  // The path to the current value: names of members, keys, and list indexes from 1.
  std::string path() const {
    std::string out;
    for (const Open& in : open_) {
      if (!out.empty()) out += '.';
      out += in.shape->type == Type::kList ? fmt::format("{}", in.count) : in.key;
    }
    return out;
  }
  static const char* expected_of(const Shape& shape) {
    switch (shape.type) {
      case Type::kStructure:
      case Type::kMap:
        return "an object";
      case Type::kList:
        return "a list";
      case Type::kString:
        return "a string";
      case Type::kBlob:
        return "base64";
      case Type::kBoolean:
        return "true or false";
      case Type::kTimestamp:
        return "a time";
      case Type::kInteger:
        return "an integer";
      case Type::kLong:
        return "a long integer";
      default:
        return "a number";
    }
  }
  [[noreturn]] void wrong(std::string_view found, const char* expected) const {
    throw Refusal(Why::kType, path(), std::string(found), expected);
  }
  [[noreturn]] static void no_structure() {
    throw Refusal(Why::kMalformed, "", "", "The body is no JSON object.");
  }

  // Searches from index `next` on, and then from the start, because members mostly come in the
  // model's order.
  const Member* find(const Shape& shape, std::size_t& next, std::string_view name) const {
    const auto count = shape.members.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = (next + i) % count;
      const Member& member = shape.members[at];
      if (!is_in_json(member, style_) || json_name(member, style_) != name) continue;
      next = at + 1;
      return passed_over(member) ? nullptr : &member;
    }
    if (style_ == JsonStyle::kResponse) return nullptr;
    throw Refusal(Why::kUnknown, path(), std::string(name), names_in(shape));
  }
  // The names of the members that a request may have, for the message about an unknown one.
  std::string names_in(const Shape& shape) const {
    std::string names;
    for (const Member& member : shape.members)
      if (is_in_json(member, style_) && !refused(member))
        fmt::format_to(std::back_inserter(names), "{}{}", names.empty() ? "" : ", ",
                       json_name(member, style_));
    return names;
  }
  bool passed_over(const Member& member) const {
    const bool is_absent = (member.flags & flags::kAbsent) != 0;
    return style_ == JsonStyle::kResponse  ? is_absent
           : style_ == JsonStyle::kRequest ? member.support == Support::kIgnored
                                           : false;
  }
  bool refused(const Member& member) const {
    const bool is_absent = (member.flags & flags::kAbsent) != 0;
    return style_ == JsonStyle::kRequest ? member.support == Support::kRefused
                                         : style_ == JsonStyle::kPlain && is_absent;
  }

  // The place of the next value. Empty if the value is ignored. `types` are the types that the text
  // can be read as.
  std::optional<Target> target(std::initializer_list<Type> types, std::string_view found) {
    if (passing_ > 0) return {};
    if (open_.empty()) no_structure();
    Open& in = open_.back();
    if (in.shape->type == Type::kStructure && in.member == nullptr) return {};
    if (in.shape->type == Type::kStructure && refused(*in.member))
      throw Refusal(Why::kUnsupported, path());
    ++in.count;
    const Shape& shape = in.member != nullptr ? *in.member->shape : *in.shape->element;
    if (std::ranges::find(types, shape.type) == types.end()) wrong(found, expected_of(shape));
    if (in.shape->type == Type::kList) return Target{&shape, in.shape->list->add(in.value)};
    if (in.shape->type == Type::kMap) return Target{&shape, in.shape->map->add(in.value, in.key)};
    if (get(*in.member, in.value) != nullptr)
      throw Refusal(Why::kMalformed, "", "", fmt::format("{} is given more than once.", path()));
    return Target{&shape, make(*in.member, in.value)};
  }
  bool number(std::string_view text) {
    return scalar({Type::kInteger, Type::kLong, Type::kFloat, Type::kDouble, Type::kTimestamp},
                  text);
  }
  bool scalar(std::initializer_list<Type> types, std::string_view text) {
    const auto to = target(types, text);
    if (!to) return true;
    try {
      read_scalar(to->shape->type, text, to->value, "");
    } catch (const Refusal& refusal) {  // adds the place, which the refusal does not have yet
      wrong(text, refusal.expected.c_str());
    }
    return true;
  }
  bool start(std::initializer_list<Type> types, std::string_view found) {
    std::size_t depth = open_.size() + passing_;
    const Nesting one_more(depth);
    if (const auto to = target(types, found)) {
      open_.push_back({to->shape, to->value});
    } else {
      ++passing_;
    }
    return true;
  }
  bool end() {
    if (passing_ > 0) {
      --passing_;
    } else {
      open_.pop_back();
    }
    return true;
  }

  const Shape& structure_;
  void* const object_;
  const JsonStyle style_;
  std::vector<Open> open_;
  std::size_t passing_ = 0;  // the depth inside an ignored value
};

// Sends a reader the events that the parser would send for the value's text.
void tell(const nlohmann::json& json, JsonReader& reader) {
  switch (json.type()) {
    case nlohmann::json::value_t::null:
      reader.null();
      return;
    case nlohmann::json::value_t::boolean:
      reader.boolean(json.get<bool>());
      return;
    case nlohmann::json::value_t::number_integer:
      reader.number_integer(json.get<std::int64_t>());
      return;
    case nlohmann::json::value_t::number_unsigned:
      reader.number_unsigned(json.get<std::uint64_t>());
      return;
    case nlohmann::json::value_t::string: {
      auto text = json.get<std::string>();
      reader.string(text);
      return;
    }
    case nlohmann::json::value_t::object:
      reader.start_object(json.size());
      for (const auto& [name, value] : json.items()) {
        std::string key = name;
        reader.key(key);
        tell(value, reader);
      }
      reader.end_object();
      return;
    case nlohmann::json::value_t::array:
      reader.start_array(json.size());
      for (const auto& value : json) tell(value, reader);
      reader.end_array();
      return;
    default:
      reader.number_float(0, json.dump());
  }
}

}  // namespace

void append_json(std::string& out, const Shape& shape, const void* value, JsonStyle style) {
  JsonWriter(out, style).value(shape, value, shape.time);
}

void read_json(std::string_view text, const Shape& structure, void* object, JsonStyle style) {
  JsonReader reader(structure, object, style);
  nlohmann::json::sax_parse(text, &reader);
}

void read_json_value(const nlohmann::json& json, const Shape& structure, void* object,
                     JsonStyle style) {
  JsonReader reader(structure, object, style);
  tell(json, reader);
}

}  // namespace api
