// What an advice is found by: the windows of a question, how long spot lasts in them, and ways
// tried in them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/sweep/advice/advice.h"
#include "sim/sweep/dependence.h"

namespace sim::sweep {

using Zones = std::vector<std::size_t>;  // of the question's

// A way to save, as intervals are tried: multiples of the closed form's.
struct Save {
  Checkpoints saves;
  double times = 0;  // as Tried's
  // The share of the slack that the strategy takes for work: 0: it is told the work with its
  // checkpoints; 1: so much that it rents on demand from the start.
  double margin = 0;
};

// The multiples and margins of a search: each with each.
struct Choices {
  std::span<const double> times, margins;
};

class AdviceTrials {
 public:
  // Throws std::length_error as advise() does. The question must outlive it.
  AdviceTrials(const Question& question, unsigned threads);
  AdviceTrials(const AdviceTrials&) = delete;
  AdviceTrials& operator=(const AdviceTrials&) = delete;

  const Question& question() const { return question_; }
  const Preference& preference() const { return preference_; }
  const Dependence& dependence() const { return dependence_; }
  std::int64_t runs() const { return runs_; }

  // The windows, of these zones alone.
  std::vector<Window> windows(const Zones& zones) const;
  // Each strategy with each way to save.
  std::vector<Tried> attempt(std::span<const std::string> strategies, const Zones& zones,
                             const std::vector<Save>& saves);
  // In all of the trace, before anything is drawn on top.
  SpotLife life(const Zones& zones) const;
  // M: of the trace and of what is drawn; where nothing interrupts, the time seen.
  Duration mean_life(const Zones& zones) const;
  // The best interval for exponential interruptions without notice.
  Duration interval(const Zones& zones) const;
  // The closed form's interval at these multiples, with and, where a notice is long enough, without
  // saving on notice; each with these margins. Where none is shorter than the work, or nothing
  // interrupts, saving on notice alone.
  std::vector<Save> saves(const Zones& zones, const Choices& choices) const;
  // The least cost that there is in each of the first so many windows, USD; empty where the
  // deadline cannot be met, or where the optimum is beyond what can be computed.
  std::vector<std::optional<double>> optima(const Zones& zones, const Checkpoints& saves,
                                            std::size_t most) const;
  // Until the work is done, not until the tick's end as Tried's; a window each.
  Distribution hours_done(const Tried& way) const;

 private:
  bool nothing_interrupts(const Zones& zones) const;
  Duration told_work(const Zones& zones, Duration every, double margin) const;

  const Question& question_;
  unsigned threads_;
  std::vector<Window> windows_, whole_;  // of all zones; the second without what is drawn
  Dependence dependence_;
  Preference preference_;
  std::int64_t runs_ = 0;
};

// At least ten minutes to whole minutes, less to whole seconds: as somebody would write it.
Duration written_down(Duration interval);

}  // namespace sim::sweep
