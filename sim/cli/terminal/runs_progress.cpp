#include "sim/cli/terminal/runs_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sim::cli {

RunsProgress::RunsProgress(std::string name, std::size_t all, std::size_t at_once, bool quiet,
                           Clock now)
    : name_(std::move(name)),
      all_(all),
      at_once_(std::min(at_once, std::max<std::size_t>(all, 1))),
      quiet_(quiet),
      line_(!quiet),
      now_(std::move(now)),
      begin_(now_()) {
  if (all_ > 1 && !quiet_)
    fmt::print(stderr, "spotsim: {}: {} runs, {} at a time\n", name_, all_, at_once_);
  line_.draw(fmt::format("{}: 0/{} runs", name_, all_));
}

void RunsProgress::add() {
  ++done_;
  // Estimates in turns of `at_once_` runs, because the first runs end at about the same time.
  const auto turns = [this](std::size_t runs) {
    return static_cast<double>((runs + at_once_ - 1) / at_once_);
  };
  const std::chrono::duration<double> spent = now_() - begin_;
  const double left = spent.count() * (turns(all_) / turns(done_) - 1);
  if (done_ == 1 && all_ > 1 && !quiet_) {
    line_.clear();
    fmt::print(stderr, "spotsim: {}: about {:.0f} s more\n", name_, left);
  }
  line_.draw(fmt::format("{}: {}/{} runs  {:.0f} s left", name_, done_, all_, left));
}

}  // namespace sim::cli
