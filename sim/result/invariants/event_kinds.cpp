#include "sim/result/invariants/event_kinds.h"

#include <algorithm>

namespace sim::run {
namespace {

std::string_view source_of(std::string_view kind) { return kind.substr(0, kind.find('.')); }

}  // namespace

std::span<const std::string_view> event_kinds() {
  static constexpr std::string_view kKinds[] = {"run.start",
                                                "price",
                                                "capacity",
                                                "instance.state",
                                                "instance.boot",
                                                "scenario.interruption",
                                                "instance.rebalance",
                                                "instance.notice",
                                                "instance.interrupted",
                                                "volume.state",
                                                "attachment.state",
                                                "snapshot.state",
                                                "spot-request.state",
                                                "spot-request.status",
                                                "fleet.state",
                                                "fleet.history",
                                                "launch-template.created",
                                                "launch-template.deleted",
                                                "tags.created",
                                                "tags.deleted",
                                                "bucket.created",
                                                "bucket.deleted",
                                                "object.stored",
                                                "object.removed",
                                                "upload.expired",
                                                "checkpoint.copied",
                                                "sagemaker.status",
                                                "sagemaker.exit",
                                                "sagemaker.synced",
                                                "sagemaker.model",
                                                "sagemaker.end",
                                                "charge",
                                                "api.call",
                                                "imds.request",
                                                "network.connected",
                                                "network.refused",
                                                "network.unanswered",
                                                "network.closed",
                                                "control",
                                                "guest.exit",
                                                "guest.reboot",
                                                "guest.user-data",
                                                "guest.setting",
                                                "guest.refused",
                                                "guest.output-full",
                                                "guest.spun",
                                                "guest.download",
                                                "guest.unknown-name",
                                                "guest.bad-event",
                                                "fault.strike",
                                                "fault.damage",
                                                "fault.made",
                                                "fault.silence",
                                                "run.end"};
  return kKinds;
}

bool is_event_kind(std::string_view kind) {
  const auto ours = event_kinds();
  if (std::ranges::find(ours, kind) != ours.end()) return true;
  const std::string_view source = source_of(kind);
  return source.size() + 1 < kind.size() && !source.empty() &&
         std::ranges::find(ours, source, source_of) == ours.end();
}

}  // namespace sim::run
