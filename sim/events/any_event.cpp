#include "sim/events/any_event.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/kernel/time.h"

namespace sim::events {
namespace {

const Json kNull;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The characters that JSON writes as they are.
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (unsigned char c = ' '; c <= '~'; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

// As dump() writes it.
void append_text(std::string& line, std::string_view text) {
  if (!std::ranges::all_of(text, [](char c) { return kPlain[static_cast<unsigned char>(c)]; })) {
    line += dump(text);
    return;
  }
  line += '"';
  line += text;
  line += '"';
}

void append_json(std::string& line, const Json& json);

void append_object(std::string& line, const Json& json) {
  std::string_view before = "{";
  for (const auto& [name, value] : json.get_ref<const Json::object_t&>()) {
    line += std::exchange(before, ",");
    append_text(line, name);
    line += ':';
    append_json(line, value);
  }
  line += json.empty() ? "{}" : "}";
}

// As dump() writes it. Each call of AWS has an object of texts in the log, which dump() takes
// several times as long for.
void append_json(std::string& line, const Json& json) {
  if (json.is_object()) return append_object(line, json);
  if (const auto* const text = json.get_ptr<const Json::string_t*>())
    return append_text(line, *text);
  line += dump(json);
}

struct Append {
  std::string& line;
  void operator()(std::nullptr_t) const { line += "null"; }
  void operator()(std::string_view text) const { append_text(line, text); }
  void operator()(std::int64_t number) const {
    fmt::format_to(std::back_inserter(line), FMT_COMPILE("{}"), number);
  }
  void operator()(std::uint64_t number) const {
    fmt::format_to(std::back_inserter(line), FMT_COMPILE("{}"), number);
  }
  void operator()(double number) const { line += dump(number); }
  void operator()(bool yes) const { line += yes ? "true" : "false"; }
  void operator()(const JsonField& json) const { append_json(line, json.get()); }
};

class LineSink : public FieldSink {
 public:
  explicit LineSink(std::string& line) : line_(line) {}
  void take(std::string_view name, const Value& value) override {
    line_ += ',';
    append_text(line_, name);
    line_ += ':';
    std::visit(Append{line_}, value);
  }

 private:
  std::string& line_;
};

class ObjectSink : public FieldSink {
 public:
  void take(std::string_view name, const Value& value) override {
    object[std::string(name)] = to_json(value);
  }
  Json object = Json::object();
};

// Keeps the one field of this name.
class FindSink : public FieldSink {
 public:
  explicit FindSink(std::string_view name) : name_(name) {}
  void take(std::string_view name, const Value& value) override {
    if (name == name_) found = value;
  }
  std::optional<Value> found;

 private:
  std::string_view name_;
};

Value value_of(const Json& json) {
  if (json.is_string()) return std::string_view(json.get_ref<const std::string&>());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX)
    return json.get<std::uint64_t>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_null()) return nullptr;
  return JsonField(json);
}

}  // namespace

const Json& JsonField::get() const { return value_ ? *value_ : make_ ? (*make_)() : kNull; }

std::string to_text(const Value& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  std::string made;
  std::visit(Append{made}, value);
  return made;
}

Json to_json(const Value& value) {
  return std::visit(
      [](const auto& typed) -> Json {
        if constexpr (std::is_same_v<decltype(typed), const JsonField&>)
          return typed.get();
        else
          return typed;
      },
      value);
}

void AnyEvent::each_field(FieldSink& sink) const {
  if (!read_from_) return fields_(event_, sink);
  for (const auto& [name, value] : read_from_->items()) sink.take(name, value_of(value));
}

std::string AnyEvent::text(std::string_view field) const {
  FindSink sink(field);
  each_field(sink);
  return sink.found ? to_text(*sink.found) : "";
}

Json AnyEvent::field(std::string_view name) const {
  FindSink sink(name);
  each_field(sink);
  return sink.found ? to_json(*sink.found) : Json();
}

Json AnyEvent::fields() const {
  if (read_from_) return *read_from_;
  ObjectSink sink;
  each_field(sink);
  return std::move(sink.object);
}

std::string to_line(const AnyEvent& event) {
  std::string line;
  line.reserve(256);
  line += R"({"time":")";
  line += iso_nanoseconds(event.time());
  line += R"(","event":)";
  append_text(line, event.name());
  LineSink sink(line);
  event.each_field(sink);
  line += '}';
  return line;
}

}  // namespace sim::events
