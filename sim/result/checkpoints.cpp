#include "sim/result/checkpoints.h"

#include <fmt/format.h>

namespace sim::result {

bool Checkpoints::has_last(std::string_view holder) const {
  const auto at = holders.find(holder);
  return step && at != holders.end() && at->second.report == report;
}

std::vector<std::string> Checkpoints::holders_of(std::int64_t of_step) const {
  std::vector<std::string> list;
  for (const auto& [id, held] : holders)
    if (held.durable && *held.durable >= of_step) list.push_back(id);
  return list;
}

Evidence Checkpoints::found() const {
  Evidence e{.step = step, .path = path};
  const std::string named = path.empty() ? "" : " (" + path + ")";
  std::string root;  // instance that has this root disk
  for (const auto& [holder, held] : holders) {
    if (!has_last(holder)) continue;
    if (holder.starts_with("i-"))
      root = holder;
    else
      e.on.push_back(holder);
  }
  if (!step) {
    e.why = "no checkpoint was reported";
  } else if (!e.on.empty()) {
    e.kept = true;
  } else if (!last_one.empty()) {
    e.kept = false;
    e.why = fmt::format("the checkpoint of step {}{} was on {}", *step, named, last_one);
  } else if (!root.empty()) {
    e.kept = false;
    e.why =
        fmt::format("the checkpoint of step {}{} is on the root disk of {}", *step, named, root);
  } else if (path.starts_with(kBucketScheme)) {
    e.kept = false;
    e.why = fmt::format("the checkpoint of step {}{} was not in its bucket", *step, named);
  } else {
    e.why =
        fmt::format("it is not known on which disk the checkpoint of step {}{} is", *step, named);
  }
  return e;
}

}  // namespace sim::result
