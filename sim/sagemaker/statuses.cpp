#include "sim/sagemaker/statuses.h"

#include <algorithm>

namespace sim::sagemaker {
namespace {

constexpr Step kSteps[] = {
    {"", "Starting"},
    {"Starting", "Downloading"},
    {"Downloading", "Training"},
    {"Training", "Uploading"},
    {"Uploading", "Completed"},

    // EC2 interrupts a host, or a host fails and RetryStrategy allows another attempt.
    {"Starting", "Interrupted"},
    {"Downloading", "Interrupted"},
    {"Training", "Interrupted"},
    {"Interrupted", "Starting"},
    {"Starting", "Restarting"},
    {"Downloading", "Restarting"},
    {"Training", "Restarting"},
    {"Restarting", "Starting"},

    // StopTrainingJob or a limit. Running containers have time to save their model.
    {"Training", "Stopping"},
    {"Stopping", "Uploading"},
    {"Uploading", "Stopped"},
    {"Uploading", "MaxRuntimeExceeded"},
    {"Uploading", "MaxWaitTimeExceeded"},
    // No container runs yet.
    {"Starting", "Stopped"},
    {"Starting", "MaxWaitTimeExceeded"},
    {"Downloading", "Stopped"},
    {"Downloading", "MaxWaitTimeExceeded"},
    {"Training", "Stopped"},
    {"Training", "MaxWaitTimeExceeded"},
    // A host is lost while its container saves.
    {"Stopping", "Stopped"},
    {"Stopping", "MaxRuntimeExceeded"},
    {"Stopping", "MaxWaitTimeExceeded"},

    {"Starting", "Failed"},
    {"Downloading", "Failed"},
    {"Training", "Failed"},
    {"Uploading", "Failed"},
    {"Interrupted", "Failed"},
    {"Restarting", "Failed"},
};

}  // namespace

std::span<const Step> steps() { return kSteps; }

bool allowed(std::string_view from, std::string_view to) {
  return std::ranges::any_of(kSteps,
                             [&](const Step& step) { return step.from == from && step.to == to; });
}

}  // namespace sim::sagemaker
