// The invariants that a scenario states itself.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "sim/events/event.h"
#include "sim/events/read.h"
#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

// The field's value as in events.jsonl, without quotes. Empty if the event has no such field.
std::optional<std::string> value_of(const events::AnyEvent& event, std::string_view name) {
  Json value = event.field(name);
  if (const auto dot = name.find('.'); value.is_null() && dot != std::string_view::npos) {
    const Json object = event.field(name.substr(0, dot));
    if (object.is_object()) value = object.value(std::string(name.substr(dot + 1)), Json());
  }
  if (value.is_null()) return {};
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool has(const events::AnyEvent& event, const std::pair<std::string, std::string>& wanted) {
  const auto found = value_of(event, wanted.first);
  const std::string& value = wanted.second;
  if (!found || !value.ends_with('*')) return found == value;
  return found->starts_with(std::string_view(value).substr(0, value.size() - 1));
}

bool fits(const events::AnyEvent& event, const EventPattern& pattern) {
  return event.name() == pattern.event &&
         std::ranges::all_of(pattern.fields, [&](const auto& field) { return has(event, field); });
}

std::string in_words(const EventPattern& pattern) {
  std::string text;
  for (const auto& [name, value] : pattern.fields)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, value);
  return pattern.event + (text.empty() ? "" : " {" + text + "}");
}

class AtMost : public Invariant {
 public:
  explicit AtMost(const OwnInvariant& own) : Invariant(own.name, sentence(own)), own_(own) {}

  void listen(events::Listeners& log) override {
    log.on_kind(events::find_kind(own_.of.event),
                [this](const events::AnyEvent& event, std::string_view) { look(event); });
  }

 private:
  void look(const events::AnyEvent& event) {
    if (is_broken() || !fits(event, own_.of)) return;
    lines_.push_back(to_line(event));
    if (lines_.size() > kMostLines) lines_.pop_front();
    if (++count_ > own_.at_most)
      broken(event.time(), fmt::format("{} by {}", count_, iso_seconds(event.time())),
             {lines_.begin(), lines_.end()});
  }

  static std::string sentence(const OwnInvariant& own) {
    return own.at_most == 0
               ? fmt::format("{}: never {}", own.name, in_words(own.of))
               : fmt::format("{}: at most {} of {}", own.name, own.at_most, in_words(own.of));
  }

  OwnInvariant own_;
  std::int64_t count_ = 0;
  std::deque<std::string> lines_;
};

class ComesWithin : public Invariant {
 public:
  explicit ComesWithin(const OwnInvariant& own)
      : Invariant(own.name,
                  fmt::format("{}: within {} after {} comes {}", own.name,
                              format_duration(own.within), in_words(own.of), in_words(*own.comes))),
        own_(own) {}

  void listen(events::Listeners& log) override {
    const auto of = events::find_kind(own_.of.event), comes = events::find_kind(own_.comes->event);
    for (const events::Kind kind : std::set{of, comes})
      log.on_kind(kind, [this](const events::AnyEvent& event, std::string_view) { hear(event); });
  }

  void end(const History& history, const Result&) override { look(history.end); }

 private:
  using Values = std::vector<std::optional<std::string>>;
  struct Open {
    Time at;
    Values same;
    std::string line;
  };

  void hear(const events::AnyEvent& event) {
    if (is_broken()) return;
    look(event.time());
    if (fits(event, *own_.comes))
      std::erase_if(open_, [same = values_of(event)](const Open& o) { return o.same == same; });
    if (fits(event, own_.of)) open_.push_back({event.time(), values_of(event), to_line(event)});
  }

  Values values_of(const events::AnyEvent& event) const {
    Values values;
    for (const std::string& name : own_.same) values.push_back(value_of(event, name));
    return values;
  }

  // Drops the waits that `now` has passed. They are in the order of time.
  void look(Time now) {
    if (open_.empty() || now <= open_.front().at + own_.within) return;
    const Open& first = open_.front();
    broken(first.at + own_.within, fmt::format("none by {}", iso_seconds(first.at + own_.within)),
           {first.line});
  }

  OwnInvariant own_;
  std::vector<Open> open_;
};

}  // namespace

std::unique_ptr<Invariant> own_invariant(const OwnInvariant& own) {
  if (own.comes) return std::make_unique<ComesWithin>(own);
  return std::make_unique<AtMost>(own);
}

}  // namespace sim::result
