// The block `interruptions`: a short form of faults that interrupt spot instances.
#include <fmt/format.h>

#include "sim/scenario/blocks.h"

namespace sim::scenario {
namespace {

// Reads the time of a notice. 0: no notice.
Duration read_notice(const std::optional<Value>& value, const Scenario& s) {
  const Duration notice = s.cloud.durations.interruption_notice;
  if (!value) return notice;
  const std::string expected =
      fmt::format("none, or {} (durations.interruption_notice)", format_duration(notice));
  const auto text = value->text(expected);
  if (text == "none") return Duration{};
  if (text && parse_duration(*text) != notice &&
      !value->errors().about("durations.interruption_notice"))
    value->fail(expected);
  return notice;
}

std::string line_of(const Value& value) {
  return fmt::format("{}:{}", value.errors().file_of(value.key()), value.place().line);
}

void read_during(const Value& block, faults::Arguments& arguments) {
  Fields fields(block);
  std::string path = "/";
  std::int64_t bytes = 1;
  bool flushed = false;
  if (const auto v = fields.require("path", "the file, such as /data/checkpoint.h5")) {
    path = v->text().value_or("/");
    if (!path.starts_with('/')) v->fail("a path that begins with /");
  }
  if (const auto v = fields.require("bytes", "a whole number from 1"))
    bytes = v->integer(1, std::int64_t{1} << 50).value_or(1);
  if (const auto v = fields.take("flushed")) flushed = v->flag().value_or(false);
  fields.finish();
  arguments.set("path", path);
  arguments.set("bytes", bytes);
  arguments.set("flushed", flushed);
  arguments.set("again", false);
}

faults::OnEvent begins_to_run(std::int64_t instance, Duration after) {
  return {.event = "instance.state",
          .fields = {{"instance_id", std::to_string(instance)}, {"to", "running"}},
          .after = after};
}

// Reads which instances are interrupted, and when: `pool` with `at`, `instance` with `after` or
// `during`, or `lifetime`.
void read_target(const Value& entry, Fields& fields, const Scenario& s, faults::Fault& fault) {
  const auto pool = fields.take("pool"), at = fields.take("at");
  const auto instance = fields.take("instance"), after = fields.take("after");
  const auto during = fields.take("during");
  const auto lifetime = fields.take("lifetime"), shape = fields.take("shape");
  const bool of_pool = pool && at && !instance && !after && !during && !lifetime && !shape;
  const bool of_instance = instance && !after != !during && !pool && !at && !lifetime && !shape;
  const bool of_each = lifetime && !at && !instance && !after && !during;
  if (!of_pool && !of_instance && !of_each) {
    return entry.fail(
        "either pool and at, or instance and after, or instance and during, or lifetime");
  }
  fault.kind = of_pool ? "reclaim" : during ? "torn-write" : "interrupt";
  if (of_instance) {
    const auto number = instance->integer(1, 1000).value_or(1);
    const Duration wait = after ? after->duration().value_or(Duration{}) : Duration{};
    fault.when = begins_to_run(number, wait);
    if (!during) return;
    fault.interruption->place = line_of(*during);
    return read_during(*during, fault.arguments);
  }
  const auto known_pool = pool ? read_pool(*pool, s) : std::nullopt;
  if (of_each) return void(fault.when = read_lifetime(*lifetime, shape, known_pool));
  if (known_pool) fault.arguments.set("pool", *known_pool);
  const Duration wait = at->duration().value_or(Duration{});
  fault.when = faults::AtTime{wait};
  if (wait > s.limit && !entry.errors().about("limit")) at->fail("a time before the run's limit");
}

void read_interruption(const Value& entry, Scenario& s) {
  Fields fields(entry);
  if (!entry.is_map()) return;
  faults::Fault fault{.interruption = faults::ShortForm{entry.as_written(), line_of(entry)}};
  faults::Arguments& arguments = fault.arguments;
  read_target(entry, fields, s, fault);
  const bool during = fault.kind == "torn-write";
  const auto given = fields.take("notice");
  Duration notice = read_notice(given, s);
  if (given && during && notice > Duration{})
    given->reject("found a notice with during, expected none: the power is cut");
  if (during) notice = {};
  if (!during) arguments.set("notice", notice);
  if (const auto v = fields.take("reason"))
    arguments.set("reason", v->word({"no-capacity", "by-price"}).value_or("no-capacity"));
  if (const auto v = fields.take("volumes")) {
    const std::string volumes = v->word({"kept", "lost"}).value_or("kept");
    arguments.set("volumes", volumes);
    if (volumes == "lost" && notice > Duration{})
      v->reject("found lost with a notice, expected also `notice: none`");
  }
  if (const auto v = fields.take("rebalance")) {
    arguments.set("rebalance", v->duration().value_or(Duration{}));
    if (during) v->reject("found with during, expected none: a power cut has no recommendation");
  }
  if (const auto v = fields.take("capacity_after"))
    arguments.set("capacity_after", v->integer(0, kMostSlots).value_or(0));
  fields.finish();
  s.interruptions.push_back(std::move(fault));
}

}  // namespace

faults::Lifetime read_lifetime(const Value& mean, const std::optional<Value>& shape,
                               std::optional<market::Pool> pool) {
  faults::Lifetime law{.mean = mean.duration().value_or(Duration(1s)), .pool = std::move(pool)};
  if (law.mean < 1s) mean.fail("a mean lifetime of at least 1s");
  if (!shape) return law;
  law.shape = shape->number().value_or(1);
  if (!(law.shape >= 0.1 && law.shape <= 100)) shape->fail("a number from 0.1 to 100");
  return law;
}

void read_interruptions(const Value& list, Scenario& s) {
  for (const Value& entry : list.list("a list such as [{at: 1h, pool: …}]")) {
    read_interruption(entry, s);
  }
}

}  // namespace sim::scenario
