#include "sim/sweep/advice/advice_checks.h"

#include <fmt/format.h>

namespace sim::sweep {
namespace {

constexpr Duration kLongPause = 1h;  // for a checkpoint, a restart, a step or a notice

// A check of a key. It applies only if the file has the key.
struct Check {
  const char* key;
  bool (*odd)(const Question& question);
  std::string (*message)(const Question& question);
};

bool is_long(Duration pause, const ticks::TickJob& job) {
  return pause > kLongPause || pause > job.work / 4;
}

const Check kChecks[]{
    {"work", [](const Question& q) { return q.job.work < q.job.tick; },
     [](const Question& q) {
       return fmt::format(
           "the job ends before the second decision, {} after the first: is the unit too small, or "
           "`tick` too long?",
           format_duration(q.job.tick));
     }},
    {"deadline", [](const Question& q) { return q.job.deadline % q.job.tick != Duration{}; },
     [](const Question& q) {
       return fmt::format(
           "decisions come every {}, so a run is in time until {}: state a multiple of `tick`",
           format_duration(q.job.tick), format_duration(q.job.deadline / q.job.tick * q.job.tick));
     }},
    {"checkpoint", [](const Question& q) { return is_long(q.job.checkpoint_cost, q.job); },
     [](const Question& q) {
       return fmt::format(
           "training pauses so long for each checkpoint of {} of work: is "
           "the unit too large?",
           format_duration(q.job.work));
     }},
    {"restart", [](const Question& q) { return is_long(q.job.changeover, q.job); },
     [](const Question& q) {
       return fmt::format(
           "each new instance needs so long until its first step, with {} of work: is the unit too "
           "large?",
           format_duration(q.job.work));
     }},
    {"step", [](const Question& q) { return is_long(q.job.step, q.job); },
     [](const Question& q) {
       return fmt::format(
           "{} is one step of training, and the job can save or stop only at its end, with {} of "
           "work: is the unit too large?",
           format_duration(q.job.step), format_duration(q.job.work));
     }},
    {"notice", [](const Question& q) { return q.job.notice > kLongPause; },
     [](const Question&) { return std::string("EC2 gives 2m: is the unit too large?"); }},
    {"tick", [](const Question& q) { return q.job.tick > q.job.deadline / 10; },
     [](const Question& q) {
       return fmt::format(
           "only {} decisions of what to rent fit before the deadline: is the unit too large?",
           q.job.deadline / q.job.tick);
     }},
    {"interruptions",
     [](const Question& q) {
       return q.interruptions && q.interruptions->every < q.job.changeover + q.job.checkpoint_cost;
     },
     [](const Question& q) {
       return fmt::format(
           "spot is interrupted before a restart and a checkpoint are complete ({}): is the unit "
           "too small?",
           format_duration(q.job.changeover + q.job.checkpoint_cost));
     }},
    {"spot",
     [](const Question& q) { return q.job.on_demand.nano > 0 && q.job.spot >= q.job.on_demand; },
     [](const Question& q) {
       return fmt::format(
           "on demand costs {} an hour, no more than spot: are the two prices of one "
           "instance type, in US dollars an hour?",
           market::format_usd(q.job.on_demand));
     }}};

}  // namespace

void check_job(const Question& question, scenario::Fields& fields, scenario::Errors& warnings) {
  for (const Check& check : kChecks) {
    const auto value = fields.take(check.key);
    if (!value || value->errors().about(check.key) || !check.odd(question)) continue;
    warnings.add(value->place(), check.key,
                 fmt::format("warning: found {}; {}",
                             value->node().IsScalar() ? value->node().Scalar() : "a mapping",
                             check.message(question)));
  }
}

}  // namespace sim::sweep
