// The job files of a scenario, parsed once for all its runs.
#pragma once

#include <map>
#include <string>

#include "orchestrator/job/job.h"
#include "sim/guest/fiber/operator_plan.h"

namespace sim::guest {

class KnownJobs {
 public:
  KnownJobs() = default;
  // Those that the plan's commands name, and what instances get of them as user data. One that
  // cannot be parsed is not known; the command that reads it says why.
  explicit KnownJobs(const OperatorPlan& plan);

  // As spotrun::parse_job(), of any text.
  spotrun::Job parse(const std::string& text, const std::string& file) const;

 private:
  std::map<std::string, spotrun::Job> by_text_;
};

}  // namespace sim::guest
