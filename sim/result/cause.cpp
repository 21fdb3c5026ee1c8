#include "sim/result/cause.h"

#include "base/json/json_text.h"
#include "sim/events/event.h"

namespace sim::result {

std::string console_of(const std::string& machine) { return "console/" + machine + ".log"; }

Json to_json(const Cause& cause) {
  return {{"machine", cause.machine},
          {"status", cause.status ? Json(*cause.status) : Json(nullptr)},
          {"at", iso_milliseconds(cause.at)},
          {"why", cause.why},
          {"console", console_of(cause.machine)}};
}

std::optional<Cause> cause_from(const Json& json) {
  const auto at = parse_time(base::text_of(json, "at"));
  if (!at) return std::nullopt;
  Cause cause{.machine = base::text_of(json, "machine"),
              .status = {},
              .at = *at,
              .why = base::text_of(json, "why")};
  if (const auto status = json.find("status"); status != json.end() && status->is_number_integer())
    cause.status = status->get<int>();
  return cause;
}

}  // namespace sim::result
