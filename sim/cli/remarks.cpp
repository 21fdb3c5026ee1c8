#include "sim/cli/remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/json_text.h"

namespace sim::cli {
namespace {

std::string field(const Event& event, const char* key) { return base::text_of(event.fields, key); }

// What cloud-init says of user data in none of its formats.
constexpr std::string_view kUnhandled = "Unhandled non-multipart";

}  // namespace

void Remarks::hear(const Event& event) {
  if (event.kind == "instance.state") launched_.insert(field(event, "instance_id"));
  if (event.kind == "guest.exit" && field(event, "machine") == "operator")
    operator_failed_ = event.fields.value("status", 0) != 0;
  if (event.kind == "guest.user-data")
    user_data_.emplace(field(event, "machine"), field(event, "warning"));  // the first
  if (event.kind == "guest.bad-event" && ++bad_lines_ == 1)
    first_bad_ = fmt::format("{}: {}: {}", field(event, "instance_id"), field(event, "line"),
                             field(event, "why"));
  if (event.kind != "api.call" || field(event, "caller") != "operator") return;
  if (field(event, "result") == "ok") return;
  const std::string call = fmt::format("{} ({})", field(event, "action"), field(event, "result"));
  if (std::ranges::find(refused_, call) == refused_.end()) refused_.push_back(call);
}

std::vector<std::string> Remarks::all() const {
  std::vector<std::string> all;
  if (launched_.empty())
    all.push_back(fmt::format(
        "no instance was ever launched{}{}{}",
        refused_.empty() ? "" : "; AWS refused the operator's calls ", fmt::join(refused_, ", "),
        operator_failed_ ? "" : "; a script without `set -e` goes on where a command fails"));
  for (const auto& [machine, warning] : user_data_)
    all.push_back(warning.starts_with(kUnhandled)
                      ? machine +
                            ": its user data was not run, as it does not begin with `#!` "
                            "(#!/bin/bash, say)"
                      : fmt::format("{}: cloud-init warns of its user data: {}", machine, warning));
  if (bad_lines_ > 0)
    all.push_back(
        fmt::format("{} of the lines in $JOB_EVENTS {} left out, the first of {}; "
                    "docs/event-log.md says what is expected",
                    bad_lines_, bad_lines_ == 1 ? "was" : "were", first_bad_));
  return all;
}

}  // namespace sim::cli
