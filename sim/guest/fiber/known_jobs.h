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
  // Parses the job files that the plan's commands name or that instances get as user data. A file
  // that cannot be parsed is skipped; the command that reads it reports the reason.
  explicit KnownJobs(const OperatorPlan& plan);

  // Like spotrun::parse_job(), for any text.
  spotrun::Job parse(const std::string& text, const std::string& file) const;

 private:
  std::map<std::string, spotrun::Job> by_text_;
};

}  // namespace sim::guest
