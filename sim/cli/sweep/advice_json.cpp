#include "sim/cli/sweep/advice_json.h"

#include <optional>
#include <string>
#include <vector>

#include "policies/acquisition/strategy.h"
#include "sim/cli/sweep/advice_command.h"
#include "sim/cli/sweep/advice_text.h"
#include "sim/cli/sweep/advice_words.h"

namespace sim::cli {
namespace {

using sweep::Advice;
using sweep::Alternative;
using sweep::Distribution;
using sweep::Question;

constexpr int kAdviceSchema = 1;

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }
double in_hours(Duration duration) { return seconds(duration) / 3600; }

Json to_json(const Distribution& values) {
  return {{"mean", values.mean},
          {"p5", values.p5},
          {"p50", values.p50},
          {"p95", values.p95},
          {"ci95", or_null(values.half_width_95)}};
}

// The interval of "time:40m,on-notice" in hours; null for other policies.
Json interval_of(const std::string& policy) {
  const std::string kTime = "time:";
  if (!policy.starts_with(kTime)) return {};
  const std::size_t end = policy.find(',');
  const auto every = parse_duration(policy.substr(kTime.size(), end - kTime.size()));
  return every ? Json(in_hours(*every)) : Json();
}

class WayWriter {
 public:
  explicit WayWriter(const Question& question) : question_(question) {}

  Json one(const Alternative& way) const {
    Json zones = Json::array();
    for (const std::size_t zone : way.zones) zones.push_back(question_.zones[zone].name);
    return {{"strategy", way.strategy},
            {"zones", zones},
            {"policy", way.saves.policy},
            {"interval_h", interval_of(way.saves.policy)},
            {"told_work_h", in_hours(way.saves.told_work)},
            {"cost_usd", to_json(way.cost)},
            {"done_h", to_json(way.hours)},
            {"late_share", way.late},
            {"interruptions", way.interruptions}};
  }
  Json all(const std::vector<Alternative>& ways) const {
    Json list = Json::array();
    for (const Alternative& way : ways) list.push_back(one(way));
    return list;
  }
  Json other(const sweep::Other& other) const {
    Json json = one(other.way);
    json["dearer_usd"] = to_json(other.dearer);
    json["equal"] = other.equal;
    return json;
  }
  Json what_ifs(const Advice& advice) const {
    Json list = Json::array();
    for (const sweep::WhatIf& other : advice.what_ifs)
      list.push_back({{"what", other.what},
                      {"mean_life_h", in_hours(other.mean_life)},
                      {"same", one(other.same)},
                      {"better", other.best ? one(*other.best) : Json()}});
    return list;
  }

 private:
  const Question& question_;
};

Json job_json(const Question& question) {
  const ticks::TickJob& job = question.job;
  return {{"name", question.name},
          {"instance_type", question.instance_type},
          {"work_h", in_hours(job.work)},
          {"deadline_h", in_hours(job.deadline)},
          {"checkpoint_h", in_hours(job.checkpoint_cost)},
          {"restart_h", in_hours(job.changeover)},
          {"notice_h", in_hours(job.notice)},
          {"windows", question.windows},
          {"seed", question.seed},
          {"late_allowed", question.late_allowed}};
}

}  // namespace

Json advice_json(const sweep::AdviceFile& file, const Advice& advice) {
  const Question& question = file.question;
  const WayWriter ways(question);
  const bool on_demand = advice.best.strategy == "on-demand";
  Json next = Json::array();
  for (const sweep::Other& other : advice.others) next.push_back(ways.other(other));
  return {{"schema", kAdviceSchema},
          {"kind", "advice"},
          {"job", job_json(question)},
          {"save", on_demand ? Json() : Json(saving(advice.best.saves.policy))},
          {"meaning", on_demand ? "on demand: no way with spot is cheaper and in time"
                                : policies::meaning_of(advice.best.strategy)},
          {"best", ways.one(advice.best)},
          {"on_demand", ways.one(advice.on_demand)},
          {"next_best", next},
          {"mean_life_h", in_hours(advice.mean_life)},
          {"assumed", advice.assumed},
          {"closed_form_h", in_hours(advice.interval)},
          {"optimum_usd", or_null(advice.optimum)},
          {"saves", ways.all(advice.saves)},
          {"places", ways.all(advice.places)},
          {"what_ifs", ways.what_ifs(advice)},
          {"runs", advice.runs},
          {"command", advice_command(question, advice)},
          {"text", advice_text(file, advice)}};
}

}  // namespace sim::cli
