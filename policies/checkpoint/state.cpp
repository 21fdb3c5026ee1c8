#include "policies/checkpoint/state.h"

#include <array>
#include <cstddef>

namespace policies {
namespace {

struct InputRow {
  std::string_view description;
  bool (*is_known)(const CheckpointState&);
};

// In the order of Input.
constexpr std::array<InputRow, kInputs> kRows{{
    {"the time of a step", [](const CheckpointState& s) { return s.step_time.has_value(); }},
    {"what a checkpoint costs",
     [](const CheckpointState& s) { return s.checkpoint_cost.has_value(); }},
    {"how long a checkpoint takes to be durable",
     [](const CheckpointState& s) { return s.persist_time.has_value(); }},
    {"a checkpoint's size",
     [](const CheckpointState& s) { return s.checkpoint_bytes.has_value(); }},
    {"the speed of writing", [](const CheckpointState& s) { return s.write_speed.has_value(); }},
    {"what a restart costs", [](const CheckpointState& s) { return s.restart_cost.has_value(); }},
    {"the remaining work", [](const CheckpointState& s) { return s.remaining_work.has_value(); }},
    {"when the instance was launched",
     [](const CheckpointState& s) { return s.since_launch.has_value(); }},
    {"the time left after a notice",
     [](const CheckpointState& s) { return s.time_left.has_value(); }},
    {"how long earlier instances lived",
     [](const CheckpointState& s) { return s.lives.has_value(); }},
    {"the spot price", [](const CheckpointState& s) { return s.price.has_value(); }},
    {"the bid", [](const CheckpointState& s) { return s.bid.has_value(); }},
    {"when the next interruption comes",
     [](const CheckpointState& s) { return s.next_interruption && s.next_save; }},
}};

}  // namespace

bool is_known(const CheckpointState& state, Input input) {
  return kRows[static_cast<std::size_t>(input)].is_known(state);
}

std::string_view description(Input input) {
  return kRows[static_cast<std::size_t>(input)].description;
}

}  // namespace policies
