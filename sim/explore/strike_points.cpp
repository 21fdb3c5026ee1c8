#include "sim/explore/strike_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/result/event_fields.h"

namespace sim::explore {
namespace {

std::string text(const Event& line, std::string_view field) {
  return std::string(run::text(line, field));
}

// The fields that tell one line of a kind from another.
std::map<std::string, std::string> telling(const Event& line) {
  std::map<std::string, std::string> fields;
  for (const char* field : {"to", "name"})
    if (const std::string value = text(line, field); !value.empty()) fields[field] = value;
  return fields;
}

// Lines that tell of no step of anything: the bill, what a guest prints, the run itself.
bool tells_nothing(const std::string& kind) {
  static const std::set<std::string> kSilent{"price",
                                             "capacity",
                                             "charge",
                                             "fleet.history",
                                             "spot-request.status",
                                             "tags.created",
                                             "tags.deleted",
                                             "fault.strike",
                                             "fault.damage",
                                             "fault.made",
                                             "fault.silence",
                                             "guest.exit",
                                             "run.start",
                                             "run.end",
                                             "guest.download",
                                             "imds.request",
                                             "api.call",
                                             "scenario.interruption",
                                             "guest.bad-event",
                                             "guest.refused",
                                             "guest.output-full",
                                             "guest.spun",
                                             "control"};
  return kind.starts_with("network.") || kSilent.contains(kind);
}

}  // namespace

void StrikePoints::add(StrikePoint::Kind kind, faults::When when, std::string about,
                       const std::string& machine, const Event& line) {
  const bool same = instant_taken_ && instant_ == line.time;
  instant_ = line.time;
  instant_taken_ = kind != StrikePoint::Kind::kCall && kind != StrikePoint::Kind::kMetadata;
  all_.push_back({.kind = kind,
                  .when = std::move(when),
                  .about = std::move(about),
                  .machine = machine,
                  .at = line.time,
                  .state = world_.hash(),
                  .instance_runs = world_.instance_runs(),
                  .spot_runs = world_.spot_runs(),
                  .same_instant = same});
}

void StrikePoints::hear_call(const Event& line) {
  const std::string action = text(line, "action"), caller = world_.machine(text(line, "caller"));
  faults::OnCall on{.side = faults::OnCall::Side::kBefore,
                    .action = action,
                    .caller = caller,
                    .nth = ++seen_[fmt::format("call {} {}", caller, action)]};
  add(StrikePoint::Kind::kCall, on, action, caller, line);
  if (text(line, "result") != "ok") return;
  on.side = faults::OnCall::Side::kAfter;
  on.nth = ++seen_[fmt::format("answered {} {}", caller, action)];
  add(StrikePoint::Kind::kAnsweredCall, on, action, caller, line);
}

void StrikePoints::hear_metadata(const Event& line) {
  const std::string path = text(line, "path"), instance = world_.machine(text(line, "instance_id"));
  const std::string which = fmt::format("imds {} {}", instance, path);
  const int nth = ++seen_[which];
  // Who looks again and again, and finds nothing each time, is struck the first time.
  const bool nothing = line.fields.value("status", 0) == 404;
  if (nothing && !polled_.insert(which).second) return;
  add(StrikePoint::Kind::kMetadata,
      faults::OnMetadata{.path = path, .instance = instance, .nth = nth}, path, instance, line);
}

void StrikePoints::hear_event(const Event& line) {
  if (tells_nothing(line.kind)) return;
  const bool step = line.kind == "trainer.step";
  const auto fields = telling(line);
  std::string words = line.kind;
  for (const auto& [name, value] : fields) words += " " + value;
  const int nth = ++seen_[words];
  // Of training only the first step after anything else: the others are like it.
  if (!step) polled_.clear();
  if (step && std::exchange(stepped_, true)) return;
  stepped_ = step;
  faults::OnEvent on{.event = line.kind, .fields = fields, .nth = nth};
  const std::string state = text(line, line.kind == "orchestrator.phase" ? "name" : "to");
  const std::string about = state.empty() ? line.kind : line.kind + " " + state;
  add(StrikePoint::Kind::kEvent, on, about, world_.machine(text(line, "instance_id")), line);
}

void StrikePoints::follow_recovery(const Event& line) {
  if (line.kind == "fault.strike") {
    if (struck_.empty()) recovery_begins_ = all_.size();
    struck_.insert(line.fields.at("fault").get<std::int64_t>());
  }
  if (struck_.empty() || recovery_ends_ != SIZE_MAX) return;
  const std::string instance = text(line, "instance_id");
  if (line.kind == "instance.notice") leaving_.insert(instance);
  if (leaving_.contains(instance)) return;
  if (line.kind == "trainer.step") trained_since_ = true;
  const bool saved =
      line.kind == "trainer.checkpoint-durable" || line.kind == "trainer.checkpoint-written";
  if (saved && trained_since_) recovery_ends_ = all_.size();
}

void StrikePoints::hear(const Event& line) {
  if (line.kind == "api.call") {
    polled_.clear();
    hear_call(line);
    world_.hear(line);
  } else {
    world_.hear(line);
    if (line.kind == "imds.request") {
      hear_metadata(line);
    } else {
      hear_event(line);
    }
  }
  follow_recovery(line);
}

std::vector<StrikePoint> StrikePoints::in_recovery() const {
  if (struck_.empty()) return {};
  const auto end = std::min(recovery_ends_, all_.size());
  return {all_.begin() + static_cast<std::ptrdiff_t>(recovery_begins_),
          all_.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace sim::explore
