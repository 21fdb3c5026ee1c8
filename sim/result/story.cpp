#include "sim/result/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "base/json_text.h"
#include "sim/kernel/event.h"
#include "sim/result/event_fields.h"

namespace sim::run {
namespace {

using base::text_of;

template <Told E>
market::Usd usd(const E& event, std::string_view name) {
  const auto amount = market::parse_usd(std::string(text(event, name)));
  if (!amount)
    throw std::runtime_error(fmt::format("{} without a price in \"{}\"", event.kind, name));
  return *amount;
}

template <Told E>
Time instant_of(const E& event, std::string_view name) {
  const auto t = parse_time(text(event, name));
  if (!t)
    throw std::runtime_error(fmt::format("{} without an instant_of in \"{}\"", event.kind, name));
  return *t;
}

constexpr std::string_view kTrainer = "trainer.";

// Steps are counted from 0; guests may report any number.
std::int64_t step_of(const auto& event) { return std::max<std::int64_t>(0, whole(event, "step")); }

TrainerEvent trainer_event(std::string_view name) {
  using enum TrainerEvent;
  static constexpr std::array<std::pair<std::string_view, TrainerEvent>, 9> kNames{
      {{"step", kStep},
       {"checkpoint-begin", kCheckpointBegin},
       {"checkpoint-durable", kCheckpointDurable},
       {"checkpoint-written", kCheckpointWritten},
       {"checkpoint-snapshot", kCheckpointSnapshot},
       {"checkpoint-failed", kCheckpointFailed},
       {"start", kStart},
       {"stop", kStop},
       {"finished", kFinished}}};
  for (const auto& [known, event] : kNames)
    if (known == name) return event;
  return kOther;
}

}  // namespace

// What each kind of line tells.
struct StoryTeller::Ears {
  template <class E>
  struct Row {
    std::string_view kind;
    void (*hear)(StoryTeller&, const E&);
  };
  // Of lines that are told in either way, and of those that have more than a plain event can.
  template <Told E>
  static const std::array<Row<E>, 10> kEither;
  static const std::array<Row<Event>, 5> kJson;

  static void header(StoryTeller& t, const Event& event);
  static void tags(StoryTeller& t, const Event& event);
  static void end(StoryTeller& t, const Event& event);
  static void training_job(StoryTeller& t, const Event& event);
  template <Told E>
  static void instance_state(StoryTeller& t, const E& event);
  template <Told E>
  static void trainer(StoryTeller& t, const E& event);
  template <Told E>
  static void orchestrator(StoryTeller& t, const E& event);
  template <Told E>
  static void exit(StoryTeller& t, const E& event);
  template <Told E>
  static void charge(StoryTeller& t, const E& event);

  // Whether there is a row of the event's kind, which then hears it.
  template <Told E>
  static bool hear(const auto& rows, StoryTeller& t, const E& event) {
    const auto row = std::ranges::find(rows, std::string_view(event.kind), &Row<E>::kind);
    if (row == rows.end()) return false;
    row->hear(t, event);
    return true;
  }
  static bool has(const auto& rows, std::string_view kind) {
    return std::ranges::any_of(rows, [kind](const auto& row) { return row.kind == kind; });
  }

  // Null: the event names none that the story knows.
  template <Told E>
  static InstanceStory* instance(StoryTeller& t, const E& event) {
    return instance(t, text(event, "instance_id"));
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
  template <Told E, std::optional<Time> InstanceStory::*field>
  static void mark(StoryTeller& t, const E& event) {
    InstanceStory* story = instance(t, event);
    if (story && !(story->*field)) story->*field = event.time;
  }
  template <Told E, std::map<std::string, std::string> Story::*states>
  static void state(StoryTeller& t, const E& event) {
    (t.story_.*states)[std::string(text(event, id_field(event.kind)))] = text(event, "to");
  }

  // "volume.state" → "volume_id"
  static std::string id_field(std::string_view kind) {
    return std::string(kind.substr(0, kind.find('.'))) + "_id";
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
  if (const double deadline = number(event, "deadline_seconds"); deadline > 0)
    h.deadline = from_seconds(deadline);
  if (const auto it = f.find("step_seconds"); it != f.end() && it->is_object()) {
    for (const auto& [type, value] : it->items()) {
      if (value.is_number()) h.step_seconds[type] = value.get<double>();
    }
  }
  h.baseline_type = text_of(f, "baseline_instance_type");
  h.baseline_instances = f.value("baseline_instances", std::int64_t{1});
  h.baseline_price = market::parse_usd(text_of(f, "baseline_price"));
  if (const auto it = f.find("assumptions"); it != f.end() && it->is_array()) {
    for (const Json& item : *it) {
      if (item.is_string()) h.assumptions.push_back(item.get<std::string>());
    }
  }
}

template <Told E>
void StoryTeller::Ears::instance_state(StoryTeller& t, const E& event) {
  const std::string_view to = text(event, "to");
  if (text(event, "from").empty()) {
    InstanceStory story;
    story.id = text(event, "instance_id");
    story.type = text(event, "instance_type");
    story.zone = text(event, "availability_zone");
    story.lifecycle = text(event, "lifecycle");
    story.fleet = text(event, "fleet_id");
    story.managed_by = text(event, "managed_by");
    story.launched_at = event.time;
    story.trained_or_meant_to = story.lifecycle == "spot" || !story.fleet.empty();
    t.index_[story.id] = t.story_.instances.size();
    t.story_.instances.push_back(std::move(story));
  }
  if (to == "running") mark<E, &InstanceStory::running_at>(t, event);
  if (to == "shutting-down") {
    mark<E, &InstanceStory::shutting_down_at>(t, event);
    if (InstanceStory* story = instance(t, event)) story->end_reason = text(event, "reason");
  }
  if (to == "terminated") mark<E, &InstanceStory::terminated_at>(t, event);
}

template <Told E>
void StoryTeller::Ears::trainer(StoryTeller& t, const E& event) {
  InstanceStory* story = instance(t, event);
  if (!story) return;
  const TrainerEvent what = trainer_event(std::string_view(event.kind).substr(kTrainer.size()));
  if (what == TrainerEvent::kStart) story->trained_or_meant_to = true;
  story->trainer.push_back({.order = t.heard_++,
                            .at = event.time,
                            .step = step_of(event),
                            .total_steps = whole(event, "total_steps"),
                            .event = what,
                            .reason = reason(t, text(event, "reason"))});
}

template <Told E>
void StoryTeller::Ears::orchestrator(StoryTeller& t, const E& event) {
  InstanceStory* story = instance(t, event);
  if (story && text(event, "name") == "train") story->trained_or_meant_to = true;
}

template <Told E>
void StoryTeller::Ears::exit(StoryTeller& t, const E& event) {
  InstanceStory* const story = instance(t, text(event, "machine"));
  if (!story) return;
  story->exited_at = event.time;
  story->exited_badly = whole(event, "status") != 0;
}

void StoryTeller::Ears::tags(StoryTeller& t, const Event& event) {
  const std::string id(text(event, "resource_id"));
  const auto list = event.fields.find("tags");
  if (list == event.fields.end()) return;
  if (event.kind == "tags.created") {
    const std::string name = text_of(*list, "Name");
    if (!name.empty()) t.story_.names[id] = name;
  } else if (list->is_array() && std::find(list->begin(), list->end(), "Name") != list->end()) {
    t.story_.names.erase(id);
  }
}

template <Told E>
void StoryTeller::Ears::charge(StoryTeller& t, const E& event) {
  t.story_.charges.push_back({.kind = std::string(text(event, "kind")),
                              .resource = std::string(text(event, "resource")),
                              .unit = std::string(text(event, "unit")),
                              .note = std::string(text(event, "note")),
                              .from = instant_of(event, "from"),
                              .to = instant_of(event, "to"),
                              .quantity = number(event, "quantity"),
                              .unit_price = usd(event, "unit_price"),
                              .cost = usd(event, "cost")});
}

void StoryTeller::Ears::end(StoryTeller& t, const Event& event) {
  t.story_.outcome = text(event, "outcome");
  const auto cause = event.fields.find("cause");
  if (cause != event.fields.end()) t.story_.cause = cause_from(*cause);
  const auto evidence = event.fields.find("evidence");
  if (evidence != event.fields.end()) t.story_.evidence = evidence_from(*evidence);
}

template <Told E>
const std::array<StoryTeller::Ears::Row<E>, 10> StoryTeller::Ears::kEither{{
    {"instance.state", instance_state<E>},
    {"instance.boot", mark<E, &InstanceStory::booted_at>},
    {"instance.notice", mark<E, &InstanceStory::notice_at>},
    {"instance.interrupted", mark<E, &InstanceStory::interrupted_at>},
    {"volume.state", state<E, &Story::volumes>},
    {"snapshot.state", state<E, &Story::snapshots>},
    {"fleet.state", state<E, &Story::fleets>},
    {"charge", charge<E>},
    {"orchestrator.phase", orchestrator<E>},
    {"guest.exit", exit<E>},
}};
const std::array<StoryTeller::Ears::Row<Event>, 5> StoryTeller::Ears::kJson{{
    {"run.start", header},
    {"run.end", end},
    {"tags.created", tags},
    {"tags.deleted", tags},
    {"sagemaker.end", training_job},
}};

void StoryTeller::Ears::training_job(StoryTeller& t, const Event& event) {
  t.story_.training_jobs.push_back(
      {.name = std::string(text(event, "job")),
       .status = std::string(text(event, "status")),
       .secondary_status = std::string(text(event, "secondary_status")),
       .model = std::string(text(event, "model")),
       .failure_reason = std::string(text(event, "failure_reason")),
       .hosts = whole(event, "hosts"),
       .interruptions = whole(event, "interruptions"),
       .training_seconds = number(event, "training_seconds"),
       .billable_seconds = number(event, "billable_seconds")});
}

std::optional<double> TrainingJobEnd::savings() const {
  const double training = std::round(training_seconds);
  if (training <= 0) return std::nullopt;
  return 1 - std::round(billable_seconds) / training;
}

template <class E>
void StoryTeller::hear_any(const E& event) {
  const std::string_view kind = event.kind;
  if (!std::exchange(begun_, true) && kind != "run.start")
    throw std::runtime_error("the log does not begin with run.start");
  if (kind.starts_with(kTrainer)) {
    Ears::trainer(*this, event);
  } else {
    Ears::hear(Ears::kEither<E>, *this, event);
  }
  story_.end = event.time;
}

void StoryTeller::hear(const Event& event) {
  hear_any(event);
  Ears::hear(Ears::kJson, *this, event);
}

void StoryTeller::hear(const PlainEvent& event) {
  if (begun_ && event.kind == "trainer.step") return hear_step(event);
  if (Ears::has(Ears::kJson, event.kind)) return hear(to_event(event));
  hear_any(event);
}

// As hear_any() would, for most lines of a log.
void StoryTeller::hear_step(const PlainEvent& event) {
  story_.end = event.time;
  InstanceStory* const story = Ears::instance(*this, event);
  if (!story) return;
  TrainerLine& line = story->trainer.emplace_back();
  line.order = heard_++;
  line.at = event.time;
  line.step = step_of(event);
  line.event = TrainerEvent::kStep;
}

bool StoryTeller::wants(std::string_view kind) {
  return kind.starts_with(kTrainer) || Ears::has(Ears::kEither<Event>, kind) ||
         Ears::has(Ears::kJson, kind);
}

Story tell(std::span<const Event> events) {
  if (events.empty()) throw std::runtime_error("the log does not begin with run.start");
  StoryTeller teller;
  for (const Event& event : events) teller.hear(event);
  return teller.story();
}

}  // namespace sim::run
