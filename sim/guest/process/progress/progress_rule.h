// Rules that read the progress of a trainer that reports nothing: patterns for the lines of its log
// (docs/scenario.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/guest/process/progress/line_pattern.h"

namespace sim::guest {

struct ProgressRule {
  static constexpr const char* kConsole = "console";

  std::string log = kConsole;  // or the absolute path of a file in the instance
  // Groups `number` (the first) and `total` (the second). An epoch's line comes when it begins, a
  // step's when it is done; with both, steps are counted from the epoch's beginning, of `total`.
  // Where one line has both, as a progress bar's, the step is in that epoch.
  std::optional<LinePattern> epoch, step;
  std::int64_t first = 1;  // the number of the first epoch, and of the first step where it is alone
  // Training begins. Group `step` (the first), if it matches: after so many steps, else after none.
  std::optional<LinePattern> start;
  // The step is a progress bar's. The first bar is training's: one of another total is an
  // evaluation's, and so is any that comes when training is finished.
  bool bar = false;
  // Groups `path` (the first) and `step`: of the step that the file has, else the last one done.
  std::optional<LinePattern> checkpoint;
  // Group `state` (the first), in a line with a step: the state after the step, such as its loss.
  // It is for trainers whose steps always lead to the same state.
  std::optional<LinePattern> state;
  std::optional<LinePattern> finished;  // without it, the last of `total` finishes
  std::string folder = "/";             // where paths that are neither absolute nor s3:// start
  std::string checkpoint_files;  // absolute path with a pattern of fnmatch(3) as its last part
};

}  // namespace sim::guest
