#include "sim/report/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace sim::report {

// A row names the event's fields with the state of a resource that has a lane.
struct StateRow {
  events::Kind event;
  std::string_view lane, id, text;
  std::string_view state, over;  // if the field `state` is `over`, the resource has ended
};

namespace {

constexpr StateRow kStates[] = {
    {events::Kind::kVolumeState, "volume", "volume_id", "{to}", "to", "deleted"},
    {events::Kind::kFleetState, "group", "fleet_id", "{to}", "to", "cancelled"},
    {events::Kind::kSagemakerStatus, "group", "job", "{secondary_status}", "status", "Completed"},
    {events::Kind::kAutoscalingGroup, "group", "group", "{what}, desired {desired}", "what",
     "deleted"},
    {events::Kind::kElastigroupGroup, "group", "group_id", "{change}, target {target}", "change",
     "deleted"},
    {events::Kind::kElastigroupInstance, "group", "stateful_instance_id", "{to}", "to",
     "DEALLOCATED"},
    {events::Kind::kStackStatus, "group", "stack", "{status}", "status", "DELETE_COMPLETE"},
};

struct ColumnName {
  Duration result::TimeLedger::*column;
  std::string_view name;
};
constexpr ColumnName kColumns[] = {
    {&result::TimeLedger::prepare, "prepare"},
    {&result::TimeLedger::boot, "boot"},
    {&result::TimeLedger::migrate, "migrate"},
    {&result::TimeLedger::restore, "restore"},
    {&result::TimeLedger::train_kept, "train_kept"},
    {&result::TimeLedger::train_lost, "train_lost"},
    {&result::TimeLedger::checkpoint, "checkpoint"},
    {&result::TimeLedger::notice_idle, "notice_idle"},
    {&result::TimeLedger::idle, "idle"},
    {&result::TimeLedger::teardown, "teardown"},
};

std::string name_of(Duration result::TimeLedger::*column) {
  return std::string(std::ranges::find(kColumns, column, &ColumnName::column)->name);
}

std::string instance_of(const events::AnyEvent& event) {
  if (event.kind() == events::Kind::kImdsRequest) return {};
  const std::string id = field_text(event, "instance_id");
  return id.empty() ? field_text(event, "machine") : id;
}

}  // namespace

Lanes::Resource& Lanes::resource(std::string_view kind, const std::string& id) {
  const auto [place, is_new] = places_.emplace(fmt::format("{} {}", kind, id), resources_.size());
  if (is_new) resources_.push_back({kind, id, {}, {}, 0});
  return resources_[place->second];
}

void Lanes::listen(events::Listeners& log, const LineNumber& line, std::vector<Mark>& marks) {
  log.on_all([this, &line](const events::AnyEvent& event, std::string_view) {
    if (const std::string id = instance_of(event); !id.empty())
      lines_[id].emplace_back(event.time(), line);
    if (event.name().starts_with("trainer.")) last_of_trainers_ = line;
  });
  log.on<events::TagsCreated>(
      [this, &line](const auto& event) { name_changes(event.resource_id, line); });
  log.on<events::TagsDeleted>(
      [this, &line](const auto& event) { name_changes(event.resource_id, line); });
  log.on<events::SnapshotState>([this](const events::SnapshotState& event) {
    volume_of_snapshot_[std::string(event.snapshot_id)] = event.volume_id;
  });
  for (const StateRow& row : kStates)
    log.on_kind(row.event, [this, &row, &line](const events::AnyEvent& event, std::string_view) {
      state_changes(row, event, line);
    });
  log.on<events::VolumeState>([this, &line, &marks](const events::VolumeState& event) {
    look_for_hop(event, line, marks);
  });
}

void Lanes::state_changes(const StateRow& row, const events::AnyEvent& event, LineNumber line) {
  Resource& of = resource(row.lane, field_text(event, row.id));
  of.last = line;
  if (of.zone.empty()) of.zone = field_text(event, "availability_zone");
  of.states.push_back(
      {filled(row.text, event), event.time(), line, field_text(event, row.state) == row.over});
}

// Uses the tag Name of a volume or a group as the name of its lane.
void Lanes::name_changes(std::string_view id, LineNumber line) {
  for (const std::string_view kind : {"volume", "group"})
    if (const auto place = places_.find(fmt::format("{} {}", kind, id)); place != places_.end())
      resources_[place->second].last = line;
}

void Lanes::look_for_hop(const events::VolumeState& event, LineNumber line,
                         std::vector<Mark>& marks) {
  const std::string snapshot(event.snapshot_id), volume(event.volume_id);
  const auto source = volume_of_snapshot_.find(snapshot);
  if (snapshot.empty() || source == volume_of_snapshot_.end()) return;
  const std::string from = resource("volume", source->second).zone;
  const std::string to = resource("volume", volume).zone;
  if (from == to || from.empty()) return;
  marks.push_back({.kind = "hop",
                   .lane = volume,
                   .at = event.time,
                   .text = fmt::format("data hops from {} to {} through {}", from, to, snapshot),
                   .line = line});
}

// The instance's last line up to the span's begin, and its last line up to the span's end.
std::vector<LineNumber> Lanes::lines_at(const std::string& instance,
                                        const result::TimeSpan& span) const {
  std::vector<LineNumber> found;
  const auto lines = lines_.find(instance);
  if (lines == lines_.end()) return found;
  for (const Time at : {span.from, span.to}) {
    const auto after = std::ranges::upper_bound(lines->second, at, {},
                                                [](const auto& line) { return line.first; });
    if (after == lines->second.begin()) continue;
    const LineNumber number = std::prev(after)->second;
    if (found.empty() || found.back() != number) found.push_back(number);
  }
  return found;
}

// Adds the time in which a stopped instance is not billed, up to this time. It may start again
// within that time.
void Lanes::add_stop(const result::History::Instance& instance, Time to, Lane& lane) const {
  const Time from = lane.spans.back().to;
  Time starts = to;
  for (const result::History::Pause& pause : instance.pauses)
    if (pause.started_at && *pause.started_at > from) starts = std::min(starts, *pause.started_at);
  for (const auto& [what, begin, end] :
       {std::tuple{"stopped", from, starts}, std::tuple{"pending", starts, to}})
    if (begin < end)
      lane.spans.push_back({what, begin, end, lines_at(instance.id, {nullptr, begin, end})});
}

Lane Lanes::instance_lane(const result::History::Instance& instance,
                          const result::InstanceTime& time, const Axis& axis) const {
  Lane lane{.kind = "instance",
            .id = instance.id,
            .name = fmt::format("{} {}", instance.lifecycle, instance.type),
            .pool = instance.type + "/" + instance.zone};
  const result::TimeSpan pending{
      nullptr, instance.launched_at,
      instance.running_at.value_or(instance.terminated_at.value_or(instance.launched_at))};
  lane.spans.push_back({"pending", pending.from, pending.to, lines_at(instance.id, pending)});
  for (const result::TimeSpan& span : time.spans) {
    if (!instance.pauses.empty() && span.from > lane.spans.back().to)
      add_stop(instance, span.from, lane);
    const std::string what = instance.attempt() ? name_of(span.column) : "prepare";
    if (what == "prepare" && lane.spans.back().what == what && lane.spans.back().to == span.from)
      lane.spans.back().to = span.to;
    else
      lane.spans.push_back({what, span.from, span.to, lines_at(instance.id, span)});
  }
  const bool stopped = instance.is_stopped() && instance.running_at;
  if (stopped) add_stop(instance, instance.terminated_at.value_or(axis.end), lane);
  lane.open = !instance.billed_until() || (stopped && !instance.terminated_at);
  return lane;
}

Lane Lanes::resource_lane(const Resource& of, const result::History& history,
                          const Axis& axis) const {
  const std::string name = history.name_of(of.id);
  Lane lane{.kind = of.kind, .id = of.id, .name = name.empty() ? of.id : name, .pool = of.zone};
  for (std::size_t i = 0; i < of.states.size(); ++i) {
    const State& state = of.states[i];
    if (state.over) return lane;
    const Time to = i + 1 < of.states.size() ? of.states[i + 1].at : axis.end;
    lane.spans.push_back({state.text, state.at, to, {state.line}});
  }
  lane.open = !lane.spans.empty();
  return lane;
}

// Whether the lane of an instance has changed. How much of its training was kept also depends on
// the sessions of other instances.
bool Lanes::has_changed(const result::History::Instance& instance, LineNumber after) const {
  const auto lines = lines_.find(instance.id);
  return (lines != lines_.end() && lines->second.back().second > after) ||
         (instance.has_trained && last_of_trainers_ > after);
}

// The time ledger of a running instance ends a nanosecond after `axis`. So the last span is the
// present state, even if that state has just begun.
std::vector<Lane> Lanes::since(LineNumber after, const result::History& history,
                               const Axis& axis) const {
  std::vector<Lane> lanes;
  const Time end = axis.end + Duration{1};
  const std::vector<result::Session> sessions = result::sessions(history);
  for (std::size_t i = 0; i < history.instances.size(); ++i)
    if (has_changed(history.instances[i], after))
      lanes.push_back(
          instance_lane(history.instances[i], result::time_of(history, i, sessions, end), axis));
  for (const Resource& of : resources_)
    if (of.last > after) lanes.push_back(resource_lane(of, history, axis));
  return lanes;
}

std::vector<Lane> Lanes::all(const result::History& history, const std::vector<Mark>& marks,
                             const Axis& axis) const {
  std::vector<Lane> lanes;
  if (std::ranges::any_of(marks, [](const Mark& mark) { return mark.lane == "operator"; }))
    lanes.push_back({.kind = "operator", .id = "operator", .name = "operator", .pool = ""});
  const std::vector<result::InstanceTime> times = result::instance_times(history);
  for (std::size_t i = 0; i < times.size(); ++i)
    lanes.push_back(instance_lane(history.instances[i], times[i], axis));
  for (const Resource& of : resources_) {
    lanes.push_back(resource_lane(of, history, axis));
    std::erase_if(lanes.back().spans, [](const Span& span) { return span.from == span.to; });
  }
  return lanes;
}

Json to_json(const Lane& lane, const Axis& axis) {
  Json spans = Json::array();
  for (const Span& span : lane.spans)
    spans.push_back({{"what", span.what},
                     {"from", axis.at(span.from)},
                     {"to", axis.at(span.to)},
                     {"lines", span.lines}});
  return {{"kind", lane.kind},
          {"id", lane.id},
          {"name", lane.name},
          {"pool", lane.pool.empty() ? Json(nullptr) : Json(lane.pool)},
          {"spans", spans}};
}

}  // namespace sim::report
