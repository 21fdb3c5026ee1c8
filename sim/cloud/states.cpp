#include "sim/cloud/states.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/kernel/check.h"

namespace sim::cloud {
namespace {

template <std::size_t N, class E>
std::string_view row_of(const std::array<std::string_view, N>& names, E s) {
  const auto i = static_cast<std::size_t>(s);
  SIM_CHECK(i < N);
  return names[i];
}

// The transitions, as EC2's user guide draws them. "deleted" of a snapshot is no SnapshotState: EC2
// stops showing the snapshot instead. The same is true for "deregistered" of an image.
constexpr Transition kTransitions[] = {
    {"instance", "", "pending"},
    {"instance", "pending", "running"},
    {"instance", "pending", "shutting-down"},
    {"instance", "running", "shutting-down"},
    {"instance", "running", "stopping"},
    {"instance", "stopping", "stopped"},
    {"instance", "stopping", "shutting-down"},
    {"instance", "stopped", "pending"},
    {"instance", "stopped", "terminated"},
    {"instance", "shutting-down", "terminated"},

    {"volume", "", "creating"},
    {"volume", "creating", "available"},
    {"volume", "creating", "error"},
    {"volume", "creating", "deleted"},  // its key cannot be used
    {"volume", "available", "in-use"},
    {"volume", "in-use", "available"},
    {"volume", "in-use", "error"},  // its hardware failed
    {"volume", "available", "error"},
    {"volume", "available", "deleting"},
    {"volume", "error", "deleting"},
    {"volume", "deleting", "deleted"},

    {"attachment", "", "attaching"},
    {"attachment", "attaching", "attached"},
    {"attachment", "attaching", "detaching"},  // its instance is terminated
    {"attachment", "attached", "detaching"},
    {"attachment", "detaching", "busy"},  // the guest has it mounted
    {"attachment", "detaching", "detached"},
    {"attachment", "busy", "detached"},

    {"snapshot", "", "pending"},
    {"snapshot", "pending", "completed"},
    {"snapshot", "pending", "error"},
    {"snapshot", "pending", "deleted"},
    {"snapshot", "completed", "deleted"},
    {"snapshot", "error", "deleted"},

    {"image", "", "pending"},
    {"image", "pending", "available"},
    {"image", "pending", "failed"},  // one of its snapshots was not made
    {"image", "pending", "deregistered"},
    {"image", "available", "deregistered"},
    {"image", "failed", "deregistered"},

    {"spot-request", "", "open"},
    {"spot-request", "open", "active"},
    {"spot-request", "open", "cancelled"},
    {"spot-request", "open", "failed"},
    {"spot-request", "active", "closed"},
    {"spot-request", "active", "cancelled"},
    {"spot-request", "active", "open"},  // a persistent one whose instance is gone
    {"spot-request", "active", "disabled"},
    {"spot-request", "disabled", "active"},
    {"spot-request", "disabled", "cancelled"},
    {"spot-request", "disabled", "closed"},
    {"spot-request", "disabled", "open"},  // its stopped instance was terminated

    {"fleet", "", "submitted"},
    {"fleet", "submitted", "active"},
    {"fleet", "submitted", "failed"},
    {"fleet", "submitted", "cancelled_running"},
    {"fleet", "submitted", "cancelled_terminating"},
    {"fleet", "active", "modifying"},
    {"fleet", "modifying", "active"},
    {"fleet", "active", "cancelled_running"},
    {"fleet", "active", "cancelled_terminating"},
    {"fleet", "modifying", "cancelled_running"},
    {"fleet", "modifying", "cancelled_terminating"},
    {"fleet", "cancelled_running", "cancelled_terminating"},
    {"fleet", "cancelled_running", "cancelled"},
    {"fleet", "cancelled_terminating", "cancelled"},
};

}  // namespace

std::string_view name(InstanceState s) {
  static constexpr std::array<std::string_view, 6> kNames{"pending", "running",       "stopping",
                                                          "stopped", "shutting-down", "terminated"};
  return row_of(kNames, s);
}

std::string_view name(VolumeState s) {
  static constexpr std::array<std::string_view, 6> kNames{"creating", "available", "in-use",
                                                          "deleting", "deleted",   "error"};
  return row_of(kNames, s);
}

std::string_view name(AttachmentState s) {
  static constexpr std::array<std::string_view, 5> kNames{"attaching", "attached", "detaching",
                                                          "detached", "busy"};
  return row_of(kNames, s);
}

std::string_view name(ModificationState s) {
  static constexpr std::array<std::string_view, 3> kNames{"modifying", "optimizing", "completed"};
  return row_of(kNames, s);
}

std::string_view name(SnapshotState s) {
  static constexpr std::array<std::string_view, 3> kNames{"pending", "completed", "error"};
  return row_of(kNames, s);
}

std::string_view name(ImageState s) {
  static constexpr std::array<std::string_view, 3> kNames{"pending", "available", "failed"};
  return row_of(kNames, s);
}

std::string_view name(SpotRequestState s) {
  static constexpr std::array<std::string_view, 6> kNames{"open",      "active", "closed",
                                                          "cancelled", "failed", "disabled"};
  return row_of(kNames, s);
}

std::string_view name(FleetState s) {
  static constexpr std::array<std::string_view, 7> kNames{
      "submitted", "active", "modifying", "cancelled_running", "cancelled_terminating",
      "cancelled", "failed"};
  return row_of(kNames, s);
}

std::string_view name(MaintenanceCode c) {
  static constexpr std::array<std::string_view, 4> kNames{
      "instance-reboot", "system-reboot", "system-maintenance", "instance-retirement"};
  return row_of(kNames, c);
}
std::string_view name(MaintenanceState s) {
  static constexpr std::array<std::string_view, 3> kNames{"active", "completed", "canceled"};
  return row_of(kNames, s);
}

int code(InstanceState s) {
  static constexpr std::array<int, 6> kCodes{0, 16, 64, 80, 32, 48};
  return kCodes[static_cast<std::size_t>(s)];
}

std::span<const Transition> transitions() { return kTransitions; }

bool allowed(std::string_view resource, std::string_view from, std::string_view to) {
  return std::ranges::any_of(kTransitions, [&](const Transition& t) {
    return t.resource == resource && t.from == from && t.to == to;
  });
}

}  // namespace sim::cloud
