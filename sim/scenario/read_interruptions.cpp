#include <fmt/format.h>

#include "sim/scenario/blocks.h"

namespace sim::run {
namespace {

void read_notice(const Value& value, const Scenario& s, Interruption& interruption) {
  const Duration notice = s.cloud.durations.interruption_notice;
  const std::string expected =
      fmt::format("none, or {} (durations.interruption_notice)", format_duration(notice));
  const auto text = value.text(expected);
  if (!text) return;
  if (*text == "none") {
    interruption.notice = cloud::Cloud::Notice::kNone;
  } else if (parse_duration(*text) != notice &&
             !value.errors().about("durations.interruption_notice")) {
    value.fail(expected);
  }
}

Lifetime read_lifetime(const Value& mean, const std::optional<Value>& shape) {
  Lifetime lifetime{mean.duration().value_or(Duration(1s)), 1};
  if (lifetime.mean < 1s) mean.fail("a mean lifetime of at least 1s");
  if (!shape) return lifetime;
  lifetime.shape = shape->number().value_or(1);
  if (!(lifetime.shape >= 0.1 && lifetime.shape <= 100)) shape->fail("a number from 0.1 to 100");
  return lifetime;
}

FileWritten read_during(const Value& block) {
  Fields fields(block);
  FileWritten file{
      .path = {},
      .bytes = 1,
      .flushed = false,
      .place = fmt::format("{}:{}", block.errors().file_of(block.key()), block.place().line)};
  if (const auto v = fields.require("path", "the file, such as /data/checkpoint.h5")) {
    file.path = v->text().value_or("/");
    if (!file.path.starts_with('/')) v->fail("a path that begins with /");
  }
  if (const auto v = fields.require("bytes", "a whole number from 1"))
    file.bytes = v->integer(1, std::int64_t{1} << 50).value_or(1);
  if (const auto v = fields.take("flushed")) file.flushed = v->flag().value_or(false);
  fields.finish();
  return file;
}

// Which instances, and when: `pool` with `at`, `instance` with `after` or `during`, or `lifetime`.
void read_target(const Value& entry, Fields& fields, Scenario& s, Interruption& interruption) {
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
  if (of_instance) {
    interruption.instance = static_cast<int>(instance->integer(1, 1000).value_or(1));
    if (after) interruption.after = after->duration().value_or(Duration{});
    if (!during) return;
    interruption.during = read_during(*during);
    return;
  }
  if (of_each) interruption.lifetime = read_lifetime(*lifetime, shape);
  if (pool) interruption.pool = pool->pool(*s.instance_types);
  if (interruption.pool) require_prices(*pool, *interruption.pool, s);
  if (at) interruption.after = at->duration().value_or(Duration{});
  if (interruption.after > s.limit && !entry.errors().about("limit"))
    at->fail("an instant before the run's limit");
}

void read_interruption(const Value& entry, Scenario& s) {
  Fields fields(entry);
  if (!entry.is_map()) return;
  Interruption interruption{.text = entry.as_written()};
  read_target(entry, fields, s, interruption);
  if (const auto v = fields.take("notice")) {
    read_notice(*v, s, interruption);
    if (interruption.during && interruption.notice != cloud::Cloud::Notice::kNone)
      v->reject("found a notice with during, expected none: the power is cut");
  }
  if (interruption.during) interruption.notice = cloud::Cloud::Notice::kNone;
  if (const auto v = fields.take("reason")) {
    interruption.reason = v->word({"no-capacity", "by-price"}).value_or("no-capacity");
  }
  if (const auto v = fields.take("volumes")) {
    interruption.loses_volumes = v->word({"kept", "lost"}) == "lost";
    if (interruption.loses_volumes && interruption.notice != cloud::Cloud::Notice::kNone)
      v->reject("found lost with a notice, expected `notice: none` beside it");
  }
  if (const auto v = fields.take("rebalance")) {
    interruption.rebalance = v->duration();
    if (interruption.during) v->reject("found with during, expected none: nobody foresees it");
  }
  if (const auto v = fields.take("capacity_after")) {
    interruption.capacity_after = static_cast<int>(v->integer(0, kMostSlots).value_or(0));
  }
  fields.finish();
  s.interruptions.push_back(interruption);
}

}  // namespace

void read_interruptions(const Value& list, Scenario& s) {
  for (const Value& entry : list.list("a list such as [{at: 1h, pool: …}]")) {
    read_interruption(entry, s);
  }
}

}  // namespace sim::run
