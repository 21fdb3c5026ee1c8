#include "sim/report/marks.h"

#include <algorithm>

namespace sim::report {

const std::vector<MarkRow>& mark_rows() {
  static const std::vector<MarkRow> rows{
      {"instance.rebalance", "notice", "instance_id", "rebalance recommendation"},
      {"instance.notice", "notice", "instance_id", "interruption notice: {action} at {at}"},
      {"instance.interrupted", "interrupted", "instance_id", "EC2 takes the instance: {reason}"},
      {"scenario.interruption", "fault", "",
       "interruption in {instance_type}/{availability_zone}: {instances}"},
      {"fault.strike", "fault", "machine", "fault {fault} strikes: {kind} {action}"},
      {"fault.damage", "fault", "disk", "a fault damages {disk}"},
      {"fault.silence", "fault", "instance_id", "a fault hides the notice until {until}"},
      {"fault.made", "fault", "resource_id", "a fault makes {resource_id}"},
      {"control", "fault", "", "control API: {action} {result}"},
      {"snapshot.state", "snapshot", "volume_id", "{snapshot_id} is {to}"},
      {"attachment.state", "attachment", "volume_id", "{to}: {instance_id}"},
      {"api.call", "call", "caller", "{service} {action}: {result}"},
      {"orchestrator.phase", "phase", "instance_id", "spotrun: {name}"},
      {"orchestrator.decision", "phase", "instance_id",
       "rent {rental} {instance_type} {availability_zone}"},
      {"trainer.start", "training", "instance_id", "training starts after step {step}"},
      {"trainer.stop", "training", "instance_id", "training stops at step {step}: {reason}"},
      {"trainer.finished", "training", "instance_id", "training is finished at step {step}"},
      {"trainer.checkpoint-durable", "checkpoint", "instance_id", "step {step} is saved"},
      {"trainer.checkpoint-written", "checkpoint", "instance_id", "step {step} is written"},
      {"checkpoint.copied", "checkpoint", "instance_id", "step {step} is copied to {uri}"},
      {"sagemaker.synced", "checkpoint", "instance_id", "checkpoints are copied to {uri}"},
      {"trainer.checkpoint-failed", "failure", "instance_id", "step {step} is not saved: {why}"},
      {"trainer.checkpoint-rejected", "failure", "instance_id",
       "{checkpoint} is not loaded: {why}"},
      {"trainer.diverged", "failure", "instance_id", "training diverges at step {step}: {why}"},
      {"trainer.crash", "failure", "instance_id", "the trainer crashes at step {step}"},
      {"guest.command-error", "failure", "machine", "{message}"},
      {"guest.unknown-name", "failure", "machine", "no such name: {name}"},
      {"guest.bad-event", "failure", "instance_id", "bad line of progress: {why}"},
      {"guest.exit", "exit", "machine", "the script ends with status {status}"},
      {"guest.reboot", "exit", "machine", "reboot"},
      {"fleet.history", "group", "fleet_id", "{sub_type} {instance_id} {description}"},
      {"sagemaker.exit", "group", "job", "the container on {instance_id} ends: status {status}"},
      {"sagemaker.model", "group", "job", "the model is at {uri}"},
      {"autoscaling.activity", "group", "group", "{status}: {description}"},
      {"elastigroup.log", "group", "group_id", "{severity}: {message}"},
      {"stack.resource", "group", "stack", "{logical_id} {status} {reason}"},
  };
  return rows;
}

std::string field_text(const Json& fields, std::string_view name) {
  const auto field = fields.find(std::string(name));
  if (field == fields.end() || field->is_null()) return {};
  return field->is_string() ? field->get<std::string>() : field->dump();
}

std::string filled(std::string_view text, const Json& fields) {
  std::string all;
  while (!text.empty()) {
    const std::size_t open = text.find('{'), close = text.find('}');
    all += text.substr(0, open);
    if (open == std::string_view::npos) break;
    all += field_text(fields, text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  while (all.ends_with(' ') || all.ends_with(':')) all.pop_back();
  return all;
}

void add_mark(const Event& event, LineNumber line, std::vector<Mark>& marks) {
  const auto& rows = mark_rows();
  const auto row = std::ranges::find(rows, event.kind, &MarkRow::event);
  if (row == rows.end()) return;
  const bool refused = row->mark == "call" && field_text(event.fields, "result") != "ok";
  marks.push_back({.kind = refused ? "refused-call" : row->mark,
                   .lane = field_text(event.fields, row->lane),
                   .at = event.time,
                   .text = filled(row->text, event.fields),
                   .line = line});
}

Json to_json(const Mark& mark, const Axis& axis) {
  return {{"kind", mark.kind},
          {"lane", mark.lane.empty() ? Json(nullptr) : Json(mark.lane)},
          {"at", axis.at(mark.at)},
          {"text", mark.text},
          {"line", mark.line}};
}

}  // namespace sim::report
