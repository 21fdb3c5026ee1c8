#include "sim/sweep/advice/advice_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/scenario/scenario.h"
#include "sim/sweep/advice/advice_checks.h"
#include "sim/sweep/advice/advice_traces.h"
#include "sim/sweep/file/sweep_file_parts.h"
#include "sim/sweep/file/sweep_moves.h"
#include "sim/traces/built_in.h"
#include "sim/traces/trace.h"
#include "sim/traces/trace_file.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostZonesAsked = 32;
constexpr std::string_view kStatedZone = "us-east-1a";  // without a trace and `zones`

bool wrong_in(const scenario::Errors& errors, std::initializer_list<const char*> keys) {
  return std::ranges::any_of(keys, [&](const char* key) { return errors.about(key); });
}

class AdviceReader {
 public:
  AdviceReader(const scenario::Value& root, scenario::Fields& fields, const fs::path& file,
               TypeSpeed type)
      : root_(root),
        fields_(fields),
        warnings_(file.string()),
        folder_(file.parent_path()),
        type_(std::move(type)) {
    found_.question.name = file.stem().string();
    found_.question.instance_type = type_.type;
    found_.speed = type_.speed;
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
  Duration at_speed(Duration time) const {
    if (type_.speed == 1) return time;
    const Duration unit = time >= 1min ? Duration(1s) : Duration(1ms);
    return from_seconds(seconds(time) / type_.speed) / unit * unit;
  }

  void read_job() {
    ticks::TickJob& job = found_.question.job;
    job.work = at_speed(require_duration(fields_, "work", "a duration such as 20h, of computing"));
    const auto deadline = fields_.require("deadline", "a duration such as 30h, from the start");
    if (deadline) job.deadline = deadline->duration("a duration such as 30h").value_or(Duration{});
    job.checkpoint_cost = read_duration(fields_, "checkpoint", 30s, Duration::zero());
    job.changeover = read_duration(fields_, "restart", 5min, Duration::zero());
    job.step = read_duration(fields_, "step", 1min, 1ms);
    if (type_.speed != 1) job.step = std::max(at_speed(job.step), Duration(1ms));
    job.notice = read_duration(fields_, "notice", 2min, Duration::zero());
    job.tick = read_duration(fields_, "tick", 10min, 1min);
    job.on_demand = read_price(fields_, "on_demand", type_.type);
    job.spot = read_price(fields_, "spot", type_.type);
    job.billing = market::Billing::kPerSecond;
    if (!deadline || wrong_in(deadline->errors(), {"work", "deadline", "restart", "tick"})) return;
    if (job.deadline >= job.work + job.changeover + 2 * job.tick) return;
    const std::string short_time = fmt::format(
        "found {} for {} of work after a restart of {}, expected at least {}",
        format_duration(job.deadline), format_duration(job.work), format_duration(job.changeover),
        format_duration(job.work + job.changeover + 2 * job.tick));
    if (!type_.among_others) return deadline->reject(short_time);
    found_.too_slow = true;
    warnings_.add(deadline->place(), "deadline",
                  fmt::format("warning: {} is left out: {}", type_.type, short_time));
  }

  void read_trace() {
    const auto trace = fields_.take("trace");
    if (!trace) return read_stated_zones();
    const auto text = trace->text("a trace's path");
    if (!text) return;
    try {
      const ZonesOfFile found =
          read_zones(*trace, *text, fields_, folder_, found_.question.instance_type, warnings_);
      add_zones(found, *trace, *text);
      found_.warnings = found.odd;
    } catch (const traces::TraceError& error) {
      trace->reject(error.what());
    } catch (const fs::filesystem_error& error) {
      trace->reject(error.what());
    }
  }

  // Without a trace, spot has the stated price at all times in each of `zones`.
  void read_stated_zones() {
    Question& question = found_.question;
    if (const auto prices = fields_.take("prices"))
      prices->reject("found a price trace, expected one of availability under `trace`, too");
    if (question.job.spot.nano == 0) return refuse_no_trace();
    question.no_trace = true;
    std::vector<std::string> zones;
    if (const auto field = fields_.take("zones"))
      for (const scenario::Value& value : one_or_more(*field)) {
        const std::string zone = value.text("an Availability Zone").value_or("");
        if (market::region_of(zone).size() == zone.size() && !zone.empty())
          value.fail("an Availability Zone such as us-east-1a");
        zones.push_back(zone);
      }
    if (zones.empty()) zones.emplace_back(kStatedZone);
    std::ranges::sort(zones);
    zones.erase(std::ranges::unique(zones).begin(), zones.end());
    for (const std::string& zone : zones)
      question.zones.push_back(
          {.name = zone,
           .series = {.steps = {{Time{}, 1}}, .end = Time{} + question.job.deadline},
           .on_demand = on_demand_of({question.instance_type, zone}, Time{})});
    question.job.on_demand = question.zones.front().on_demand;
  }

  void refuse_no_trace() {
    const std::string& type = found_.question.instance_type;
    if (root_.errors().about("trace") || root_.errors().about("spot")) return;
    std::string names;
    for (const traces::BuiltInTrace& trace : traces::built_in_traces())
      if (trace.for_advice)
        names += fmt::format("\n      {:<14} {} ({}; {}; {})", trace.name, trace.pools, trace.time,
                             trace.content, trace.source);
    fields_.require(
        "trace",
        fmt::format("one of\n"
                    "  - a price and how often EC2 interrupts: `spot: 0.35/h` and `interrupted: "
                    "every 6h`\n"
                    "  - `trace: NAME` of a trace that comes with spotsim:{}\n"
                    "  - `trace: prices.json` with AWS's prices of the last 90 days:\n"
                    "      {}",
                    names, traces::price_history_command(type.empty() ? "p3.2xlarge" : type)));
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

  const scenario::Value& root_;
  scenario::Fields& fields_;
  scenario::Errors warnings_;
  const fs::path folder_;
  AdviceFile found_;
  const TypeSpeed type_;
  market::Usd told_{};
};

// A file of another command, given by mistake, is one error.
void refuse_others(const scenario::Value& root, const fs::path& file) {
  const auto has = [&](const char* key) { return root.find(key).has_value(); };
  const bool scenario = has("operator") || has("market"),
             sweep = has("policies") || has("job") || has("failing_job") || has("scenario");
  if (has("instance_type") || has("instance_types") || (!scenario && !sweep)) return;
  throw scenario::ScenarioError({fmt::format(
      "{}:1:1: job: found a {}, which `spotsim {}` takes, expected a mapping with instance_type, "
      "work, deadline, trace …",
      file.string(), scenario ? "scenario" : "sweep", scenario ? "run" : "sweep")});
}

}  // namespace

std::vector<AdviceFile> parse_advice_files(const std::string& text, const fs::path& file) {
  scenario::Errors errors(file.string());
  std::vector<AdviceFile> found;
  scenario::read_yaml(text, errors, [&](const scenario::Value& root) {
    if (!root.is_map())
      throw scenario::ScenarioError({fmt::format(
          "{}:1:1: job: found no keys, expected instance_type, work, deadline, trace …",
          file.string())});
    refuse_others(root, file);
    scenario::Fields fields(root);
    const std::vector<TypeSpeed> types = read_types(fields);
    for (TypeSpeed type : types) {
      // If all are too slow, the last one's error says so.
      const bool all_too_slow = std::ranges::all_of(found, &AdviceFile::too_slow);
      type.among_others = found.size() + 1 < types.size() || !all_too_slow;
      found.push_back(AdviceReader(root, fields, file, type).read());
      found.back().today = read_today(fields, types, found.back().question);
      if (!errors.empty()) break;  // an error of one type would be repeated for the next
    }
    fields.finish();
  });
  if (!errors.empty()) throw scenario::ScenarioError(errors.messages());
  const auto kept = std::ranges::find(found, false, &AdviceFile::too_slow);
  for (const AdviceFile& one : found)
    if (one.too_slow) std::ranges::copy(one.warnings, std::back_inserter(kept->warnings));
  std::erase_if(found, [](const AdviceFile& one) { return one.too_slow; });
  return found;
}

AdviceFile parse_advice_file(const std::string& text, const fs::path& file) {
  return parse_advice_files(text, file).front();
}

std::vector<AdviceFile> read_advice_files(const fs::path& file) {
  return parse_advice_files(scenario::read_input(file), file);
}

AdviceFile read_advice_file(const fs::path& file) { return read_advice_files(file).front(); }

}  // namespace sim::sweep
