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
  if (event.kind == "api.call" && field(event, "result") != "ok") hear_refusal(event);
}

void Remarks::hear_refusal(const Event& event) {
  const std::string service = field(event, "service"), result = field(event, "result");
  const std::string call =
      (service.empty() || service == "ec2" ? "" : service + " ") + field(event, "action");
  const auto add = [](std::vector<std::string>& list, const std::string& text) {
    if (std::ranges::find(list, text) == list.end()) list.push_back(text);
  };
  if (result == "NotImplemented") add(lacking_, call);
  if (field(event, "caller") == "operator") add(refused_, fmt::format("{} ({})", call, result));
}

std::vector<std::string> Remarks::all() const {
  std::vector<std::string> all;
  if (launched_.empty())
    all.push_back(fmt::format(
        "no instance was ever launched{}{}{}",
        refused_.empty() ? "" : "; AWS refused the operator's calls ", fmt::join(refused_, ", "),
        operator_failed_ ? "" : "; a script without `set -e` goes on where a command fails"));
  if (!lacking_.empty())
    all.push_back(fmt::format("the simulated AWS has no {}: such calls were answered with an error",
                              fmt::join(lacking_, ", ")));
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
