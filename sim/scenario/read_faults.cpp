// The block `faults`. An entry states when and which kind, and the kind has parameters of its own
// (sim/faults/kinds.h).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text/nearest.h"
#include "sim/faults/kinds.h"
#include "sim/scenario/blocks.h"

namespace sim::scenario {
namespace {

using faults::ArgumentType;
using faults::Parameter;

constexpr const char* kMachines = "the number of an instance in order of launch, or operator";
constexpr int kMostTimes = 1'000'000;

// Reads one of these names. Errors suggest the nearest.
std::optional<std::string> read_known(const Value& value, const std::set<std::string>& known,
                                      const std::string& what) {
  const auto name = value.text(what);
  if (!name || known.contains(*name)) return name;
  value.reject(fmt::format("found {}, expected {}, such as {}", *name, what,
                           base::nearest(*name, known).value_or(*known.begin())));
  return {};
}

constexpr const char* kAnAction = "an AWS action that spotsim simulates";

// "2" or "operator".
std::string read_machine(const Value& value) {
  const std::string text = value.text(kMachines).value_or("operator");
  const bool number = !text.empty() && text.size() < 7 && text[0] != '0' &&
                      std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (!number && text != "operator") value.fail(kMachines);
  return text;
}

int read_nth(Fields& fields) {
  const auto v = fields.take("nth");
  return v ? static_cast<int>(v->integer(1, kMostTimes).value_or(1)) : 1;
}

faults::OnEvent read_event(const Value& block) {
  Fields fields(block);
  faults::OnEvent on;
  if (const auto v = fields.require("event", "an event of the log, such as trainer.step")) {
    on.event = v->text("an event of the log, such as trainer.step").value_or("");
    if (!on.event.empty()) check_event_kind(*v, on.event);
    // A fault cannot wait for the first line, because faults do not yet listen then, nor act after
    // the last line.
    if (on.event == "run.start")
      v->fail("an event after the run's start (for the start, use `at: 0s`)");
    if (on.event == "run.end") v->fail("an event before the run's end");
  }
  if (const auto v = fields.take("after")) on.after = v->duration().value_or(Duration{});
  on.nth = read_nth(fields);
  for (const Value& field : fields.take_all()) {
    const std::string& name = field.member_name();
    if (name == "event" || name == "after" || name == "nth") continue;
    if (field.node().IsScalar())  // may be empty, as `from` of a new resource
      on.fields[name] = field.node().Scalar();
    else
      field.fail("the value of this field, as the log has it");
  }
  return on;
}

// Reads an action of AWS. Empty: any action.
std::string read_action(const Value& value) {
  if (value.node().IsScalar() && value.node().Scalar() == "any") return "";
  return read_known(value, faults::known_actions(), kAnAction).value_or("");
}

faults::OnCall read_call(const Value& block, faults::OnCall::Side side) {
  Fields fields(block);
  faults::OnCall on{.side = side};
  if (const auto v = fields.require("action", std::string(kAnAction) + ", or any"))
    on.action = read_action(*v);
  if (const auto v = fields.take("caller")) on.caller = read_machine(*v);
  on.nth = read_nth(fields);
  fields.finish();
  return on;
}

faults::OnMetadata read_metadata(const Value& block) {
  Fields fields(block);
  faults::OnMetadata on;
  const std::string expected = "a path such as /latest/api/token, or any";
  if (const auto v = fields.require("path", expected)) {
    on.path = v->text(expected).value_or("");
    if (!on.path.starts_with('/') && on.path != "any") v->fail(expected);
    if (on.path == "any") on.path.clear();
  }
  if (const auto v = fields.take("instance")) on.instance = read_machine(*v);
  on.nth = read_nth(fields);
  fields.finish();
  return on;
}

faults::Lifetime read_law(const Value& block, const Scenario& s) {
  Fields fields(block);
  const auto mean = fields.require("mean", "a mean lifetime such as 6h");
  const auto shape = fields.take("shape"), pool = fields.take("pool");
  fields.finish();
  if (!mean) return {};
  return read_lifetime(*mean, shape, pool ? read_pool(*pool, s) : std::nullopt);
}

std::optional<faults::When> read_when(const Value& entry, Fields& fields, const Scenario& s) {
  std::vector<faults::When> given;
  if (const auto v = fields.take("at")) {
    given.emplace_back(faults::AtTime{v->duration().value_or(Duration{})});
    if (std::get<faults::AtTime>(given.back()).after > s.limit && !entry.errors().about("limit"))
      v->fail("a time before the run's limit");
  }
  if (const auto v = fields.take("every")) {
    const Duration mean = v->duration().value_or(Duration(1s));
    if (mean < 1s) v->fail("a mean of at least 1s");
    given.emplace_back(faults::Drawn{mean});
  }
  if (const auto v = fields.take("on")) given.emplace_back(read_event(*v));
  if (const auto v = fields.take("before_call"))
    given.emplace_back(read_call(*v, faults::OnCall::Side::kBefore));
  if (const auto v = fields.take("after_call"))
    given.emplace_back(read_call(*v, faults::OnCall::Side::kAfter));
  if (const auto v = fields.take("on_metadata")) given.emplace_back(read_metadata(*v));
  if (const auto v = fields.take("lifetime")) given.emplace_back(read_law(*v, s));
  if (given.size() == 1) return given.front();
  entry.fail("one of at, every, on, before_call, after_call, on_metadata and lifetime");
  return {};
}

std::vector<std::string> words_of(std::string_view words) {
  std::vector<std::string> list;
  while (!words.empty()) {
    const auto space = std::min(words.find(' '), words.size());
    list.emplace_back(words.substr(0, space));
    words.remove_prefix(std::min(space + 1, words.size()));
  }
  return list;
}

template <class T>
std::optional<faults::Argument> as_argument(const std::optional<T>& value) {
  if (!value) return {};
  return faults::Argument(*value);
}

std::optional<double> read_number(const Value& value, const Parameter& parameter) {
  const auto number = value.number();
  const auto low = static_cast<double>(parameter.lowest),
             high = static_cast<double>(parameter.highest);
  if (!number || (*number >= low && *number <= high)) return number;
  value.fail(fmt::format("a number from {} to {}", parameter.lowest, parameter.highest));
  return {};
}

// Reads a zone or an instance type that a pool with prices has.
std::optional<std::string> read_pool_part(const Value& value, ArgumentType part,
                                          const Scenario& s) {
  std::set<std::string> known;
  for (const auto& [pool, points] : s.prices.pools)
    known.insert(part == ArgumentType::kZone ? pool.availability_zone : pool.instance_type);
  if (known.empty()) return value.text();  // the reason is among the errors already
  return read_known(value, known,
                    part == ArgumentType::kZone ? "an Availability Zone with prices"
                                                : "an instance type with prices");
}

std::optional<faults::Argument> read_argument(const Value& value, const Parameter& parameter,
                                              const Scenario& s) {
  switch (parameter.type) {
    case ArgumentType::kFlag:
      return as_argument(value.flag());
    case ArgumentType::kWhole:
      return as_argument(value.integer(parameter.lowest, parameter.highest));
    case ArgumentType::kMachine:
      return as_argument(value.integer(1, kMostTimes));
    case ArgumentType::kNumber:
      return as_argument(read_number(value, parameter));
    case ArgumentType::kDuration:
      return as_argument(value.duration());
    case ArgumentType::kWord:
      return as_argument(value.word(words_of(parameter.words)));
    case ArgumentType::kText:
      return as_argument(value.text());
    case ArgumentType::kZone:
    case ArgumentType::kType:
      return as_argument(read_pool_part(value, parameter.type, s));
    case ArgumentType::kAction:
      return as_argument(value.node().IsScalar() && value.node().Scalar() == "any"
                             ? std::optional<std::string>("any")
                             : read_known(value, faults::known_actions(), kAnAction));
    case ArgumentType::kPool:
      return as_argument(read_pool(value, s));
  }
  return {};
}

void read_arguments(Fields& fields, const faults::Kind& kind, const Scenario& s, Errors& errors,
                    faults::Arguments& arguments) {
  for (const Parameter& parameter : kind.parameters) {
    const std::string name(parameter.name);
    const auto given = parameter.required ? fields.require(name, std::string(parameter.meaning))
                                          : fields.take(name);
    if (given) {
      if (auto value = read_argument(*given, parameter, s)) arguments.set(name, *value);
    } else if (!parameter.fallback.empty()) {
      const Value fallback(errors, YAML::Load(std::string(parameter.fallback)), name);
      arguments.set(name, read_argument(fallback, parameter, s).value());
    }
  }
}

std::string all_kinds() {
  std::vector<std::string_view> names;
  for (const faults::Kind* kind : faults::kinds()) names.push_back(kind->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void read_fault(const Value& entry, const Scenario& s, faults::Plan& plan) {
  Fields fields(entry);
  if (!entry.is_map()) return;
  faults::Fault fault;
  const auto when = read_when(entry, fields, s);
  const auto kind = fields.require("kind", "one of " + all_kinds());
  if (const auto v = fields.take("chance")) {
    fault.chance = v->number().value_or(1);
    if (!(fault.chance > 0 && fault.chance <= 1)) v->fail("a number above 0, to 1");
  }
  if (!kind) return;
  fault.kind = kind->text("one of " + all_kinds()).value_or("");
  const faults::Kind* const known = faults::find_kind(fault.kind);
  if (!known) return kind->fail("one of " + all_kinds());
  read_arguments(fields, *known, s, entry.errors(), fault.arguments);
  const auto* const notice = fault.arguments.find<Duration>("notice");
  const auto* const volumes = fault.arguments.find<std::string>("volumes");
  if (notice && *notice > Duration{} && volumes && *volumes == "lost")
    entry.find("volumes")->reject("found lost with a notice, expected also `notice: 0s`");
  const auto* const subnet = fault.arguments.find<std::string>("subnet");
  if (subnet && fault.arguments.find<std::int64_t>("instance"))
    entry.find("subnet")->reject(
        fmt::format("found {} beside `instance`, expected one of the two", *subnet));
  fields.finish();
  if (!when) return;
  fault.when = *when;
  plan.push_back(std::move(fault));
}

}  // namespace

faults::Fault parse_fault(const std::string& yaml, const Scenario& scenario) {
  Errors errors(scenario.file.string());
  faults::Plan plan;
  read_yaml(yaml, errors, [&](const Value& entry) { read_fault(entry, scenario, plan); });
  if (!errors.empty() || plan.empty()) throw ScenarioError(errors.messages());
  return plan.front();
}

void read_faults(const Value& list, Scenario& s) {
  for (const Value& entry : list.list("a list such as [{at: 1h, kind: power-cut}]"))
    read_fault(entry, s, s.faults);
}

}  // namespace sim::scenario
