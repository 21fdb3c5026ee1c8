#include "sim/result/invariants/line.h"

#include <algorithm>

#include "sim/result/event_fields.h"

namespace sim::run {

std::string_view Line::text(std::string_view name) const {
  return event_ ? run::text(*event_, name) : run::text(*plain_, name);
}

std::int64_t Line::whole(std::string_view name) const {
  return event_ ? run::whole(*event_, name) : run::whole(*plain_, name);
}

double Line::number(std::string_view name) const {
  return event_ ? run::number(*event_, name) : run::number(*plain_, name);
}

Json Line::field(std::string_view name) const {
  const auto of = [name](const Event& event) {
    const auto at = event.fields.find(name);
    return at == event.fields.end() ? Json() : *at;
  };
  return event_ ? of(*event_) : of(to_event(*plain_));
}

const Json& Line::member(std::string_view name) const {
  static const Json kNone;
  if (!event_) return kNone;
  const auto at = event_->fields.find(name);
  return at == event_->fields.end() ? kNone : *at;
}

std::string Line::written() const {
  if (!text_.empty()) return std::string(text_);
  return event_ ? to_line(*event_) : to_line(*plain_);
}

Quote::Quote(const Line& line) {
  if (line.event_ || line.plain_->more || !line.text_.empty()) {
    text_ = line.written();
    return;
  }
  at_ = line.at();
  kind_ = line.kind();
  fields_ = line.plain_->fields;
  std::size_t size = 0;
  const auto each = [this](const auto& of) {
    for (PlainEvent::Field& field : fields_) {
      of(field.name);
      if (auto* const value = std::get_if<std::string_view>(&field.value)) of(*value);
    }
  };
  each([&](const std::string_view& text) { size += text.size(); });
  texts_ = std::make_unique_for_overwrite<char[]>(size);
  char* end = texts_.get();
  each([&](std::string_view& text) {
    char* const begin = end;
    end = std::ranges::copy(text, begin).out;
    text = {begin, text.size()};
  });
}

std::string Quote::written() const {
  if (!text_.empty() || kind_.empty()) return text_;
  Event event{at_, kind_, Json::object()};
  for (const PlainEvent::Field& field : fields_)
    std::visit([&](const auto& value) { event.fields[std::string(field.name)] = value; },
               field.value);
  return to_line(event);
}

}  // namespace sim::run
