#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

class JobEnds : public Invariant {
 public:
  JobEnds() : Invariant("job-ends", "the run ends by itself, before its limit") {}

  void end(const History& history, const Result& result) override {
    if (result.outcome == "deadline" || result.outcome == "stuck")
      broken(history.end, result.outcome, {}, {{"outcome"}});
  }
};

class JobCompletes : public Invariant {
 public:
  JobCompletes(bool must, const RunSoFar& run)
      : Invariant("job-completes", "temporary faults do not keep the job from completing"),
        must_(must),
        run_(run) {}

  void end(const History& history, const Result& result) override {
    if (result.outcome == "completed" || run_.nothing_to_go_on_with()) return;
    broken(history.end, result.cause ? result.outcome + ": " + result.cause->why : result.outcome,
           {}, {{"outcome"}});
  }

  bool applies() const override { return must_; }

 private:
  bool must_;
  const RunSoFar& run_;
};

}  // namespace

std::unique_ptr<Invariant> job_ends(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<JobEnds>();
}

std::unique_ptr<Invariant> job_completes(const InvariantRules& rules, const RunSoFar& run) {
  return std::make_unique<JobCompletes>(rules.must_complete, run);
}

}  // namespace sim::result
