// The experiments of an advice: the windows of a question, the lives of spot instances in them, and
// trials of ways.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/sweep/advice/advice.h"
#include "sim/sweep/dependence.h"

namespace sim::sweep {

using Zones = std::vector<std::size_t>;  // indices of the question's zones

// A way to save. Intervals are multiples of the closed form's.
struct Save {
  CheckpointSettings saves;
  double times = 0;  // like Tried::times
  // The share of the slack that the strategy counts as work. 0: it plans for the work with its
  // checkpoints. 1: it rents on demand from the start.
  double margin = 0;
};

// The multiples and margins of a search, in all combinations.
struct Choices {
  std::span<const double> times, margins;
};

class AdviceTrials {
 public:
  // Throws std::length_error like advise(). The question must outlive it.
  AdviceTrials(const Question& question, unsigned threads);
  AdviceTrials(const AdviceTrials&) = delete;
  AdviceTrials& operator=(const AdviceTrials&) = delete;

  const Question& question() const { return question_; }
  const Preference& preference() const { return preference_; }
  const Dependence& dependence() const { return dependence_; }
  std::int64_t runs() const { return runs_; }

  // The windows with these zones only.
  std::vector<ticks::Window> windows(const Zones& zones) const;
  // Runs each strategy with each way to save.
  std::vector<TriedAlternative> attempt(std::span<const std::string> strategies, const Zones& zones,
                                        const std::vector<Save>& saves);
  // In the complete trace, without drawn interruptions.
  ticks::SpotLife life(const Zones& zones) const;
  // M of the trace and of drawn interruptions. Without any interruption it is the observed time.
  Duration mean_life(const Zones& zones) const;
  // The best interval for exponential interruptions without notice.
  Duration interval(const Zones& zones) const;
  // The closed form's interval at these multiples, with and without saving on notice (if a notice
  // is long enough), each with these margins. If none is shorter than the work, or without
  // interruptions, it is saving on notice alone.
  std::vector<Save> saves(const Zones& zones, const Choices& choices) const;
  // Saves every so often, and otherwise like this way: on notice or not, with the same margin.
  Save save_every(const Zones& zones, Duration every, const Alternative& like) const;
  // The least possible cost in each of the first windows, USD. Empty if the deadline cannot be met,
  // or if the optimum is too large to compute.
  std::vector<std::optional<double>> optima(const Zones& zones, const CheckpointSettings& saves,
                                            std::size_t most) const;
  // For each window, the hours until the work is done. Tried counts until the end of the tick.
  Distribution hours_done(const TriedAlternative& way) const;

 private:
  bool nothing_interrupts(const Zones& zones) const;
  Duration told_work(const Zones& zones, Duration every, double margin) const;

  const Question& question_;
  unsigned threads_;
  std::vector<ticks::Window> windows_,
      whole_;  // of all zones; the second without drawn interruptions
  Dependence dependence_;
  Preference preference_;
  std::int64_t runs_ = 0;
};

// Rounds to whole minutes from ten minutes on, else to whole seconds.
Duration written_down(Duration interval);

}  // namespace sim::sweep
