#include "sim/cli/sweep/advice_json.h"

#include <optional>
#include <string>
#include <vector>

#include "policies/acquisition/strategy.h"
#include "sim/cli/sweep/advice_command.h"
#include "sim/cli/sweep/advice_summary.h"
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

class WayWriter {
 public:
  explicit WayWriter(const Question& question) : question_(question) {}

  Json one(const Alternative& way) const {
    Json zones = Json::array();
    for (const std::size_t zone : way.zones) zones.push_back(question_.zones[zone].name);
    return {{"strategy", way.strategy},
            {"zones", zones},
            {"policy", way.saves.policy},
            {"interval_h", way.interval() ? Json(in_hours(*way.interval())) : Json()},
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

Json range_json(const std::optional<sweep::IntervalRange>& range) {
  if (!range) return {};
  return {{"from", in_hours(range->from)}, {"to", in_hours(range->to)}};
}

Json today_json(const sweep::Answer& answer) {
  if (!answer.now) return {};
  const sweep::TypeAnswer& type = answer.types[*answer.now];
  Json json = WayWriter(type.file.question).one(*type.today);
  json["instance_type"] = type.file.question.instance_type;
  json["saved_usd"] = type.today->cost.mean - answer.advised().advice.best.cost.mean;
  return json;
}

Json types_json(const sweep::Answer& answer) {
  Json list = Json::array();
  for (const sweep::TypeAnswer* const type : types_best_first(answer)) {
    const WayWriter ways(type->file.question);
    list.push_back({{"instance_type", type->file.question.instance_type},
                    {"speed", type->file.speed},
                    {"work_h", in_hours(type->file.question.job.work)},
                    {"best", ways.one(type->advice.best)},
                    {"on_demand", ways.one(type->advice.on_demand)},
                    {"as_good_h", range_json(type->as_good)}});
  }
  return list;
}

}  // namespace

Json advice_json(const sweep::Answer& answer) {
  const sweep::AdviceFile& file = answer.advised().file;
  const Advice& advice = answer.advised().advice;
  const Question& question = file.question;
  const WayWriter ways(question);
  const bool on_demand = advice.best.strategy == "on-demand";
  Json next = Json::array();
  for (const sweep::Other& other : advice.others) next.push_back(ways.other(other));
  return {{"schema", kAdviceSchema},
          {"kind", "advice"},
          {"verdict", verdict(answer)},
          {"summary", advice_summary(answer)},
          {"job", job_json(question)},
          {"save", on_demand ? Json() : Json(saving(advice.best.saves.policy))},
          {"meaning", on_demand ? "on demand: no way with spot is cheaper and in time"
                                : policies::meaning_of(advice.best.strategy)},
          {"best", ways.one(advice.best)},
          {"on_demand", ways.one(advice.on_demand)},
          {"today", today_json(answer)},
          {"types", types_json(answer)},
          {"next_best", next},
          {"mean_life_h", in_hours(advice.mean_life)},
          {"assumed", advice.assumed},
          {"closed_form_h", in_hours(advice.interval)},
          {"optimum_usd", or_null(advice.optimum)},
          {"curve", ways.all(answer.advised().curve)},
          {"as_good_h", range_json(answer.advised().as_good)},
          {"saves", ways.all(advice.saves)},
          {"places", ways.all(advice.places)},
          {"what_ifs", ways.what_ifs(advice)},
          {"runs", advice.runs},
          {"command", advice_command(question, advice)},
          {"text", advice_text(file, advice)}};
}

}  // namespace sim::cli
