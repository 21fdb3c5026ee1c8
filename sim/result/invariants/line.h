// A line of the log as an invariant hears it, whichever way it is told.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/event.h"
#include "sim/kernel/event_log.h"

namespace sim::run {

class Quote;

// Valid as long as what is told.
class Line {
 public:
  // `text`: the line, where the log makes its text; else empty.
  explicit Line(const Event& event, std::string_view text = {}) : event_(&event), text_(text) {}
  explicit Line(const PlainEvent& event, std::string_view text = {})
      : plain_(&event), text_(text) {}

  Time at() const { return event_ ? event_->time : plain_->time; }
  std::string_view kind() const { return event_ ? std::string_view(event_->kind) : plain_->kind; }
  // As event_fields.h: empty or 0 where there is none of this name and type.
  std::string_view text(std::string_view name) const;
  std::int64_t whole(std::string_view name) const;
  double number(std::string_view name) const;
  // The field's value; null where there is none.
  Json field(std::string_view name) const;
  // The same of a line that is no plain one; a null of any other.
  const Json& member(std::string_view name) const;
  // As it stands in events.jsonl.
  std::string written() const;

 private:
  const Event* event_ = nullptr;
  const PlainEvent* plain_ = nullptr;
  std::string_view text_;
  friend class Quote;
};

class Listener {
 public:
  virtual ~Listener() = default;
  // The kinds of lines that it must hear; of others it hears nothing.
  virtual std::vector<std::string_view> hears() const { return {}; }
  virtual void hear(const Line&) {}
};

// A line that may have to be shown: kept as it was told, and written only then.
class Quote {
 public:
  Quote() = default;
  explicit Quote(const Line& line);
  // As Line::written(); empty without a line.
  std::string written() const;

 private:
  std::string text_;  // where it was written at once
  Time at_{};
  std::string kind_;
  std::vector<PlainEvent::Field> fields_;  // their texts are in the next
  std::unique_ptr<char[]> texts_;
};

}  // namespace sim::run
