#include "sim/run/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace sim::run {
namespace {

std::string text(const Json& fields, const char* key) {
  const auto it = fields.is_object() ? fields.find(key) : fields.end();
  return it != fields.end() && it->is_string() ? it->get<std::string>() : std::string{};
}

std::int64_t whole(const Json& fields, const char* key) {
  const auto it = fields.find(key);
  return it != fields.end() && it->is_number_integer() ? it->get<std::int64_t>() : 0;
}

double number(const Json& fields, const char* key) {
  const auto it = fields.find(key);
  return it != fields.end() && it->is_number() ? it->get<double>() : 0;
}

market::Usd usd(const Event& event, const char* key) {
  const auto amount = market::parse_usd(text(event.fields, key));
  if (!amount)
    throw std::runtime_error(fmt::format("{} without a price in \"{}\"", event.kind, key));
  return *amount;
}

Time instant(const Event& event, const char* key) {
  const auto t = parse_time(text(event.fields, key));
  if (!t) throw std::runtime_error(fmt::format("{} without an instant in \"{}\"", event.kind, key));
  return *t;
}

class Teller {
 public:
  Story take(std::span<const Event> events) {
    if (events.empty() || events.front().kind != "run.start") {
      throw std::runtime_error("the log does not begin with run.start");
    }
    for (const Event& event : events) hear(event);
    return std::move(story_);
  }

 private:
  void hear(const Event& event);
  void header(const Event& event);
  void instance_state(const Event& event);
  void trainer(const Event& event, const std::string& name);
  void orchestrator(const Event& event);
  void tags(const Event& event);
  void charge(const Event& event);
  void transition(const Event& event);

  InstanceStory* instance(const Event& event) {
    const auto it = index_.find(text(event.fields, "instance_id"));
    return it == index_.end() ? nullptr : &story_.instances[it->second];
  }
  void mark(const Event& event, std::optional<Time> InstanceStory::*field) {
    InstanceStory* story = instance(event);
    if (story && !(story->*field)) story->*field = event.time;
  }

  Story story_;
  std::size_t heard_ = 0;
  std::map<std::string, std::size_t> index_;  // instance ID → place in story_.instances
};

void Teller::header(const Event& event) {
  const Json& f = event.fields;
  Header& h = story_.header;
  h.start = event.time;
  h.scenario = text(f, "scenario");
  h.guest = text(f, "guest");
  h.level = text(f, "level");
  h.job_volume_tag = text(f, "job_volume_tag");
  h.seed = f.value("seed", std::uint64_t{0});
  h.lockstep = f.value("lockstep", false);
  if (number(f, "deadline_seconds") > 0) h.deadline = from_seconds(number(f, "deadline_seconds"));
  if (const auto it = f.find("step_seconds"); it != f.end() && it->is_object()) {
    for (const auto& [type, value] : it->items()) {
      if (value.is_number()) h.step_seconds[type] = value.get<double>();
    }
  }
  h.baseline_type = text(f, "baseline_instance_type");
  h.baseline_price = market::parse_usd(text(f, "baseline_price"));
  if (const auto it = f.find("assumptions"); it != f.end() && it->is_array()) {
    for (const Json& item : *it) {
      if (item.is_string()) h.assumptions.push_back(item.get<std::string>());
    }
  }
}

void Teller::instance_state(const Event& event) {
  const Json& f = event.fields;
  const std::string to = text(f, "to");
  if (text(f, "from").empty()) {
    InstanceStory story;
    story.id = text(f, "instance_id");
    story.type = text(f, "instance_type");
    story.zone = text(f, "availability_zone");
    story.lifecycle = text(f, "lifecycle");
    story.fleet = text(f, "fleet_id");
    story.launched_at = event.time;
    story.trained_or_meant_to = story.lifecycle == "spot" || !story.fleet.empty();
    index_[story.id] = story_.instances.size();
    story_.instances.push_back(std::move(story));
  }
  if (to == "running") mark(event, &InstanceStory::running_at);
  if (to == "shutting-down") {
    mark(event, &InstanceStory::shutting_down_at);
    if (InstanceStory* story = instance(event)) story->end_reason = text(f, "reason");
  }
  if (to == "terminated") mark(event, &InstanceStory::terminated_at);
}

void Teller::trainer(const Event& event, const std::string& name) {
  InstanceStory* story = instance(event);
  if (!story) return;
  if (name == "start") story->trained_or_meant_to = true;
  story->trainer.push_back({.order = heard_,
                            .at = event.time,
                            .event = name,
                            .step = whole(event.fields, "step"),
                            .total_steps = whole(event.fields, "total_steps"),
                            .reason = text(event.fields, "reason")});
}

void Teller::orchestrator(const Event& event) {
  InstanceStory* story = instance(event);
  if (story && text(event.fields, "name") == "train") story->trained_or_meant_to = true;
}

void Teller::tags(const Event& event) {
  const std::string id = text(event.fields, "resource_id");
  const auto list = event.fields.find("tags");
  if (list == event.fields.end()) return;
  if (event.kind == "tags.created") {
    const std::string name = text(*list, "Name");
    if (!name.empty()) story_.names[id] = name;
  } else if (list->is_array() && std::find(list->begin(), list->end(), "Name") != list->end()) {
    story_.names.erase(id);
  }
}

void Teller::charge(const Event& event) {
  const Json& f = event.fields;
  story_.charges.push_back({.kind = text(f, "kind"),
                            .resource = text(f, "resource"),
                            .unit = text(f, "unit"),
                            .note = text(f, "note"),
                            .from = instant(event, "from"),
                            .to = instant(event, "to"),
                            .quantity = number(f, "quantity"),
                            .unit_price = usd(event, "unit_price"),
                            .cost = usd(event, "cost")});
}

void Teller::transition(const Event& event) {
  const std::string resource = event.kind.substr(0, event.kind.size() - 6);  // ".state"
  std::string key = resource + "_id";
  std::replace(key.begin(), key.end(), '-', '_');
  if (resource == "attachment") key = "volume_id";
  story_.transitions.push_back({resource, text(event.fields, "from"), text(event.fields, "to"),
                                text(event.fields, key.c_str())});
}

void Teller::hear(const Event& event) {
  using Ear = std::function<void(Teller&, const Event&)>;
  static const std::map<std::string, Ear, std::less<>> kEars{
      {"run.start", [](Teller& t, const Event& e) { t.header(e); }},
      {"run.end", [](Teller& t, const Event& e) { t.story_.outcome = text(e.fields, "outcome"); }},
      {"instance.state", [](Teller& t, const Event& e) { t.instance_state(e); }},
      {"instance.boot", [](Teller& t, const Event& e) { t.mark(e, &InstanceStory::booted_at); }},
      {"instance.notice", [](Teller& t, const Event& e) { t.mark(e, &InstanceStory::notice_at); }},
      {"instance.interrupted",
       [](Teller& t, const Event& e) { t.mark(e, &InstanceStory::interrupted_at); }},
      {"volume.state",
       [](Teller& t, const Event& e) {
         t.story_.volumes[text(e.fields, "volume_id")] = text(e.fields, "to");
       }},
      {"snapshot.state",
       [](Teller& t, const Event& e) {
         t.story_.snapshots[text(e.fields, "snapshot_id")] = text(e.fields, "to");
       }},
      {"fleet.state",
       [](Teller& t, const Event& e) {
         t.story_.fleets[text(e.fields, "fleet_id")] = text(e.fields, "to");
       }},
      {"tags.created", [](Teller& t, const Event& e) { t.tags(e); }},
      {"tags.deleted", [](Teller& t, const Event& e) { t.tags(e); }},
      {"charge", [](Teller& t, const Event& e) { t.charge(e); }},
      {"orchestrator.phase", [](Teller& t, const Event& e) { t.orchestrator(e); }},
  };
  if (event.kind.ends_with(".state")) transition(event);
  if (event.kind.starts_with("trainer.")) trainer(event, event.kind.substr(8));
  if (const auto ear = kEars.find(event.kind); ear != kEars.end()) ear->second(*this, event);
  story_.end = event.time;
  ++heard_;
}

}  // namespace

Story tell(std::span<const Event> events) { return Teller{}.take(events); }

}  // namespace sim::run
