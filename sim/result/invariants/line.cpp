#include "sim/result/invariants/line.h"

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

std::string Line::written() const {
  if (!text_.empty()) return std::string(text_);
  return event_ ? to_line(*event_) : to_line(*plain_);
}

}  // namespace sim::run
