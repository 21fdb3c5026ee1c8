// AWS's timestamps: "2019-11-05T10:00:00.000Z", with or without the fraction.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/seams/clock.h"

namespace spotrun::aws {

std::string iso_time(Time time);  // with milliseconds
std::optional<Time> parse_iso_time(std::string_view text);

}  // namespace spotrun::aws
