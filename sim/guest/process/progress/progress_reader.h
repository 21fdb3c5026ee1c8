// A trainer's progress, read from the lines of its log by a scenario's rule, in the words of the
// progress lines that a trainer may write itself (docs/event-log.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sim/events/event_log.h"
#include "sim/guest/process/progress/progress_rule.h"

namespace sim::guest {

// The text without the escape sequences (ECMA-48) and backspaces that progress bars draw with.
std::string without_controls(std::string_view text);

// What the logs of one machine show about the whole job.
struct ProgressMemory {
  std::int64_t epoch_steps = 0;  // 0: not known yet
  std::int64_t bar_total = 0;    // of training's bar; 0: not known yet
  // The steps that were read and the steps with a checkpoint. Training resumes after one of them.
  std::set<std::int64_t> told;
};

class ProgressReader {
 public:
  using Tell = std::function<void(std::string_view event, Json fields)>;
  // The newest of the rule's checkpoint files that has changed since the last call; empty: none.
  using NewFile = std::function<std::string()>;

  // Rule and memory outlive it.
  ProgressReader(const ProgressRule& rule, ProgressMemory& memory, Tell tell, NewFile new_file)
      : rule_(rule), memory_(memory), tell_(std::move(tell)), new_file_(std::move(new_file)) {}

  // What was appended to the log. Lines end with \n or \r.
  void take(std::string_view text);
  // Reports a checkpoint file that has changed since training began.
  void look_at_files();
  // The log ends: its last line may have no end.
  void end();

 private:
  void line(std::string text);
  void unfinished_line();
  void counts(const std::string& text, bool unfinished);
  bool read_state(const std::string& text);  // false: more of it may come
  void start_line(const LinePattern::Match& found, const std::optional<LinePattern::Match>& epoch);
  void epoch_line(std::int64_t number, std::int64_t total);
  void step_line(std::int64_t number, std::int64_t total);
  // Of a line that has both.
  void epoch_and_step_line(const LinePattern::Match& epoch, std::int64_t step, std::int64_t total);
  bool is_of_another_bar(std::int64_t total);
  void checkpoint_line(const LinePattern::Match& found);
  void begin(std::int64_t step);
  void reach(std::int64_t step);
  void go_on(std::int64_t step, std::int64_t earliest);
  void tell_checkpoint(std::int64_t step, Json fields);
  void finish();
  std::int64_t total_steps() const;
  std::int64_t last_told_before(std::int64_t step) const;

  const ProgressRule& rule_;
  ProgressMemory& memory_;
  Tell tell_;
  NewFile new_file_;
  std::string rest_;  // a line's beginning
  bool began_ = false, finished_ = false;
  std::int64_t epoch_ = 0;  // from 1
  std::int64_t total_ = 0;  // epochs, or steps where there are no epochs; 0: unknown
  std::int64_t done_ = 0;   // steps; epochs where there are no steps
  std::int64_t began_at_ = 0;
  std::int64_t looked_ = 0;  // of these, when files were looked at last
  std::string state_;        // state in the last line with a step
};

}  // namespace sim::guest
