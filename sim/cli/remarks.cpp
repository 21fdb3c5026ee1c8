#include "sim/cli/remarks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"

namespace sim::cli {
namespace {

std::string field(const Event& event, const char* key) { return base::text_of(event.fields, key); }

}  // namespace

void Remarks::hear(const Event& event) {
  if (event.kind == "instance.state") launched_ = true;
  if (event.kind == "guest.bad-event" && ++bad_lines_ == 1)
    first_bad_ = field(event, "instance_id") + ": " + field(event, "line");
  if (event.kind != "api.call" || field(event, "caller") != "operator") return;
  if (field(event, "result") == "ok") return;
  const std::string call = fmt::format("{} ({})", field(event, "action"), field(event, "result"));
  if (std::ranges::find(refused_, call) == refused_.end()) refused_.push_back(call);
}

std::vector<std::string> Remarks::all() const {
  std::vector<std::string> all;
  if (!launched_)
    all.push_back(fmt::format(
        "no instance was ever launched{}{}; a script without `set -e` goes on where a command "
        "fails",
        refused_.empty() ? "" : "; AWS refused the operator's calls ", fmt::join(refused_, ", ")));
  if (bad_lines_ > 0)
    all.push_back(
        fmt::format("{} of the lines in $JOB_EVENTS {} left out, the first of {}; "
                    "docs/event-log.md says what is expected",
                    bad_lines_, bad_lines_ == 1 ? "was" : "were", first_bad_));
  return all;
}

}  // namespace sim::cli
