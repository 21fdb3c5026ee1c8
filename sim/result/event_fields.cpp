#include "sim/result/event_fields.h"

#include <algorithm>

namespace sim::run {
namespace {

// Null: there is none of this name and type.
template <class Value>
const Value* field(const PlainEvent& event, std::string_view name) {
  // Literals of one text are mostly one.
  const auto named = [name](const PlainEvent::Field& f) {
    return f.name.size() == name.size() && (f.name.data() == name.data() || f.name == name);
  };
  const auto at = std::ranges::find_if(event.fields, named);
  return at == event.fields.end() ? nullptr : std::get_if<Value>(&at->value);
}

}  // namespace

std::string_view text(const Event& event, std::string_view name) {
  const auto at = event.fields.find(name);
  if (at == event.fields.end() || !at->is_string()) return {};
  return at->get_ref<const std::string&>();
}
std::string_view text(const PlainEvent& event, std::string_view name) {
  const auto* const value = field<std::string_view>(event, name);
  return value ? *value : std::string_view();
}

std::int64_t whole(const Event& event, std::string_view name) {
  const auto at = event.fields.find(name);
  return at != event.fields.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
}
std::int64_t whole(const PlainEvent& event, std::string_view name) {
  const auto* const value = field<std::int64_t>(event, name);
  return value ? *value : 0;
}

double number(const Event& event, std::string_view name) {
  const auto at = event.fields.find(name);
  return at != event.fields.end() && at->is_number() ? at->get<double>() : 0;
}
double number(const PlainEvent& event, std::string_view name) {
  if (const auto* const value = field<double>(event, name)) return *value;
  return static_cast<double>(whole(event, name));
}

}  // namespace sim::run
