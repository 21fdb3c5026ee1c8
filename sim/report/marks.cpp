#include "sim/report/marks.h"

namespace sim::report {

std::string field_text(const events::AnyEvent& event, std::string_view name) {
  const Json field = event.field(name);
  if (field.is_null()) return {};
  return field.is_string() ? field.get<std::string>() : field.dump();
}

const std::vector<MarkRow>& mark_rows() {
  static const std::vector<MarkRow> rows{
      {events::Kind::kInstanceRebalance, "notice", "instance_id", "rebalance recommendation"},
      {events::Kind::kInstanceNotice, "notice", "instance_id",
       "interruption notice: {action} at {at}"},
      {events::Kind::kInstanceInterrupted, "interrupted", "instance_id",
       "EC2 takes the instance: {reason}"},
      {events::Kind::kScenarioInterruption, "fault", "",
       "interruption in {instance_type}/{availability_zone}: {instances}"},
      {events::Kind::kFaultStrike, "fault", "machine", "fault {fault} strikes: {kind} {action}"},
      {events::Kind::kFaultDamage, "fault", "disk", "a fault damages {disk}"},
      {events::Kind::kFaultSilence, "fault", "instance_id",
       "a fault hides the notice until {until}"},
      {events::Kind::kFaultMade, "fault", "resource_id", "a fault makes {resource_id}"},
      {events::Kind::kControl, "fault", "", "control API: {action} {result}"},
      {events::Kind::kSnapshotState, "snapshot", "volume_id", "{snapshot_id} is {to}"},
      {events::Kind::kAttachmentState, "attachment", "volume_id", "{to}: {instance_id}"},
      {events::Kind::kApiCall, "call", "caller", "{service} {action}: {result}"},
      {events::Kind::kIamDenied, "failure", "caller", "IAM refuses {action}: {reason}"},
      {events::Kind::kOrchestratorPhase, "phase", "instance_id", "spotrun: {name}"},
      {events::Kind::kOrchestratorDecision, "phase", "instance_id",
       "rent {rental} {instance_type} {availability_zone}"},
      {events::Kind::kTrainerStart, "training", "instance_id", "training starts after step {step}"},
      {events::Kind::kTrainerStop, "training", "instance_id",
       "training stops at step {step}: {reason}"},
      {events::Kind::kTrainerFinished, "training", "instance_id",
       "training is finished at step {step}"},
      {events::Kind::kTrainerCheckpointDurable, "checkpoint", "instance_id",
       "step {step} is saved"},
      {events::Kind::kTrainerCheckpointWritten, "checkpoint", "instance_id",
       "step {step} is written"},
      {events::Kind::kCheckpointCopied, "checkpoint", "instance_id",
       "step {step} is copied to {uri}"},
      {events::Kind::kSagemakerSynced, "checkpoint", "instance_id",
       "checkpoints are copied to {uri}"},
      {events::Kind::kTrainerCheckpointFailed, "failure", "instance_id",
       "step {step} is not saved: {why}"},
      {events::Kind::kTrainerCheckpointRejected, "failure", "instance_id",
       "{checkpoint} is not loaded: {why}"},
      {events::Kind::kTrainerDiverged, "failure", "instance_id",
       "training diverges at step {step}: {why}"},
      {events::Kind::kTrainerCrash, "failure", "instance_id", "the trainer crashes at step {step}"},
      {events::Kind::kGuestCommandError, "failure", "machine", "{message}"},
      {events::Kind::kGuestUnknownName, "failure", "machine", "no such name: {name}"},
      {events::Kind::kGuestBadEvent, "failure", "instance_id", "bad line of progress: {why}"},
      {events::Kind::kGuestExit, "exit", "machine", "the script ends with status {status}"},
      {events::Kind::kGuestReboot, "exit", "machine", "reboot"},
      {events::Kind::kFleetHistory, "group", "fleet_id", "{sub_type} {instance_id} {description}"},
      {events::Kind::kSagemakerExit, "group", "job",
       "the container on {instance_id} ends: status {status}"},
      {events::Kind::kSagemakerModel, "group", "job", "the model is at {uri}"},
      {events::Kind::kAutoscalingActivity, "group", "group", "{status}: {description}"},
      {events::Kind::kElastigroupLog, "group", "group_id", "{severity}: {message}"},
      {events::Kind::kStackResource, "group", "stack", "{logical_id} {status} {reason}"},
  };
  return rows;
}

std::string filled(std::string_view text, const events::AnyEvent& event) {
  std::string all;
  while (!text.empty()) {
    const std::size_t open = text.find('{'), close = text.find('}');
    all += text.substr(0, open);
    if (open == std::string_view::npos) break;
    all += field_text(event, text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  while (all.ends_with(' ') || all.ends_with(':')) all.pop_back();
  return all;
}

void listen_for_marks(events::Listeners& log, const LineNumber& line, std::vector<Mark>& marks) {
  for (const MarkRow& row : mark_rows())
    log.on_kind(row.event, [&](const events::AnyEvent& event, std::string_view) {
      const bool refused = row.event == events::Kind::kApiCall && event.text("result") != "ok";
      marks.push_back({.kind = refused ? "refused-call" : row.mark,
                       .lane = field_text(event, row.lane),
                       .at = event.time(),
                       .text = filled(row.text, event),
                       .line = line});
    });
}

Json to_json(const Mark& mark, const Axis& axis) {
  return {{"kind", mark.kind},
          {"lane", mark.lane.empty() ? Json(nullptr) : Json(mark.lane)},
          {"at", axis.at(mark.at)},
          {"text", mark.text},
          {"line", mark.line}};
}

}  // namespace sim::report
