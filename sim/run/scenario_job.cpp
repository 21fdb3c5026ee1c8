#include <fmt/format.h>

#include "policies/checkpoint/policy.h"
#include "sim/market/instance_types.h"
#include "sim/run/scenario_parts.h"

namespace sim::run {
namespace {

// The folder that a value names; an error when there is none.
std::filesystem::path folder(const Value& value, Scenario& s) {
  const auto text = value.text("a folder beside the scenario");
  if (!text) return {};
  const std::filesystem::path path = beside(s, *text);
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    value.fail("a folder, but there is no " + path.string());
  }
  return path;
}

}  // namespace

void read_operator(const Value& block, Scenario& s) {
  Fields fields(block);
  if (const auto v = fields.take("files")) s.operator_folder = folder(*v, s);
  if (const auto v = fields.require("script", "a shell script")) {
    s.operator_script = v->text("a shell script").value_or("");
    // A block scalar begins below its key.
    s.operator_script_line = v->place().line + (s.operator_script.ends_with('\n') ? 1 : 0);
  }
  fields.finish();
}

void read_code(const Value& block, Scenario& s) {
  if (!block.is_map()) return block.fail("a mapping from repository URL to folder");
  Fields fields(block);
  for (const Value& entry : fields.take_all()) s.code[entry.key()] = folder(entry, s);
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
  }
  fields.finish();
}

// Where checkpoints go other than the job's volume: only what its place states can be modelled.
void read_object_store(Fields& fields, guest::TrainerModel& model) {
  constexpr std::int64_t kMostBytesPerSecond = 1'000'000'000'000;
  guest::ObjectStoreModel store;
  if (const auto v = fields.require("bandwidth", "a whole number of bytes a second"))
    store.bytes_per_second = v->integer(1, kMostBytesPerSecond).value_or(1);
  if (const auto v = fields.require("latency", "a duration such as 100ms"))
    store.latency = v->duration("a duration such as 100ms").value_or(Duration{});
  if (const auto v = fields.take("put")) store.put_price = v->usd().value_or(store.put_price);
  if (const auto v = fields.take("get")) store.get_price = v->usd().value_or(store.get_price);
  model.object_store = store;
}

// How a trainer saves. The state is copied at 16 GB/s unless stated (docs/checkpoints.md).
void read_checkpoint(const Value& block, guest::TrainerModel& model) {
  constexpr std::int64_t kCopiedBytesPerSecond = 16'000'000'000;
  Fields fields(block);
  if (const auto v = fields.take("mode")) {
    if (v->word({"sync", "async"}) == "async") model.save_mode = guest::SaveMode::kAsync;
  }
  model.snapshot_time =
      from_seconds(static_cast<double>(model.checkpoint_bytes) / kCopiedBytesPerSecond);
  if (const auto v = fields.take("snapshot"))
    model.snapshot_time = v->duration("a duration such as 100ms").value_or(Duration{});
  if (const auto v = fields.take("to")) {
    if (v->word({"volume", "object-store"}) == "object-store") read_object_store(fields, model);
  }
  fields.finish();
}

void read_trainer(const Value& block, Scenario& s) {
  constexpr std::int64_t kMostSteps = 1'000'000'000, kMostBytes = std::int64_t{1} << 50;
  Fields fields(block);
  guest::TrainerModel model;
  if (const auto v = fields.require("steps", "a whole number of steps"))
    model.steps = v->integer(1, kMostSteps).value_or(1);
  if (const auto v = fields.require("steps_per_epoch", "a whole number of steps"))
    model.steps_per_epoch = v->integer(1, kMostSteps).value_or(1);
  if (const auto v = fields.take("policy")) {
    model.policy = v->text("a checkpoint policy such as epoch,on-notice").value_or(model.policy);
    try {
      policies::CheckpointPolicies{model.policy};
    } catch (const std::invalid_argument& error) {
      v->reject(error.what());
    }
  }
  if (const auto v = fields.require("checkpoint_bytes", "a whole number of bytes"))
    model.checkpoint_bytes = v->integer(0, kMostBytes).value_or(0);
  if (const auto v = fields.require("data_bytes", "a whole number of bytes"))
    model.data_bytes = v->integer(0, kMostBytes).value_or(0);
  if (const auto v = fields.take("checkpoint")) read_checkpoint(*v, model);
  fields.finish();
  s.trainer = model;
}

void read_baseline(const Value& block, Scenario& s) {
  Fields fields(block);
  Baseline baseline;
  if (const auto v = fields.require("instance_type", "an instance type such as p3.2xlarge")) {
    baseline.instance_type = v->text("an instance type such as p3.2xlarge").value_or("");
    if (!baseline.instance_type.empty() && !market::find_instance_type(baseline.instance_type)) {
      v->fail("an instance type that spotsim knows");
    }
  }
  if (const auto v = fields.take("step_time")) {
    baseline.step_time = v->duration("a duration such as 4.5s");
  }
  fields.finish();
  s.baseline = baseline;
}

}  // namespace sim::run
