#include "sim/guest/fiber/known_jobs.h"

#include "orchestrator/failure.h"

namespace sim::guest {

KnownJobs::KnownJobs(const OperatorPlan& plan) {
  for (const OperatorPlan::Step& step : plan.steps) {
    const auto* const line = std::get_if<spotrun::CommandLine>(&step.command);
    if (!line) continue;
    const auto file = plan.files.find(line->job);
    if (file == plan.files.end()) continue;
    try {
      const spotrun::Job job = spotrun::parse_job(file->second, file->first);
      by_text_.emplace(job.document, job);
      by_text_.emplace(file->second, job);
    } catch (const spotrun::Failure&) {
    }
  }
}

spotrun::Job KnownJobs::parse(const std::string& text, const std::string& file) const {
  const auto known = by_text_.find(text);
  return known != by_text_.end() ? known->second : spotrun::parse_job(text, file);
}

}  // namespace sim::guest
