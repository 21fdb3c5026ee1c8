#include "sim/result/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "base/json_text.h"
#include "sim/kernel/event.h"

namespace sim::run {
namespace {

using base::text_of;

std::int64_t whole(const Json& fields, const char* key) {
  const auto it = fields.find(key);
  return it != fields.end() && it->is_number_integer() ? it->get<std::int64_t>() : 0;
}

double number(const Json& fields, const char* key) {
  const auto it = fields.find(key);
  return it != fields.end() && it->is_number() ? it->get<double>() : 0;
}

market::Usd usd(const Event& event, const char* key) {
  const auto amount = market::parse_usd(text_of(event.fields, key));
  if (!amount)
    throw std::runtime_error(fmt::format("{} without a price in \"{}\"", event.kind, key));
  return *amount;
}

// text == literal, with the comparison in line: most of a log are steps.
template <std::size_t n>
bool is(std::string_view text, const char (&literal)[n]) {
  return text.size() == n - 1 && std::memcmp(text.data(), literal, n - 1) == 0;
}

// Of a plain event; null: it has none of this name and type.
template <class Value, std::size_t n>
const Value* find(const PlainEvent& event, const char (&name)[n]) {
  for (const PlainEvent::Field& field : event.fields)
    if (is(field.name, name)) return std::get_if<Value>(&field.value);
  return nullptr;
}

constexpr std::string_view kTrainer = "trainer.";

TrainerEvent trainer_event(std::string_view name) {
  using enum TrainerEvent;
  static constexpr std::array<std::pair<std::string_view, TrainerEvent>, 8> kNames{
      {{"step", kStep},
       {"checkpoint-begin", kCheckpointBegin},
       {"checkpoint-durable", kCheckpointDurable},
       {"checkpoint-snapshot", kCheckpointSnapshot},
       {"checkpoint-failed", kCheckpointFailed},
       {"start", kStart},
       {"stop", kStop},
       {"finished", kFinished}}};
  for (const auto& [known, event] : kNames)
    if (known == name) return event;
  return kOther;
}

Time instant_of(const Event& event, const char* key) {
  const auto t = parse_time(text_of(event.fields, key));
  if (!t)
    throw std::runtime_error(fmt::format("{} without an instant_of in \"{}\"", event.kind, key));
  return *t;
}

}  // namespace

// What each kind of line tells.
struct StoryTeller::Ears {
  using Ear = void (*)(StoryTeller&, const Event&);
  static const std::map<std::string_view, Ear> kAll;

  static void header(StoryTeller& t, const Event& event);
  static void instance_state(StoryTeller& t, const Event& event);
  static void trainer(StoryTeller& t, const Event& event);
  static void orchestrator(StoryTeller& t, const Event& event);
  static void tags(StoryTeller& t, const Event& event);
  static void charge(StoryTeller& t, const Event& event);
  static void transition(StoryTeller& t, const Event& event);
  static void end(StoryTeller& t, const Event& event);

  static InstanceStory* instance(StoryTeller& t, const Event& event) {
    const auto id = event.fields.find("instance_id");
    if (id == event.fields.end() || !id->is_string()) return nullptr;
    return instance(t, id->get_ref<const std::string&>());
  }
  static InstanceStory* instance(StoryTeller& t, std::string_view id) {
    // Most lines are of the instance of the line before.
    if (t.last_ < t.story_.instances.size() && t.story_.instances[t.last_].id == id)
      return &t.story_.instances[t.last_];
    const auto it = t.index_.find(id);
    if (it == t.index_.end()) return nullptr;
    t.last_ = it->second;
    return &t.story_.instances[t.last_];
  }
  // There are a few, and many lines of each.
  static std::uint32_t reason(StoryTeller& t, std::string_view text) {
    auto& known = t.story_.reasons;
    const auto at = std::ranges::find(known, text) - known.begin();
    if (at == std::ssize(known)) known.emplace_back(text);
    return static_cast<std::uint32_t>(at);
  }
  template <std::optional<Time> InstanceStory::*field>
  static void mark(StoryTeller& t, const Event& event) {
    InstanceStory* story = instance(t, event);
    if (story && !(story->*field)) story->*field = event.time;
  }
  template <std::map<std::string, std::string> Story::*states>
  static void state(StoryTeller& t, const Event& event, const char* id) {
    (t.story_.*states)[text_of(event.fields, id)] = text_of(event.fields, "to");
  }
};

void StoryTeller::Ears::header(StoryTeller& t, const Event& event) {
  const Json& f = event.fields;
  Header& h = t.story_.header;
  h.start = event.time;
  h.scenario = text_of(f, "scenario");
  h.guest = text_of(f, "guest");
  h.level = text_of(f, "level");
  h.job_volume_tag = text_of(f, "job_volume_tag");
  h.seed = f.value("seed", std::uint64_t{0});
  h.lockstep = f.value("lockstep", false);
  if (number(f, "deadline_seconds") > 0) h.deadline = from_seconds(number(f, "deadline_seconds"));
  if (const auto it = f.find("step_seconds"); it != f.end() && it->is_object()) {
    for (const auto& [type, value] : it->items()) {
      if (value.is_number()) h.step_seconds[type] = value.get<double>();
    }
  }
  h.baseline_type = text_of(f, "baseline_instance_type");
  h.baseline_price = market::parse_usd(text_of(f, "baseline_price"));
  if (const auto it = f.find("assumptions"); it != f.end() && it->is_array()) {
    for (const Json& item : *it) {
      if (item.is_string()) h.assumptions.push_back(item.get<std::string>());
    }
  }
}

void StoryTeller::Ears::instance_state(StoryTeller& t, const Event& event) {
  const Json& f = event.fields;
  const std::string to = text_of(f, "to");
  if (text_of(f, "from").empty()) {
    InstanceStory story;
    story.id = text_of(f, "instance_id");
    story.type = text_of(f, "instance_type");
    story.zone = text_of(f, "availability_zone");
    story.lifecycle = text_of(f, "lifecycle");
    story.fleet = text_of(f, "fleet_id");
    story.launched_at = event.time;
    story.trained_or_meant_to = story.lifecycle == "spot" || !story.fleet.empty();
    t.index_[story.id] = t.story_.instances.size();
    t.story_.instances.push_back(std::move(story));
  }
  if (to == "running") mark<&InstanceStory::running_at>(t, event);
  if (to == "shutting-down") {
    mark<&InstanceStory::shutting_down_at>(t, event);
    if (InstanceStory* story = instance(t, event)) story->end_reason = text_of(f, "reason");
  }
  if (to == "terminated") mark<&InstanceStory::terminated_at>(t, event);
}

void StoryTeller::Ears::trainer(StoryTeller& t, const Event& event) {
  InstanceStory* story = instance(t, event);
  if (!story) return;
  const TrainerEvent what = trainer_event(std::string_view(event.kind).substr(kTrainer.size()));
  if (what == TrainerEvent::kStart) story->trained_or_meant_to = true;
  story->trainer.push_back({.order = t.heard_++,
                            .at = event.time,
                            .step = whole(event.fields, "step"),
                            .total_steps = whole(event.fields, "total_steps"),
                            .event = what,
                            .reason = reason(t, text_of(event.fields, "reason"))});
}

void StoryTeller::Ears::orchestrator(StoryTeller& t, const Event& event) {
  InstanceStory* story = instance(t, event);
  if (story && text_of(event.fields, "name") == "train") story->trained_or_meant_to = true;
}

void StoryTeller::Ears::tags(StoryTeller& t, const Event& event) {
  const std::string id = text_of(event.fields, "resource_id");
  const auto list = event.fields.find("tags");
  if (list == event.fields.end()) return;
  if (event.kind == "tags.created") {
    const std::string name = text_of(*list, "Name");
    if (!name.empty()) t.story_.names[id] = name;
  } else if (list->is_array() && std::find(list->begin(), list->end(), "Name") != list->end()) {
    t.story_.names.erase(id);
  }
}

void StoryTeller::Ears::charge(StoryTeller& t, const Event& event) {
  const Json& f = event.fields;
  t.story_.charges.push_back({.kind = text_of(f, "kind"),
                              .resource = text_of(f, "resource"),
                              .unit = text_of(f, "unit"),
                              .note = text_of(f, "note"),
                              .from = instant_of(event, "from"),
                              .to = instant_of(event, "to"),
                              .quantity = number(f, "quantity"),
                              .unit_price = usd(event, "unit_price"),
                              .cost = usd(event, "cost")});
}

void StoryTeller::Ears::transition(StoryTeller& t, const Event& event) {
  const std::string resource = event.kind.substr(0, event.kind.size() - 6);  // ".state"
  std::string key = resource + "_id";
  std::replace(key.begin(), key.end(), '-', '_');
  if (resource == "attachment") key = "volume_id";
  t.story_.transitions.push_back({resource, text_of(event.fields, "from"),
                                  text_of(event.fields, "to"), text_of(event.fields, key.c_str())});
}

void StoryTeller::Ears::end(StoryTeller& t, const Event& event) {
  t.story_.outcome = text_of(event.fields, "outcome");
  const auto cause = event.fields.find("cause");
  if (cause != event.fields.end()) t.story_.cause = cause_from(*cause);
}

const std::map<std::string_view, StoryTeller::Ears::Ear> StoryTeller::Ears::kAll{
    {"run.start", header},
    {"run.end", end},
    {"instance.state", instance_state},
    {"instance.boot", mark<&InstanceStory::booted_at>},
    {"instance.notice", mark<&InstanceStory::notice_at>},
    {"instance.interrupted", mark<&InstanceStory::interrupted_at>},
    {"volume.state",
     [](StoryTeller& t, const Event& e) { state<&Story::volumes>(t, e, "volume_id"); }},
    {"snapshot.state",
     [](StoryTeller& t, const Event& e) { state<&Story::snapshots>(t, e, "snapshot_id"); }},
    {"fleet.state",
     [](StoryTeller& t, const Event& e) { state<&Story::fleets>(t, e, "fleet_id"); }},
    {"tags.created", tags},
    {"tags.deleted", tags},
    {"charge", charge},
    {"orchestrator.phase", orchestrator},
};

void StoryTeller::hear(const Event& event) {
  const std::string_view kind = event.kind;
  if (!std::exchange(begun_, true) && kind != "run.start")
    throw std::runtime_error("the log does not begin with run.start");
  if (kind.starts_with(kTrainer)) {
    Ears::trainer(*this, event);
  } else {
    if (kind.ends_with(".state")) Ears::transition(*this, event);
    if (const auto ear = Ears::kAll.find(kind); ear != Ears::kAll.end()) ear->second(*this, event);
  }
  story_.end = event.time;
}

// Most of a log.
void StoryTeller::hear_step(const PlainEvent& event) {
  const auto* const id = find<std::string_view>(event, "instance_id");
  InstanceStory* const story = id ? Ears::instance(*this, *id) : nullptr;
  if (!story) return;
  const auto* const step = find<std::int64_t>(event, "step");
  story->trainer.push_back({.order = heard_++,
                            .at = event.time,
                            .step = step ? *step : 0,
                            .event = TrainerEvent::kStep});
}

void StoryTeller::hear(const PlainEvent& event) {
  if (!event.kind.starts_with(kTrainer)) return hear(to_event(event));
  story_.end = event.time;
  if (is(event.kind, "trainer.step")) return hear_step(event);
  const auto* const id = find<std::string_view>(event, "instance_id");
  InstanceStory* const story = id ? Ears::instance(*this, *id) : nullptr;
  if (!story) return;
  TrainerLine& line = story->trainer.emplace_back();
  line.order = heard_++;
  line.at = event.time;
  line.event = trainer_event(event.kind.substr(kTrainer.size()));
  if (line.event == TrainerEvent::kStart) story->trained_or_meant_to = true;
  if (const auto* const step = find<std::int64_t>(event, "step")) line.step = *step;
  if (const auto* const total = find<std::int64_t>(event, "total_steps")) line.total_steps = *total;
  if (const auto* const why = find<std::string_view>(event, "reason"))
    line.reason = Ears::reason(*this, *why);
}

bool StoryTeller::wants(std::string_view kind) {
  return kind.starts_with(kTrainer) || kind.ends_with(".state") || Ears::kAll.contains(kind);
}

Story tell(std::span<const Event> events) {
  if (events.empty()) throw std::runtime_error("the log does not begin with run.start");
  StoryTeller teller;
  for (const Event& event : events) teller.hear(event);
  return teller.story();
}

}  // namespace sim::run
