#include "sim/elastigroup/states.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sim::elastigroup {
namespace {

constexpr std::array<std::string_view, 12> kNames{
    "ACTIVE",  "PAUSE",     "PAUSING",    "PAUSED",       "RESUME",      "RESUMING",
    "RECYCLE", "RECYCLING", "DEALLOCATE", "DEALLOCATING", "DEALLOCATED", "ERROR"};

constexpr Step kSteps[] = {
    {"", "RESUME"},  // the first launch is a resume, too
    {"RESUME", "RESUMING"},
    {"RESUME", "PAUSE"},  // a lower target
    {"RESUMING", "ACTIVE"},
    {"RESUMING", "RECYCLE"},  // the instance is lost before it has its volumes
    {"RESUMING", "PAUSE"},
    {"RESUMING", "ERROR"},
    {"ACTIVE", "PAUSE"},
    {"PAUSE", "PAUSING"},
    {"PAUSING", "PAUSED"},
    {"PAUSED", "RESUME"},
    {"ACTIVE", "RECYCLE"},
    {"RECYCLE", "RECYCLING"},
    {"RECYCLE", "PAUSE"},
    {"RECYCLING", "RECYCLE"},  // the replacement is lost as well
    {"RECYCLING", "ACTIVE"},
    {"RECYCLING", "PAUSE"},
    {"RECYCLING", "ERROR"},
    {"ACTIVE", "DEALLOCATE"},
    {"PAUSE", "DEALLOCATE"},
    {"PAUSING", "DEALLOCATE"},
    {"PAUSED", "DEALLOCATE"},
    {"RESUME", "DEALLOCATE"},
    {"RESUMING", "DEALLOCATE"},
    {"RECYCLE", "DEALLOCATE"},
    {"RECYCLING", "DEALLOCATE"},
    {"ERROR", "RECYCLE"},
    {"ERROR", "PAUSE"},
    {"ERROR", "DEALLOCATE"},
    {"DEALLOCATE", "DEALLOCATING"},
    {"DEALLOCATING", "DEALLOCATED"},
};

}  // namespace

std::string_view name(StatefulState state) { return kNames.at(static_cast<std::size_t>(state)); }

std::span<const Step> steps() { return kSteps; }

bool allowed(std::string_view from, std::string_view to) {
  return std::ranges::any_of(kSteps,
                             [&](const Step& step) { return step.from == from && step.to == to; });
}

}  // namespace sim::elastigroup
