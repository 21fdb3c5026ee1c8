#include "sim/sweep/advice/advice_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/scenario/scenario.h"
#include "sim/sweep/advice/advice_checks.h"
#include "sim/sweep/file/sweep_file_parts.h"
#include "sim/sweep/file/sweep_moves.h"
#include "sim/traces/trace.h"
#include "sim/traces/trace_file.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostZonesAsked = 32;

Duration read_duration(scenario::Fields& fields, const std::string& key, Duration otherwise,
                       Duration least) {
  const auto v = fields.take(key);
  if (!v) return otherwise;
  const Duration found = v->duration().value_or(otherwise);
  if (found < least) v->fail(fmt::format("a duration of at least {}", format_duration(least)));
  return std::max(found, least);
}

Duration require_duration(scenario::Fields& fields, const std::string& key,
                          const std::string& expected) {
  const auto v = fields.require(key, expected);
  if (!v) return 1h;
  const Duration found = v->duration(expected).value_or(1h);
  if (found <= Duration::zero()) v->fail("a duration above 0");
  return std::max(found, Duration(1ms));
}

bool wrong_in(const scenario::Errors& errors, std::initializer_list<const char*> keys) {
  return std::ranges::any_of(keys, [&](const char* key) { return errors.about(key); });
}

void read_interruptions(scenario::Fields& fields, Question& question) {
  const auto field = fields.take("interruptions");
  if (!field) return;
  question.as_traced = field->node().IsScalar() && field->node().Scalar() == "none";
  if (question.as_traced) return;
  ticks::Interruptions drawn{.every = 1h, .away = 20min};
  if (!field->is_map()) {
    drawn.every =
        field->duration("a mean duration such as 6h, {every: 6h, away: 20m} or none").value_or(1h);
  } else {
    scenario::Fields one(*field);
    drawn.every = require_duration(one, "every", "a mean duration such as 6h");
    drawn.away = read_duration(one, "away", drawn.away, 1s);
    one.finish();
  }
  if (drawn.every < 1min) field->fail("a mean of at least 1m"), drawn.every = 1h;
  drawn.seed = question.seed;
  question.interruptions = drawn;
}

struct ZonesOfFile {
  traces::AvailabilityTrace pools;
  std::string format;
  std::vector<std::string> odd{};  // warnings of the files' readers
};

// Throws TraceError.
void read_file(const fs::path& file, ZonesOfFile& zones) {
  traces::Trace trace = traces::read_trace(file);
  zones.format = trace.format;
  zones.odd.insert(zones.odd.end(), trace.warnings.begin(), trace.warnings.end());
  if (const auto* history = std::get_if<market::PriceHistory>(&trace.content))
    zones.pools.pools.merge(ticks::always_there(*history).pools);
  else
    zones.pools.pools.merge(std::get<traces::AvailabilityTrace>(trace.content).pools);
}

// Throws TraceError.
void join(ZonesOfFile& zones, const scenario::Value& prices, const fs::path& folder) {
  const auto text = prices.text("a price trace's path");
  if (!text) return;
  const traces::Trace trace = traces::read_trace(folder / *text);
  zones.odd.insert(zones.odd.end(), trace.warnings.begin(), trace.warnings.end());
  const auto* history = std::get_if<market::PriceHistory>(&trace.content);
  const bool has_prices = std::ranges::any_of(
      zones.pools.pools, [](const auto& entry) { return !entry.second.prices.empty(); });
  if (!history || has_prices)
    return prices.fail("a trace of prices, in addition to one of availability without prices");
  traces::join_prices(zones.pools, *history);
}

bool is_ec2_type(const market::Pool& pool) {
  return find_instance_type(*market::instance_types(), pool.instance_type) != nullptr;
}

// Keeps the pools of the job's type. If a trace names none of EC2's types, it keeps all.
void keep_type(traces::AvailabilityTrace& trace, const std::string& type,
               const scenario::Value& where) {
  std::set<std::string> types;
  for (const auto& [pool, series] : trace.pools)
    if (is_ec2_type(pool)) types.insert(pool.instance_type);
  if (types.empty()) return;
  if (!type.empty() && !types.contains(type))
    where.fail(fmt::format("a trace of {}; this one has {}", type, fmt::join(types, ", ")));
  std::erase_if(trace.pools, [&](const auto& entry) { return entry.first.instance_type != type; });
}

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// Warns if the pools have the name of a GPU (`v100_1`) that the job's type does not have, or a name
// that is not known. True in the first case.
bool warn_of_another_gpu(const traces::AvailabilityTrace& trace, const std::string& type,
                         const scenario::Value& where, scenario::Errors& warnings) {
  const auto types = market::instance_types();
  const market::InstanceType* const job = find_instance_type(*types, type);
  std::set<std::string> others, unknown;
  for (const auto& [pool, series] : trace.pools) {
    const std::string gpu = pool.instance_type.substr(0, pool.instance_type.find_first_of("_#"));
    const auto has_it = [&gpu](const market::InstanceType& one) {
      return in_small_letters(one.gpu).ends_with(" " + in_small_letters(gpu));
    };
    if (!job || is_ec2_type(pool) || has_it(*job)) continue;
    const bool known =
        std::ranges::any_of(*types, [&](const auto& entry) { return has_it(entry.second); });
    (known ? others : unknown).insert(gpu);
  }
  if (!unknown.empty())
    warnings.add(where.place(), "trace",
                 fmt::format("warning: found spot of {}, which is not a known instance type or "
                             "GPU; treated as spot of {}",
                             fmt::join(unknown, ", "), type));
  if (!others.empty())
    warnings.add(
        where.place(), "trace",
        fmt::format("warning: found spot of {}; {} has {}, whose capacity may differ",
                    fmt::join(others, ", "), type, job->gpu.empty() ? "no GPU" : job->gpu));
  return !others.empty();
}

// Another type's capacity may be used as an estimate, but its prices may not.
void forget_prices(traces::AvailabilityTrace& trace) {
  for (auto& [pool, series] : trace.pools) series.prices.clear();
}

void keep_zones(traces::AvailabilityTrace& trace, const scenario::Value& zones) {
  std::set<std::string> known, wanted;
  for (const auto& [pool, series] : trace.pools) known.insert(pool.availability_zone);
  for (const scenario::Value& value : one_or_more(zones)) {
    const auto zone = value.text("an Availability Zone");
    if (zone && !known.contains(*zone))
      value.fail(fmt::format("a zone of the trace: {}", fmt::join(known, ", ")));
    if (zone) wanted.insert(*zone);
  }
  std::erase_if(trace.pools,
                [&](const auto& entry) { return !wanted.contains(entry.first.availability_zone); });
}

class AdviceReader {
 public:
  AdviceReader(scenario::Fields& fields, const fs::path& file)
      : fields_(fields), warnings_(file.string()), folder_(file.parent_path()) {
    found_.question.name = file.stem().string();
  }

  AdviceFile read() {
    Question& question = found_.question;
    if (const auto v = fields_.take("name")) question.name = v->name().value_or("job");
    if (const auto v = fields_.take("description")) v->text();
    read_job();
    question.moves = read_moves(fields_);
    question.late_allowed = read_late_allowed(fields_);
    if (const auto v = fields_.take("windows"))
      question.windows = v->integer(10, 10'000).value_or(200);
    if (const auto v = fields_.take("seed"))
      question.seed = static_cast<std::uint64_t>(v->integer(0, INT64_MAX).value_or(1));
    read_interruptions(fields_, question);
    check_job(question, fields_, warnings_);
    read_trace();
    std::ranges::copy(warnings_.messages(), std::back_inserter(found_.warnings));
    return std::move(found_);
  }

 private:
  void read_job() {
    ticks::TickJob& job = found_.question.job;
    const auto types = market::instance_types();
    type_ = fields_.require("instance_type", "an instance type such as p3.2xlarge");
    if (type_) found_.question.instance_type = type_->instance_type(*types).value_or("");
    job.work = require_duration(fields_, "work", "a duration such as 20h, of computing");
    const auto deadline = fields_.require("deadline", "a duration such as 30h, from the start");
    if (deadline) job.deadline = deadline->duration("a duration such as 30h").value_or(Duration{});
    job.checkpoint_cost = read_duration(fields_, "checkpoint", 30s, Duration::zero());
    job.changeover = read_duration(fields_, "restart", 5min, Duration::zero());
    job.step = read_duration(fields_, "step", 1min, 1ms);
    job.notice = read_duration(fields_, "notice", 2min, Duration::zero());
    job.tick = read_duration(fields_, "tick", 10min, 1min);
    job.on_demand = take_price(fields_, "on_demand");
    job.spot = take_price(fields_, "spot");
    job.billing = market::Billing::kPerSecond;
    if (!deadline || wrong_in(deadline->errors(), {"work", "deadline", "restart", "tick"})) return;
    if (job.deadline < job.work + job.changeover + 2 * job.tick)
      deadline->reject(fmt::format(
          "found {} for {} of work after a restart of {}, expected at least {}",
          format_duration(job.deadline), format_duration(job.work), format_duration(job.changeover),
          format_duration(job.work + job.changeover + 2 * job.tick)));
  }

  void read_trace() {
    const auto trace = fields_.require(
        "trace", "a trace of prices or availability, or a folder of them, a zone each");
    const auto prices = fields_.take("prices"), zones = fields_.take("zones");
    if (!trace) return;
    const auto text = trace->text("a trace's path");
    if (!text) return;
    try {
      ZonesOfFile found;
      for (const fs::path& file : traces::trace_files(folder_ / *text)) read_file(file, found);
      if (prices) join(found, *prices, folder_);
      keep_type(found.pools, found_.question.instance_type, *trace);
      if (warn_of_another_gpu(found.pools, found_.question.instance_type, *trace, warnings_))
        forget_prices(found.pools);
      if (zones) keep_zones(found.pools, *zones);
      add_zones(found, *trace, *text);
      found_.warnings = found.odd;
    } catch (const traces::TraceError& error) {
      trace->reject(error.what());
    } catch (const fs::filesystem_error& error) {
      trace->reject(error.what());
    }
  }

  void add_zones(const ZonesOfFile& found, const scenario::Value& trace, const std::string& path) {
    Question& question = found_.question;
    if (found.pools.pools.size() > kMostZonesAsked)
      return trace.reject(fmt::format("found {} pools, expected at most {}: name some with `zones`",
                                      found.pools.pools.size(), kMostZonesAsked));
    const bool spot_is_told = question.job.spot.nano > 0;
    for (const auto& [pool, series] : found.pools.pools) {
      question.zones.push_back(
          {.name = pool.availability_zone.empty() ? pool.instance_type : pool.availability_zone,
           .series = series,
           .on_demand = on_demand_of(pool, series.steps.front().at)});
      if (spot_is_told) question.zones.back().series.prices.clear();
      if (series.prices.empty() && question.job.spot.nano == 0 && !trace.errors().about("spot"))
        trace.errors().add(
            trace.place(), "spot",
            fmt::format("found no spot price, and a trace without prices of {}, expected `spot: "
                        "USD an hour` or a price trace under `prices`",
                        question.instance_type));
      check_length(series, trace);
    }
    if (question.zones.empty()) return;
    question.job.on_demand = question.zones.front().on_demand;
    // Each zone has its own price.
    if (question.job.spot.nano == 0) question.job.spot = market::Usd{1};
    found_.traces.push_back(describe(found, path));
    warn_of_free_moves(trace);
  }

  void warn_of_free_moves(const scenario::Value& trace) {
    std::set<std::string> regions;
    for (const ticks::PoolTrace& zone : found_.question.zones)
      regions.insert(std::string(market::region_of(zone.name)));
    if (regions.size() < 2 || fields_.take("moves")) return;
    warnings_.add(
        trace.place(), "moves",
        fmt::format("warning: found zones of {} and no `moves`, so moving data between them is "
                    "free and takes no time; state `moves`, or `zones` of one region",
                    fmt::join(regions, ", ")));
  }

  std::string describe(const ZonesOfFile& found, const std::string& path) const {
    Time from = Time::max(), to = Time::min();
    for (const auto& [pool, series] : found.pools.pools) {
      from = std::min(from, series.steps.front().at);
      to = std::max(to, series.end);
    }
    return fmt::format("{} ({}, {} zone{}, {} to {})", path, found.format, found.pools.pools.size(),
                       found.pools.pools.size() == 1 ? "" : "s", iso_seconds(from).substr(0, 10),
                       iso_seconds(to).substr(0, 10));
  }

  market::Usd on_demand_of(const market::Pool& pool, Time at) {
    ticks::TickJob& job = found_.question.job;
    if (job.on_demand.nano > 0 && found_.on_demand.empty()) {
      found_.on_demand = "as stated";
      told_ = job.on_demand;
    }
    if (told_.nano > 0) return told_;
    const auto types = market::instance_types();
    const auto* type = find_instance_type(*types, found_.question.instance_type);
    if (type == nullptr) return market::Usd{1};
    const auto& price = on_demand_price(*type, market::region_of(pool.availability_zone), at);
    if (found_.on_demand.empty())
      found_.on_demand = fmt::format("{}, {}", price.region, price.as_of);
    return price.per_hour;
  }

  void check_length(const traces::CapacitySeries& series, const scenario::Value& trace) const {
    const Duration length = series.end - series.steps.front().at;
    const Duration deadline = found_.question.job.deadline;
    if (length < deadline && !trace.errors().about("trace"))
      trace.reject(
          fmt::format("found a trace of {}, expected one at least as long as the deadline of {}",
                      format_duration(length), format_duration(deadline)));
  }

  scenario::Fields& fields_;
  scenario::Errors warnings_;
  const fs::path folder_;
  AdviceFile found_;
  std::optional<scenario::Value> type_;
  market::Usd told_{};
};

// A file of another command, given by mistake, is one error.
void refuse_others(const scenario::Value& root, const fs::path& file) {
  const auto has = [&](const char* key) { return root.find(key).has_value(); };
  const bool scenario = has("operator") || has("market"),
             sweep = has("policies") || has("job") || has("failing_job") || has("scenario");
  if (has("instance_type") || (!scenario && !sweep)) return;
  throw scenario::ScenarioError({fmt::format(
      "{}:1:1: job: found a {}, which `spotsim {}` takes, expected a mapping with instance_type, "
      "work, deadline, trace …",
      file.string(), scenario ? "scenario" : "sweep", scenario ? "run" : "sweep")});
}

}  // namespace

AdviceFile parse_advice_file(const std::string& text, const fs::path& file) {
  scenario::Errors errors(file.string());
  AdviceFile found;
  scenario::read_yaml(text, errors, [&](const scenario::Value& root) {
    if (!root.is_map())
      throw scenario::ScenarioError({fmt::format(
          "{}:1:1: job: found no keys, expected instance_type, work, deadline, trace …",
          file.string())});
    refuse_others(root, file);
    scenario::Fields fields(root);
    found = AdviceReader(fields, file).read();
    fields.finish();
  });
  if (!errors.empty()) throw scenario::ScenarioError(errors.messages());
  return found;
}

AdviceFile read_advice_file(const fs::path& file) {
  return parse_advice_file(scenario::read_input(file), file);
}

}  // namespace sim::sweep
