#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/blocks.h"
#include "sim/scenario/progress_formats.h"

namespace sim::scenario {
namespace {

using guest::LinePattern;

std::optional<LinePattern> read_pattern(const Value& value) {
  const auto text = value.text("a regular expression");
  if (!text) return {};
  try {
    return LinePattern(*text);
  } catch (const std::invalid_argument& error) {
    value.reject(fmt::format("found {}, {}", *text, error.what()));
    return {};
  }
}

// A pattern that has a group for the key's value.
std::optional<LinePattern> read_pattern_with(const Value& value, const char* group,
                                             const char* example) {
  const auto pattern = read_pattern(value);
  if (pattern && !pattern->has(group, 1))
    value.reject(fmt::format("found no group in {}, expected one, or one named {}, such as {}",
                             pattern->text(), group, example));
  return pattern;
}

std::string read_absolute(const Value& value, const char* expected) {
  const auto path = value.text(expected);
  if (path && !path->starts_with('/')) value.fail(expected);
  return path.value_or("/");
}

void read_files(const Value& value, guest::ProgressRule& rule) {
  constexpr const char* kFiles =
      "an absolute path such as /data/*.h5, with a pattern as its last part";
  const std::string path = read_absolute(value, kFiles);
  if (path.find_first_of("*?[") < path.rfind('/')) value.fail(kFiles);
  rule.checkpoint_files = path;
}

guest::ProgressRule read_format(const Value& value) {
  std::vector<std::string> names;
  for (const ProgressFormat& format : progress_formats()) names.emplace_back(format.name);
  const auto name = value.word(names);
  const auto formats = progress_formats();
  const auto format = std::ranges::find(formats, name.value_or(""), &ProgressFormat::name);
  return format == formats.end() ? guest::ProgressRule() : rule_of(*format);
}

void check_counts(const Value& block, const guest::ProgressRule& rule) {
  if (!rule.epoch && !rule.step)
    return block.reject("found neither epoch nor step, expected a pattern for one of them");
  if (rule.epoch && !rule.step && !rule.finished)
    return block.reject(
        "found epoch without step, expected also finished, because no next epoch shows the "
        "end of the last one");
  if (rule.epoch && rule.step && !rule.step->has("total", 2))
    block.reject(
        "found a step without a total, expected a second group, or one named total: with epoch "
        "it is the number of steps per epoch");
}

}  // namespace

void read_progress(const Value& block, Scenario& s) {
  constexpr const char* kNumber = "'Epoch (\\d+)/(\\d+)'";
  Fields fields(block);
  guest::ProgressRule rule;
  const auto format = fields.take("format");
  if (format) rule = read_format(*format);
  if (const auto v = fields.take("log")) {
    constexpr const char* kLog = "console, or the absolute path of a file in the instance";
    rule.log = v->text(kLog).value_or(rule.log);
    if (rule.log != guest::ProgressRule::kConsole && !rule.log.starts_with('/')) v->fail(kLog);
  }
  if (const auto v = fields.take("epoch")) rule.epoch = read_pattern_with(*v, "number", kNumber);
  if (const auto v = fields.take("step")) rule.step = read_pattern_with(*v, "number", kNumber);
  if (const auto v = fields.take("start")) rule.start = read_pattern(*v);
  if (const auto v = fields.take("first")) rule.first = v->integer(0, 1).value_or(1);
  if (const auto v = fields.take("checkpoint"))
    rule.checkpoint = read_pattern_with(*v, "path", "'saving model to (\\S+)'");
  if (const auto v = fields.take("state"))
    rule.state = read_pattern_with(*v, "state", "'loss: ([0-9.]+)'");
  if (const auto v = fields.take("finished")) rule.finished = read_pattern(*v);
  if (const auto v = fields.take("folder"))
    rule.folder = read_absolute(*v, "an absolute path in the instance");
  if (const auto v = fields.take("checkpoint_files")) read_files(*v, rule);
  fields.finish();
  if (!block.errors().about(block.key())) check_counts(block, rule);
  s.progress = std::move(rule);
}

}  // namespace sim::scenario
