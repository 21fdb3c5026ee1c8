// `scenario: PATH`, or a list of them: a sweep of whole scenarios.
#include <fmt/format.h>

#include "base/files/whole_file.h"
#include "sim/sweep/file/sweep_file_parts.h"
#include "sim/sweep/scenario_sweep.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCombinations = 10'000;  // each is a scenario in memory
constexpr const char* kScenarios = "a scenario's path, or a list of them";
constexpr const char* kKeys = "keys of the scenario with values, such as trainer.policy: epoch";
constexpr const char* kGrid =
    "keys of the scenario with lists of values, such as trainer.policy: [epoch, none], or a list "
    "of mappings from key to value";

std::string in_yaml(const YAML::Node& node) {
  YAML::Emitter out;
  out << YAML::Flow << node;
  return out.c_str();
}

// Reads the parts of a sweep with the scenario's keys.
class OverrideReader {
 public:
  explicit OverrideReader(const fs::path& sweep) : file_(sweep.string()) {}

  // Reads a mapping from key to value.
  scenario::Overrides fixed(const scenario::Value& block) {
    if (!block.is_map()) return block.fail(kKeys), scenario::Overrides{};
    scenario::Overrides all;
    scenario::Fields fields(block);
    for (const scenario::Value& entry : fields.take_all()) {
      claim(entry);
      all.push_back(override(entry.member_name(), entry));
    }
    return all;
  }

  // Reads lists of values, for all combinations of which the last key changes fastest, or a list of
  // combinations.
  OverrideAxis axis(const scenario::Value& block) {
    if (block.is_list()) return listed(block);
    if (!block.is_map()) return block.fail(kGrid), OverrideAxis{};
    OverrideAxis axis;
    scenario::Fields fields(block);
    for (const scenario::Value& entry : fields.take_all()) {
      claim(entry);
      const auto values = entry.list("a list of values");
      if (entry.is_list() && values.empty()) entry.fail("at least one value");
      multiply(axis, entry.member_name(), values, block);
    }
    return axis;
  }

 private:
  scenario::Override override(const std::string& key, const scenario::Value& value) const {
    const scenario::FilePosition place = value.place();
    return {key, in_yaml(value.node()), fmt::format("{}:{}:{}", file_, place.line, place.column)};
  }

  // Each key may occur in one place of the sweep only.
  void claim(const scenario::Value& entry) {
    const std::string& key = entry.member_name();
    if (key == "seed") return entry.reject("found the seed, which `seeds` gives");
    if (scenario::parts_of(key).empty())
      return entry.reject("found no key, expected one such as trainer.policy or code[0]");
    if (!claimed_.insert(key).second) entry.reject("found a second time, expected each key once");
  }

  void multiply(OverrideAxis& axis, const std::string& key,
                const std::vector<scenario::Value>& values, const scenario::Value& block) const {
    if (axis.points.size() * values.size() > kMostCombinations)
      return block.reject(
          fmt::format("found more than {} combinations, expected fewer", kMostCombinations));
    std::vector<scenario::Overrides> points;
    for (const scenario::Overrides& before : axis.points) {
      for (const scenario::Value& value : values) {
        points.push_back(before);
        points.back().push_back(override(key, value));
      }
    }
    axis.keys.push_back(key);
    axis.points = std::move(points);
  }

  OverrideAxis listed(const scenario::Value& block) {
    OverrideAxis axis{{}, {}};
    for (const scenario::Value& entry : block.list(kGrid)) {
      if (!entry.is_map()) {
        entry.fail(kKeys);
        continue;
      }
      scenario::Fields fields(entry);
      scenario::Overrides point;
      std::vector<std::string> keys;
      for (const scenario::Value& value : fields.take_all()) {
        if (axis.points.empty()) claim(value);
        keys.push_back(value.member_name());
        point.push_back(override(value.member_name(), value));
      }
      if (axis.points.empty()) axis.keys = keys;
      if (keys != axis.keys)
        entry.reject(fmt::format("found the keys {}, expected those of the first entry, {}",
                                 fmt::join(keys, ", "), fmt::join(axis.keys, ", ")));
      axis.points.push_back(point);
    }
    if (axis.points.empty()) block.fail("at least one combination");
    return axis;
  }

  std::string file_;
  std::set<std::string> claimed_;
};

std::optional<ScenarioFile> scenario_file(const scenario::Value& value, const fs::path& sweep) {
  const auto path = value.text("a scenario's path");
  if (!path) return {};
  const fs::path file = (sweep.parent_path() / *path).lexically_normal();
  const auto text = base::read_file(file);
  if (text) return ScenarioFile{*text, file};
  value.fail("a scenario, but there is no file " + file.string());
  return {};
}

scenario::GuestKind guest_of(const scenario::Value& value) {
  constexpr const char* kExpected = "fiber or process";
  const auto text = value.text(kExpected);
  for (const auto kind : {scenario::GuestKind::kFiber, scenario::GuestKind::kProcess})
    if (text && *text == scenario::name(kind)) return kind;
  if (text) value.fail(kExpected);
  return scenario::GuestKind::kFiber;
}

}  // namespace

std::unique_ptr<Sweep> read_scenario_sweep(const scenario::Value& scenario,
                                           scenario::Fields& fields, const fs::path& sweep) {
  ScenarioPlan plan;
  OverrideReader reader(sweep);
  if (const auto v = fields.take("set")) plan.fixed = reader.fixed(*v);
  if (const auto v = fields.take("vary")) plan.settings = reader.axis(*v);
  if (const auto v = fields.take("compare")) plan.compared = reader.axis(*v);
  plan.seeds = read_seeds(fields);
  if (const auto v = fields.take("guest")) plan.guest = guest_of(*v);
  const auto paths = scenario.is_list() ? scenario.list(kScenarios) : std::vector{scenario};
  if (paths.empty()) scenario.fail(kScenarios);
  for (const scenario::Value& path : paths)
    if (auto file = scenario_file(path, sweep)) plan.scenarios.push_back(std::move(*file));
  const std::size_t combinations = plan.settings.points.size() * plan.variants();
  if (combinations > kMostCombinations) {
    scenario.reject(fmt::format("found {} combinations of values, expected at most {}",
                                combinations, kMostCombinations));
  }
  if (!scenario.errors().empty()) return nullptr;
  try {
    return std::make_unique<ScenarioSweep>(std::move(plan));
  } catch (const scenario::ScenarioError& error) {
    for (const std::string& message : error.messages()) scenario.errors().add(message);
    return nullptr;
  }
}

}  // namespace sim::sweep
