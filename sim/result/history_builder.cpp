#include "sim/result/history_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ranges>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "sim/events/read.h"

namespace sim::result {
namespace {

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

// The kind of event that a trainer's line reports.
template <class E>
constexpr TrainerEvent kReports = TrainerEvent::kOther;
template <>
constexpr TrainerEvent kReports<events::TrainerStart> = TrainerEvent::kStart;
template <>
constexpr TrainerEvent kReports<events::TrainerStep> = TrainerEvent::kStep;
template <>
constexpr TrainerEvent kReports<events::TrainerCheckpointBegin> = TrainerEvent::kCheckpointBegin;
template <>
constexpr TrainerEvent kReports<events::TrainerCheckpointSnapshot> =
    TrainerEvent::kCheckpointSnapshot;
template <>
constexpr TrainerEvent kReports<events::TrainerCheckpointDurable> =
    TrainerEvent::kCheckpointDurable;
template <>
constexpr TrainerEvent kReports<events::TrainerCheckpointWritten> =
    TrainerEvent::kCheckpointWritten;
template <>
constexpr TrainerEvent kReports<events::TrainerCheckpointFailed> = TrainerEvent::kCheckpointFailed;
template <>
constexpr TrainerEvent kReports<events::TrainerStop> = TrainerEvent::kStop;
template <>
constexpr TrainerEvent kReports<events::TrainerFinished> = TrainerEvent::kFinished;
template <>
constexpr TrainerEvent kReports<events::TrainerDiverged> = TrainerEvent::kFailed;
template <>
constexpr TrainerEvent kReports<events::TrainerCrash> = TrainerEvent::kFailed;

template <class E>
std::string uri_of(const E& object) {
  return fmt::format("{}{}/{}", kBucketScheme, object.bucket, object.key);
}

}  // namespace

void HistoryBuilder::listen(events::Listeners& log) {
  log.on_all(
      [this](const events::AnyEvent& event, std::string_view) { history_.end = event.time(); });
  log.on(*this, &HistoryBuilder::run_start);
  log.on(*this, &HistoryBuilder::run_end);
  log.on(*this, &HistoryBuilder::instance_state);
  mark_first<events::InstanceBoot>(log, &History::Instance::booted_at);
  mark_first<events::InstanceNotice>(log, &History::Instance::notice_at);
  mark_first<events::InstanceInterrupted>(log, &History::Instance::interrupted_at);
  log.on(*this, &HistoryBuilder::volume_state);
  log.on(*this, &HistoryBuilder::attachment_state);
  log.on(*this, &HistoryBuilder::snapshot_state);
  log.on<events::FleetState>([this](const events::FleetState& event) {
    // An instant fleet ends when it is made: it never launches again.
    if (event.type == "instant") instant_fleets_.emplace(event.fleet_id);
    if (!instant_fleets_.contains(event.fleet_id))
      history_.fleets[std::string(event.fleet_id)] = event.to;
  });
  log.on<events::AutoscalingGroup>([this](const events::AutoscalingGroup& event) {
    history_.groups[std::string(event.group)] = event.desired;
  });
  log.on(*this, &HistoryBuilder::tags_created);
  log.on(*this, &HistoryBuilder::tags_deleted);
  log.on<events::ObjectStored>([this](const auto& e) { history_.objects.insert(uri_of(e)); });
  log.on<events::ObjectRemoved>([this](const auto& e) { history_.objects.erase(uri_of(e)); });
  log.on<events::FaultMade>([this](const events::FaultMade& event) {
    history_.made_by_faults.emplace(event.resource_id, event.time);
  });
  log.on(*this, &HistoryBuilder::reboot);
  log.on(*this, &HistoryBuilder::exit);
  log.on(*this, &HistoryBuilder::charge);
  log.on(*this, &HistoryBuilder::phase);
  log.on(*this, &HistoryBuilder::training_job);
  log.on(*this, &HistoryBuilder::stack_status);
  log.on(*this, &HistoryBuilder::stack_resource);
  log.on(*this, &HistoryBuilder::call);
  log.on(*this, &HistoryBuilder::iam_denied);
  listen_to_trainers<events::TrainerStart, events::TrainerStep, events::TrainerCheckpointBegin,
                     events::TrainerCheckpointSnapshot, events::TrainerCheckpointDurable,
                     events::TrainerCheckpointWritten, events::TrainerCheckpointFailed,
                     events::TrainerCheckpointRejected, events::TrainerDiverged,
                     events::TrainerCrash, events::TrainerStop, events::TrainerFinished>(log);
  checkpoints_.listen(log);
}

History::Instance* HistoryBuilder::instance(std::string_view id) {
  // Most lines are about the same instance as the line before.
  if (last_ < history_.instances.size() && history_.instances[last_].id == id)
    return &history_.instances[last_];
  const auto it = history_.places.find(id);
  if (it == history_.places.end()) return nullptr;
  last_ = it->second;
  return &history_.instances[last_];
}

std::uint32_t HistoryBuilder::reason(std::string_view text) {
  auto& known = history_.reasons;
  const auto at = std::ranges::find(known, text) - known.begin();
  if (at == std::ssize(known)) known.emplace_back(text);
  return static_cast<std::uint32_t>(at);
}

template <class E>
void HistoryBuilder::mark_first(events::Listeners& log,
                                std::optional<Time> History::Instance::*mark) {
  log.on<E>([this, mark](const E& event) {
    History::Instance* const known = instance(event.instance_id);
    if (known && !(known->*mark)) known->*mark = event.time;
  });
}

template <class... Events>
void HistoryBuilder::listen_to_trainers(events::Listeners& log) {
  (log.on(*this, &HistoryBuilder::trainer<Events>), ...);
}

template <class E>
void HistoryBuilder::trainer(const E& event) {
  History::Instance* const known = instance(event.instance_id);
  if (!known) return;
  TrainerLine line{.order = trainers_lines_++,
                   .stay = known->restarts(),
                   .at = event.time,
                   .event = kReports<E>};
  // Steps are counted from 0; guests may report any number.
  if constexpr (requires { event.step; }) line.step = std::max<std::int64_t>(0, event.step);
  constexpr bool counts =
      std::is_same_v<E, events::TrainerStart> || std::is_same_v<E, events::TrainerStep>;
  if constexpr (counts) history_.step = line.step;
  if constexpr (requires { event.reason; }) line.reason = reason(event.reason);
  if constexpr (kReports<E> == TrainerEvent::kStart) {
    line.total_steps = event.total_steps;
    known->has_trained = true;
  } else if constexpr (requires { event.total_steps; }) {
    line.total_steps = event.total_steps.value_or(0);
  }
  if (line.total_steps > 0) history_.total_steps = line.total_steps;
  known->trainer.push_back(line);
}

void HistoryBuilder::run_start(const events::RunStart& event) {
  Header& h = history_.header;
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
  h.progress = event.progress;
  h.evidence = event.evidence;
  h.copies = !event.copies.empty();
  if (event.written_back_seconds) h.written_back = from_seconds(*event.written_back_seconds);
}

void HistoryBuilder::instance_state(const events::InstanceState& event) {
  const std::string id(event.instance_id);
  if (event.is_new() && history_.places.try_emplace(id, history_.instances.size()).second)
    history_.instances.push_back({.id = id,
                                  .type = std::string(event.instance_type),
                                  .zone = std::string(event.availability_zone),
                                  .lifecycle = std::string(event.lifecycle),
                                  .fleet = std::string(event.fleet_id),
                                  .autoscaling_group = std::string(event.autoscaling_group),
                                  .managed_by = std::string(event.managed_by),
                                  .launched_at = event.time});
  History::Instance* const known = instance(id);
  if (!known) return;
  const auto first = [&](std::optional<Time>& at) {
    if (!at) at = event.time;
  };
  known->state = event.to;
  if (event.to == "running") first(known->running_at);
  if (event.to == "stopping") {
    known->pauses.push_back({.begins_at = event.time,
                             .billed_until = event.time,
                             .started_at = {},
                             .until = {},
                             .notice_at = known->notice_at,
                             .reason = std::string(event.reason)});
    known->cut_short = runs_user_data(*known);
  }
  if (event.to == "pending" && known->is_stopped()) known->pauses.back().started_at = event.time;
  if (event.to == "running" && known->is_stopped()) {
    known->pauses.back().until = event.time;
    known->notice_at.reset();
    known->interrupted_at.reset();
  }
  if (event.to == "shutting-down") {
    first(known->shutting_down_at);
    known->end_reason = event.reason;
    known->cut_short = runs_user_data(*known);
  }
  if (event.to == "terminated") first(known->terminated_at);
}

bool HistoryBuilder::runs_user_data(const History::Instance& instance) const {
  const auto exit = history_.exits.find(instance.id);
  if (exit == history_.exits.end()) return true;
  const auto& lines = instance.trainer;
  return instance.restarts() > 0 && !lines.empty() && lines.back().stay == instance.restarts() &&
         exit->second.at <= *instance.runs_since();
}

void HistoryBuilder::reboot(const events::GuestReboot& event) {
  History::Instance* const known = instance(event.machine);
  if (known && known->state == "running")
    known->pauses.push_back({.begins_at = event.time,
                             .billed_until = event.time,
                             .started_at = event.time,
                             .until = event.time,
                             .notice_at = {},
                             .reason = {}});
}

void HistoryBuilder::exit(const events::GuestExit& event) {
  const History::Exit exit{event.time, event.status, to_line(event)};
  history_.exits.insert_or_assign(std::string(event.machine), exit);
  if (History::Instance* const known = instance(event.machine)) known->exits.push_back(exit);
}

template <class E>
void HistoryBuilder::enter(History::Resource& resource, const E& event) {
  if (event.from.empty()) {
    resource.made_at = event.time;
    resource.made_by = to_line(event);
    resource.by_job =
        std::ranges::any_of(history_.instances, &History::Instance::launched_to_train);
  }
  resource.state = event.to;
  resource.since = event.time;
}

void HistoryBuilder::volume_state(const events::VolumeState& event) {
  History::Volume& volume = history_.volumes[std::string(event.volume_id)];
  enter(volume, event);
  if (event.is_new()) volume.zone = event.availability_zone;
}

void HistoryBuilder::attachment_state(const events::AttachmentState& event) {
  history_.volumes[std::string(event.volume_id)].attachment = {
      .state = std::string(event.to), .line = to_line(event), .since = event.time};
}

void HistoryBuilder::snapshot_state(const events::SnapshotState& event) {
  History::Snapshot& snapshot = history_.snapshots[std::string(event.snapshot_id)];
  enter(snapshot, event);
  if (event.from.empty()) snapshot.volume = event.volume_id;
}

void HistoryBuilder::phase(const events::OrchestratorPhase& event) {
  History::Instance* const known = instance(event.instance_id);
  if (!known) return;
  known->phases.emplace_back(event.name);
  if (event.name == "train") known->has_trained = true;
}

void HistoryBuilder::tags_created(const events::TagsCreated& event) {
  History::Tags& tags = history_.tags[std::string(event.resource_id)];
  for (const auto& [name, value] : event.tags.get().items()) {
    if (!value.is_string()) continue;
    tags.all[name] = value.get<std::string>();
    if (name == "Name") tags.named_by = to_line(event);
  }
}

void HistoryBuilder::tags_deleted(const events::TagsDeleted& event) {
  History::Tags& tags = history_.tags[std::string(event.resource_id)];
  for (const Json& name : event.tags.get())
    if (name.is_string()) tags.all.erase(name.get<std::string>());
}

void HistoryBuilder::charge(const events::Charge& event) {
  history_.charges.push_back({.kind = std::string(event.kind),
                              .resource = std::string(event.resource),
                              .unit = std::string(event.unit),
                              .note = std::string(event.note),
                              .from = instant(event.from, "from"),
                              .to = instant(event.to, "to"),
                              .quantity = event.quantity,
                              .unit_price = usd(event.unit_price, "unit_price"),
                              .cost = usd(event.cost, "cost")});
  bill(history_.charges.back());
}

// An instance that hibernates is billed until its memory is saved.
void HistoryBuilder::bill(const ChargeLine& charge) {
  if (charge.kind != "instances") return;
  History::Instance* const known = instance(charge.resource);
  if (!known || !known->is_stopped()) return;
  Time& until = known->pauses.back().billed_until;
  until = std::max(until, charge.to);
}

void HistoryBuilder::run_end(const events::RunEnd& event) {
  history_.outcome = event.outcome;
  if (!event.cause.empty()) history_.cause = cause_from(event.cause.get());
  if (!event.evidence.empty()) history_.evidence = evidence_from(event.evidence.get());
}

void HistoryBuilder::stack_status(const events::StackStatus& event) {
  auto& stacks = history_.stacks;
  auto found = std::ranges::find(stacks, event.stack_id, &StackEnd::id);
  if (found == stacks.end())
    found = stacks.insert(stacks.end(),
                          {.name = std::string(event.stack), .id = std::string(event.stack_id)});
  found->status = event.status;
  found->reason = event.reason;
}

void HistoryBuilder::call(const events::ApiCall& event) {
  if (event.service == "monitoring" && !history_.uses_cpu_metric)
    history_.uses_cpu_metric =
        event.request.get().dump().find("CPUUtilization") != std::string::npos;
  if (!is_of_missing_action(event.result)) return;
  const std::string action = bare_action(event.action);
  auto& missing = history_.missing_actions;
  auto found = std::ranges::find_if(missing, [&](const MissingAction& one) {
    return one.service == event.service && one.action == action && one.caller == event.caller;
  });
  if (found == missing.end())
    found = missing.insert(missing.end(), {.service = std::string(event.service),
                                           .action = action,
                                           .caller = std::string(event.caller),
                                           .first = event.time});
  ++found->calls;
}

void HistoryBuilder::iam_denied(const events::IamDenied& event) {
  auto& missing = history_.missing_permissions;
  auto found = std::ranges::find_if(missing, [&](const MissingPermission& one) {
    return one.action == event.action && one.caller == event.caller &&
           one.principal == event.principal && one.reason == event.reason;
  });
  if (found == missing.end())
    found = missing.insert(missing.end(), {.action = std::string(event.action),
                                           .principal = std::string(event.principal),
                                           .caller = std::string(event.caller),
                                           .reason = std::string(event.reason),
                                           .resource = std::string(event.resource),
                                           .first = event.time});
  ++found->calls;
}

// The newest stack of this name counts, because older ones were deleted.
void HistoryBuilder::stack_resource(const events::StackResource& event) {
  if (!event.skipped.value_or(false)) return;
  for (StackEnd& stack : history_.stacks | std::views::reverse) {
    if (stack.name != event.stack) continue;
    if (std::ranges::find(stack.skipped, event.type) == stack.skipped.end())
      stack.skipped.emplace_back(event.type);
    return;
  }
}

void HistoryBuilder::training_job(const events::SagemakerEnd& event) {
  history_.training_jobs.push_back({.name = std::string(event.job),
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

}  // namespace sim::result
