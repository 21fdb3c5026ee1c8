// Query parameters with numbers, and the error for invalid ones. S3 names the argument in this
// error.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "sim/cloud/error.h"

namespace fakes::s3 {

inline sim::cloud::ApiError invalid_argument(const std::string& name, const std::string& value,
                                             const std::string& message) {
  return sim::cloud::ApiError("InvalidArgument", message)
      .with("ArgumentName", name)
      .with("ArgumentValue", value);
}

// The value of a count such as max-keys, or of a marker with a number. `otherwise` is the default.
// Throws ApiError InvalidArgument if the value is negative or exceeds 2^31 - 1.
inline std::int64_t checked_count(const std::string& name, const std::optional<std::int64_t>& asked,
                                  std::int64_t otherwise) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::int64_t count = asked.value_or(otherwise);
  if (count > kMost)
    throw invalid_argument(name, std::to_string(count),
                           "Provided " + name + " not an integer or within integer range");
  // S3 spells this argument in two ways: this one in the error of a negative value.
  const std::string spelled = name == "max-keys" ? "maxKeys" : name;
  if (count < 0)
    throw invalid_argument(spelled, std::to_string(count),
                           "Argument " + spelled + " must be an integer between 0 and 2147483647");
  return count;
}

}  // namespace fakes::s3
