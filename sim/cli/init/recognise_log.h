// Finds the progress rule that reads a training's log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim::cli {

struct RecognisedLog {
  std::string name;                // of the format; "plain" for patterns such as step 3/40
  std::vector<std::string> block;  // lines below `progress:`
  std::string assumed;             // what the sample does not show; empty: nothing
  std::string start, epoch, step, checkpoint;  // the first line of each kind; empty: none
  std::string path;  // of the checkpoint in that line; empty: the line does not name it
  std::int64_t steps = 0, checkpoints = 0;  // numbers of lines
};

// Empty if no line shows a step or an epoch. Lines end with \n or \r, as in a run.
std::optional<RecognisedLog> recognise_log(std::string_view log);

}  // namespace sim::cli
