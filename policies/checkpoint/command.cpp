// A program of any language as a policy: a line of JSON with the state to its stdin after every
// step, a line of JSON from its stdout: {"save": "no"}, {"save": "incremental"} or
// {"save": "full"}. docs/policies.md lists the fields.
#include <nlohmann/json.hpp>

#include "policies/checkpoint/child.h"
#include "policies/checkpoint/policy.h"
#include "policies/checkpoint/seconds.h"
#include "policies/checkpoint/words.h"

namespace policies {
namespace {

using Json = nlohmann::ordered_json;

Json seconds_or_null(const std::optional<Duration>& duration) {
  return duration ? Json(seconds_of(*duration)) : Json();
}

template <typename T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json lives_or_null(const CheckpointState& state) {
  if (!state.lives) return {};
  Json lives = Json::array();
  for (const Duration life : *state.lives) lives.push_back(seconds_of(life));
  return lives;
}

Json description_of(const CheckpointState& state) {
  return {{"step", state.step},
          {"steps_per_epoch", state.steps_per_epoch},
          {"now", seconds_of(state.now)},
          {"last_checkpoint_step", state.last_checkpoint_step},
          {"last_checkpoint_time", seconds_of(state.last_checkpoint_time)},
          {"persisting", state.persisting},
          {"notice", state.notice},
          {"rebalance", state.rebalance},
          {"hop", state.hop},
          {"step_time", seconds_or_null(state.step_time)},
          {"checkpoint_cost", seconds_or_null(state.checkpoint_cost)},
          {"persist_time", seconds_or_null(state.persist_time)},
          {"checkpoint_bytes", value_or_null(state.checkpoint_bytes)},
          {"write_speed", value_or_null(state.write_speed)},
          {"restart_cost", seconds_or_null(state.restart_cost)},
          {"remaining_work", seconds_or_null(state.remaining_work)},
          {"since_launch", seconds_or_null(state.since_launch)},
          {"time_left", seconds_or_null(state.time_left)},
          {"lives", lives_or_null(state)},
          {"price", value_or_null(state.price)},
          {"bid", value_or_null(state.bid)},
          {"next_interruption", seconds_or_null(state.next_interruption)}};
}

Save read_answer(const std::string& program, const std::string& line) {
  const Json answer = Json::parse(line, nullptr, false);
  if (answer.is_object() && answer.contains("save") && answer["save"].is_string()) {
    const std::string save = answer["save"];
    if (save == "no") return Save::no;
    if (save == "incremental") return Save::incremental;
    if (save == "full") return Save::full;
  }
  throw PolicyFailed("policy program " + program + " answered '" + line.substr(0, 80) +
                     R"(', expected {"save": "no"}, {"save": "incremental"} or {"save": "full"})");
}

}  // namespace

CheckpointPolicy make_command_policy(std::string_view argument) {
  const auto words = split_words(argument);
  const auto child = std::make_shared<Child>(words);
  const std::string program = words.front();
  return {[program, child](const CheckpointState& state) {
    return read_answer(program, child->exchange(description_of(state).dump()));
  }};
}

}  // namespace policies
