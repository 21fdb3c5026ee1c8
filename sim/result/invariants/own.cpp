// The invariants that a scenario states itself.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

// As events.jsonl has it, without quotes; empty: there is no such field.
std::optional<std::string> value_of(const Line& line, std::string_view name) {
  if (const std::string_view text = line.text(name); !text.empty()) return std::string(text);
  Json value = line.field(name);
  if (const auto dot = name.find('.'); value.is_null() && dot != std::string_view::npos) {
    const Json object = line.field(name.substr(0, dot));
    if (object.is_object()) value = object.value(std::string(name.substr(dot + 1)), Json());
  }
  if (value.is_null()) return {};
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool has(const Line& line, const std::pair<std::string, std::string>& wanted) {
  const auto found = value_of(line, wanted.first);
  const std::string& value = wanted.second;
  if (!found || !value.ends_with('*')) return found == value;
  return found->starts_with(std::string_view(value).substr(0, value.size() - 1));
}

bool fits(const Line& line, const EventPattern& pattern) {
  return line.kind() == pattern.event &&
         std::ranges::all_of(pattern.fields, [&](const auto& field) { return has(line, field); });
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

  std::vector<std::string_view> hears() const override { return {own_.of.event}; }

  void hear(const Line& line) override {
    if (is_broken() || !fits(line, own_.of)) return;
    lines_.push_back(line.written());
    if (lines_.size() > kMostLines) lines_.pop_front();
    if (++count_ > own_.at_most)
      broken(line.at(), fmt::format("{} by {}", count_, iso_seconds(line.at())),
             {lines_.begin(), lines_.end()});
  }

 private:
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

  std::vector<std::string_view> hears() const override {
    if (own_.of.event == own_.comes->event) return {own_.of.event};
    return {own_.of.event, own_.comes->event};
  }

  void hear(const Line& line) override {
    if (is_broken()) return;
    look(line.at());
    if (fits(line, *own_.comes))
      std::erase_if(open_, [same = values_of(line)](const Open& o) { return o.same == same; });
    if (fits(line, own_.of)) open_.push_back({line.at(), values_of(line), line.written()});
  }

  void end(const Story& story, const Result&) override { look(story.end); }

 private:
  using Values = std::vector<std::optional<std::string>>;
  struct Open {
    Time at;
    Values same;
    std::string line;
  };

  Values values_of(const Line& line) const {
    Values values;
    for (const std::string& name : own_.same) values.push_back(value_of(line, name));
    return values;
  }

  // They came in the order of time.
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

}  // namespace sim::run
