#include "sim/result/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "base/json_text.h"
#include "sim/events/read.h"

namespace sim::run {
namespace {

using base::text_of;

market::Usd usd(std::string_view amount, std::string_view name) {
  const auto parsed = market::parse_usd(std::string(amount));
  if (!parsed) throw std::runtime_error(fmt::format("charge without a price in \"{}\"", name));
  return *parsed;
}

Time instant(std::string_view text, std::string_view name) {
  const auto t = parse_time(text);
  if (!t) throw std::runtime_error(fmt::format("charge without an instant in \"{}\"", name));
  return *t;
}

// What a line of a trainer's tells.
template <class E>
constexpr TrainerEvent kTells = TrainerEvent::kOther;
template <>
constexpr TrainerEvent kTells<events::TrainerStart> = TrainerEvent::kStart;
template <>
constexpr TrainerEvent kTells<events::TrainerStep> = TrainerEvent::kStep;
template <>
constexpr TrainerEvent kTells<events::TrainerCheckpointBegin> = TrainerEvent::kCheckpointBegin;
template <>
constexpr TrainerEvent kTells<events::TrainerCheckpointSnapshot> =
    TrainerEvent::kCheckpointSnapshot;
template <>
constexpr TrainerEvent kTells<events::TrainerCheckpointDurable> = TrainerEvent::kCheckpointDurable;
template <>
constexpr TrainerEvent kTells<events::TrainerCheckpointWritten> = TrainerEvent::kCheckpointWritten;
template <>
constexpr TrainerEvent kTells<events::TrainerCheckpointFailed> = TrainerEvent::kCheckpointFailed;
template <>
constexpr TrainerEvent kTells<events::TrainerStop> = TrainerEvent::kStop;
template <>
constexpr TrainerEvent kTells<events::TrainerFinished> = TrainerEvent::kFinished;

}  // namespace

void StoryTeller::listen(events::Listeners& log) {
  log.on_all([this](const events::AnyEvent& event, std::string_view) { any(event); });
  log.on(*this, &StoryTeller::run_start);
  log.on(*this, &StoryTeller::run_end);
  log.on(*this, &StoryTeller::instance_state);
  listen_for<events::InstanceBoot>(log, &InstanceStory::booted_at);
  listen_for<events::InstanceNotice>(log, &InstanceStory::notice_at);
  listen_for<events::InstanceInterrupted>(log, &InstanceStory::interrupted_at);
  log.on<events::VolumeState>([this](const events::VolumeState& event) {
    story_.volumes[std::string(event.volume_id)] = event.to;
  });
  log.on<events::SnapshotState>([this](const events::SnapshotState& event) {
    story_.snapshots[std::string(event.snapshot_id)] = event.to;
  });
  log.on<events::FleetState>([this](const events::FleetState& event) {
    story_.fleets[std::string(event.fleet_id)] = event.to;
  });
  log.on(*this, &StoryTeller::tags_created);
  log.on(*this, &StoryTeller::tags_deleted);
  log.on(*this, &StoryTeller::charge);
  log.on(*this, &StoryTeller::phase);
  log.on(*this, &StoryTeller::exit);
  log.on(*this, &StoryTeller::training_job);
  listen_to_trainers<events::TrainerStart, events::TrainerStep, events::TrainerCheckpointBegin,
                     events::TrainerCheckpointSnapshot, events::TrainerCheckpointDurable,
                     events::TrainerCheckpointWritten, events::TrainerCheckpointFailed,
                     events::TrainerCheckpointRejected, events::TrainerDiverged,
                     events::TrainerCrash, events::TrainerStop, events::TrainerFinished>(log);
}

void StoryTeller::any(const events::AnyEvent& event) {
  if (!std::exchange(begun_, true) && event.kind() != events::Kind::kRunStart)
    throw std::runtime_error("the log does not begin with run.start");
  story_.end = event.time();
}

InstanceStory* StoryTeller::instance(std::string_view id) {
  // Most lines are of the instance of the line before.
  if (last_ < story_.instances.size() && story_.instances[last_].id == id)
    return &story_.instances[last_];
  const auto it = index_.find(id);
  if (it == index_.end()) return nullptr;
  last_ = it->second;
  return &story_.instances[last_];
}

std::uint32_t StoryTeller::reason(std::string_view text) {
  auto& known = story_.reasons;
  const auto at = std::ranges::find(known, text) - known.begin();
  if (at == std::ssize(known)) known.emplace_back(text);
  return static_cast<std::uint32_t>(at);
}

template <class E>
void StoryTeller::listen_for(events::Listeners& log, std::optional<Time> InstanceStory::*mark) {
  log.on<E>([this, mark](const E& event) {
    InstanceStory* const story = instance(event.instance_id);
    if (story && !(story->*mark)) story->*mark = event.time;
  });
}

template <class... Events>
void StoryTeller::listen_to_trainers(events::Listeners& log) {
  (log.on(*this, &StoryTeller::trainer<Events>), ...);
}

template <class E>
void StoryTeller::trainer(const E& event) {
  InstanceStory* const story = instance(event.instance_id);
  if (!story) return;
  TrainerLine line{.order = heard_++, .at = event.time, .event = kTells<E>};
  // Steps are counted from 0; guests may report any number.
  if constexpr (requires { event.step; }) line.step = std::max<std::int64_t>(0, event.step);
  if constexpr (requires { event.reason; }) line.reason = reason(event.reason);
  if constexpr (kTells<E> == TrainerEvent::kStart) {
    line.total_steps = event.total_steps;
    story->trained_or_meant_to = true;
  } else if constexpr (requires { event.total_steps; }) {
    line.total_steps = event.total_steps.value_or(0);
  }
  story->trainer.push_back(line);
}

void StoryTeller::run_start(const events::RunStart& event) {
  Header& h = story_.header;
  h.start = event.time;
  h.scenario = event.scenario;
  h.guest = event.guest;
  h.level = event.level;
  h.job_volume_tag = event.job_volume_tag;
  h.seed = event.seed;
  h.lockstep = event.lockstep;
  if (event.deadline_seconds.value_or(0) > 0) h.deadline = from_seconds(*event.deadline_seconds);
  if (event.step_seconds.get().is_object()) {
    for (const auto& [type, value] : event.step_seconds.get().items()) {
      if (value.is_number()) h.step_seconds[type] = value.get<double>();
    }
  }
  h.baseline_type = event.baseline_instance_type;
  h.baseline_instances = event.baseline_instances.value_or(1);
  h.baseline_price = market::parse_usd(std::string(event.baseline_price));
  for (const Json& item : event.assumptions.get()) {
    if (item.is_string()) h.assumptions.push_back(item.get<std::string>());
  }
}

void StoryTeller::instance_state(const events::InstanceState& event) {
  if (event.is_new()) {
    InstanceStory story;
    story.id = event.instance_id;
    story.type = event.instance_type;
    story.zone = event.availability_zone;
    story.lifecycle = event.lifecycle;
    story.fleet = event.fleet_id;
    story.managed_by = event.managed_by;
    story.launched_at = event.time;
    story.trained_or_meant_to = launched_to_train(event);
    index_[story.id] = story_.instances.size();
    story_.instances.push_back(std::move(story));
  }
  InstanceStory* const story = instance(event.instance_id);
  if (!story) return;
  const auto first = [&](std::optional<Time>& at) {
    if (!at) at = event.time;
  };
  if (event.to == "running") first(story->running_at);
  if (event.to == "shutting-down") {
    first(story->shutting_down_at);
    story->end_reason = event.reason;
  }
  if (event.to == "terminated") first(story->terminated_at);
}

void StoryTeller::phase(const events::OrchestratorPhase& event) {
  InstanceStory* const story = instance(event.instance_id);
  if (story && event.name == "train") story->trained_or_meant_to = true;
}

void StoryTeller::exit(const events::GuestExit& event) {
  InstanceStory* const story = instance(event.machine);
  if (!story) return;
  story->exited_at = event.time;
  story->exited_badly = event.status != 0;
}

void StoryTeller::tags_created(const events::TagsCreated& event) {
  const std::string name = text_of(event.tags.get(), "Name");
  if (!name.empty()) story_.names[std::string(event.resource_id)] = name;
}

void StoryTeller::tags_deleted(const events::TagsDeleted& event) {
  const Json& keys = event.tags.get();
  if (std::ranges::find(keys, "Name") != keys.end())
    story_.names.erase(std::string(event.resource_id));
}

void StoryTeller::charge(const events::Charge& event) {
  story_.charges.push_back({.kind = std::string(event.kind),
                            .resource = std::string(event.resource),
                            .unit = std::string(event.unit),
                            .note = std::string(event.note),
                            .from = instant(event.from, "from"),
                            .to = instant(event.to, "to"),
                            .quantity = event.quantity,
                            .unit_price = usd(event.unit_price, "unit_price"),
                            .cost = usd(event.cost, "cost")});
}

void StoryTeller::run_end(const events::RunEnd& event) {
  story_.outcome = event.outcome;
  if (!event.cause.empty()) story_.cause = cause_from(event.cause.get());
  if (!event.evidence.empty()) story_.evidence = evidence_from(event.evidence.get());
}

void StoryTeller::training_job(const events::SagemakerEnd& event) {
  story_.training_jobs.push_back({.name = std::string(event.job),
                                  .status = std::string(event.status),
                                  .secondary_status = std::string(event.secondary_status),
                                  .model = std::string(event.model),
                                  .failure_reason = std::string(event.failure_reason),
                                  .hosts = event.hosts,
                                  .interruptions = event.interruptions,
                                  .training_seconds = event.training_seconds,
                                  .billable_seconds = event.billable_seconds});
}

std::optional<double> TrainingJobEnd::savings() const {
  const double training = std::round(training_seconds);
  if (training <= 0) return std::nullopt;
  return 1 - std::round(billable_seconds) / training;
}

}  // namespace sim::run
