#include <fmt/format.h>

#include <algorithm>

#include "policies/checkpoint/policy.h"
#include "sim/scenario/blocks.h"
#include "sim/scenario/command_value.h"

namespace sim::scenario {
namespace {

void read_write_back(const Value& block, GuestChoice& guest) {
  Fields fields(block);
  if (const auto v = fields.take("age")) guest.write_back_age = v->duration().value_or(Duration{});
  if (const auto v = fields.take("look")) {
    const auto look = v->duration();
    if (look && *look < 1s) v->fail("at least 1s");
    guest.write_back_look = look.value_or(Duration{1s});
  }
  fields.finish();
}

}  // namespace

std::filesystem::path folder_beside(const Value& value, Scenario& s) {
  const auto text = value.text("a folder next to the scenario");
  if (!text) return {};
  const std::filesystem::path path = beside(s, *text);
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    value.fail("a folder, but there is no " + path.string());
  }
  return path;
}

void read_operator(const Value& block, Scenario& s) {
  Fields fields(block);
  if (const auto v = fields.take("files")) s.operator_folder = folder_beside(*v, s);
  if (const auto v = fields.require("script", "a shell script")) {
    s.operator_script = v->text("a shell script").value_or("");
    // A block scalar begins below its key.
    s.operator_file = v->errors().file_of(v->key());
    s.operator_script_line = v->place().line + (s.operator_script.ends_with('\n') ? 1 : 0);
  }
  fields.finish();
}

void read_code(const Value& block, Scenario& s) {
  if (!block.is_map()) return block.fail("a mapping from repository URL to folder");
  Fields fields(block);
  for (const Value& entry : fields.take_all())
    s.code[entry.member_name()] = folder_beside(entry, s);
  fields.finish();
}

void read_guest(const Value& block, Scenario& s) {
  const auto read_kind = [&](const Value& v) {
    if (v.word({"process", "fiber"}) == "fiber") s.guest.kind = GuestKind::kFiber;
  };
  if (!block.is_map()) return read_kind(block);
  Fields fields(block);
  if (const auto v = fields.take("kind")) read_kind(*v);
  if (const auto v = fields.take("level")) {
    const auto word = v->word({"auto", "root", "user-namespaces", "plain"});
    if (word && *word != "auto") s.guest.level = *word;
  }
  if (const auto v = fields.take("lockstep")) {
    const auto word = v->word({"auto", "true", "false"});
    if (word && *word != "auto") s.guest.lockstep = *word == "true";
    if (s.guest.lockstep.value_or(false) && s.guest.level.value_or("root") != "root")
      v->fail(fmt::format("auto or false at level {}, or level root", *s.guest.level));
  }
  if (const auto v = fields.take("aws")) s.guest.warm_aws = v->word({"warm", "cold"}) == "warm";
  if (const auto v = fields.take("write_back")) read_write_back(*v, s.guest);
  if (const auto v = fields.take("images")) read_images(*v, s);
  if (const auto v = fields.take("trainer")) s.guest.trainer = v->text().value_or("");
  fields.finish();
}

void read_baseline(const Value& block, Scenario& s) {
  Fields fields(block);
  Baseline baseline;
  if (const auto v = fields.require("instance_type", "an instance type such as p3.2xlarge")) {
    const auto name = v->text();
    const bool managed =
        name && name->starts_with("ml.") && s.instance_types->contains(name->substr(3));
    baseline.instance_type = managed ? *name : v->instance_type(*s.instance_types).value_or("");
  }
  if (const auto v = fields.take("instances"))
    baseline.instances = static_cast<int>(v->integer(1, 1000).value_or(1));
  if (const auto v = fields.take("step_time")) {
    baseline.step_time = v->duration("a duration such as 4.5s");
  }
  fields.finish();
  s.baseline = baseline;
}

// The `trainer` block of a scenario.

namespace {

using guest::CheckpointTier;
using guest::TierKind;
using guest::TrainerModel;

constexpr const char* kPolicy =
    "a checkpoint policy such as epoch,on-notice, or {command: PROGRAM}";

std::string policy_text(const Value& value, Scenario& s) {
  if (!value.is_map()) return value.text(kPolicy).value_or("none");
  const std::string text =
      read_command_policy(value, [&](const std::string& path) { return beside(s, path); });
  return text.empty() ? "none" : text;
}

std::string read_policy(const Value& value, Scenario& s) {
  const std::string text = policy_text(value, s);
  try {
    policies::try_checkpoint_policies(text);
  } catch (const std::invalid_argument& error) {
    value.reject(error.what());
  } catch (const policies::PolicyFailed& error) {
    value.reject(error.what());
  }
  return text;
}

guest::ObjectStoreModel read_object_store(Fields& fields) {
  constexpr std::int64_t kMostBytesPerSecond = 1'000'000'000'000;
  guest::ObjectStoreModel store;
  if (const auto v = fields.require("bandwidth", "a whole number of bytes a second"))
    store.bytes_per_second = v->integer(1, kMostBytesPerSecond).value_or(1);
  if (const auto v = fields.require("latency", "a duration such as 100ms"))
    store.latency = v->duration("a duration such as 100ms").value_or(Duration{});
  if (const auto v = fields.take("put")) store.put_price = v->usd().value_or(store.put_price);
  if (const auto v = fields.take("get")) store.get_price = v->usd().value_or(store.get_price);
  return store;
}

// Reads `to` and the keys that this kind of place has.
void read_place(const Value& to, Fields& fields, CheckpointTier& tier) {
  constexpr TierKind kKinds[] = {TierKind::kMemory, TierKind::kVolume, TierKind::kSnapshot,
                                 TierKind::kObjectStore};
  std::vector<std::string> names;
  for (const TierKind kind : kKinds) names.emplace_back(name(kind));
  const auto word = to.word(names);
  if (!word) return;
  tier.to = kKinds[std::ranges::find(names, *word) - names.begin()];
  if (tier.to == TierKind::kObjectStore) tier.object_store = read_object_store(fields);
}

void read_tiers(const Value& list, Scenario& s, TrainerModel& model) {
  constexpr const char* kPlaces = "a list of places such as [{to: memory}, {to: volume}]";
  model.tiers.clear();
  for (const Value& entry : list.list(kPlaces)) {
    CheckpointTier tier;
    Fields fields(entry);
    if (const auto v = fields.require("to", "memory, volume, snapshot or object-store"))
      read_place(*v, fields, tier);
    if (const auto v = fields.take("policy")) tier.policy = read_policy(*v, s);
    fields.finish();
    const auto same = [&](const CheckpointTier& other) { return other.to == tier.to; };
    if (std::ranges::any_of(model.tiers, same))
      entry.reject(fmt::format("found {} a second time, expected each place once", name(tier.to)));
    model.tiers.push_back(tier);
  }
}

// The state is copied at 16 GB/s unless stated (docs/checkpoints.md).
void read_checkpoint(const Value& block, Scenario& s, TrainerModel& model) {
  Fields fields(block);
  if (const auto v = fields.take("mode")) {
    if (v->word({"sync", "async"}) == "async") model.save_mode = guest::SaveMode::kAsync;
  }
  if (const auto v = fields.take("snapshot"))
    model.snapshot_time = v->duration("a duration such as 100ms").value_or(Duration{});
  if (const auto v = fields.take("incremental_bytes"))
    model.incremental_bytes = v->integer(0, model.checkpoint_bytes);
  const auto to = fields.take("to"), tiers = fields.take("tiers");
  if (to && tiers) tiers->reject("found together with `to`, expected one of the two");
  if (to) read_place(*to, fields, model.tiers.front());
  if (tiers) read_tiers(*tiers, s, model);
  const bool read = !tiers || tiers->is_list();
  if (read && std::ranges::none_of(model.tiers, &CheckpointTier::outlives_instance))
    (tiers ? *tiers : *to)
        .reject(fmt::format("found {}, expected a place that outlives the instance: volume, "
                            "snapshot or object-store",
                            model.tiers.empty() ? "none" : "memory alone"));
  fields.finish();
}

}  // namespace

void read_trainer(const Value& block, Scenario& s) {
  constexpr std::int64_t kMostSteps = 1'000'000'000, kMostBytes = std::int64_t{1} << 50;
  constexpr double kCopiedBytesPerSecond = 16e9;
  Fields fields(block);
  TrainerModel model;
  if (const auto v = fields.require("steps", "a whole number of steps"))
    model.steps = v->integer(1, kMostSteps).value_or(1);
  if (const auto v = fields.require("steps_per_epoch", "a whole number of steps"))
    model.steps_per_epoch = v->integer(1, kMostSteps).value_or(1);
  if (const auto v = fields.take("policy")) model.policy = read_policy(*v, s);
  if (const auto v = fields.require("checkpoint_bytes", "a whole number of bytes"))
    model.checkpoint_bytes = v->integer(0, kMostBytes).value_or(0);
  if (const auto v = fields.require("data_bytes", "a whole number of bytes"))
    model.data_bytes = v->integer(0, kMostBytes).value_or(0);
  model.snapshot_time =
      from_seconds(static_cast<double>(model.checkpoint_bytes) / kCopiedBytesPerSecond);
  if (const auto v = fields.take("checkpoint")) read_checkpoint(*v, s, model);
  if (const auto v = fields.take("step_time")) {
    model.step_time = v->duration("a duration such as 4.5s");
    if (model.step_time && *model.step_time <= Duration{}) v->fail("a duration above zero");
  }
  if (const auto v = fields.take("crash_every")) {
    model.crash_every = v->duration();
    if (model.crash_every && *model.crash_every < Duration(1s))
      v->fail("a mean time of at least 1s");
  }
  fields.finish();
  s.trainer = model;
}

}  // namespace sim::scenario
