#include <fmt/format.h>

#include "sim/market/instance_types.h"
#include "sim/scenario/scenario_parts.h"

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
