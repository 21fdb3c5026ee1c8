// The log formats of well-known training programs. A name stands for the patterns of a `progress`
// block.
#pragma once

#include <span>
#include <string_view>

#include "sim/guest/process/progress/progress_rule.h"

namespace sim::scenario {

// A row of the table. An empty pattern: the format has no such line. docs/foreign-jobs.md shows
// samples.
struct ProgressFormat {
  std::string_view name;
  std::string_view start, epoch, step, checkpoint, finished;  // the patterns of ProgressRule
  std::int64_t first = 1;
  bool bar = false;
};

std::span<const ProgressFormat> progress_formats();

guest::ProgressRule rule_of(const ProgressFormat& format);

}  // namespace sim::scenario
