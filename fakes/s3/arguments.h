// Query parameters that S3 refuses by name.
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

// How many a list is to have, or where a page begins. Throws ApiError InvalidArgument.
inline std::int64_t checked_count(const std::string& name, const std::optional<std::int64_t>& asked,
                                  std::int64_t otherwise) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::int64_t count = asked.value_or(otherwise);
  if (count > kMost)
    throw invalid_argument(name, std::to_string(count),
                           "Provided " + name + " not an integer or within integer range");
  // Lists of objects spell it in their own way.
  const std::string spelled = name == "max-keys" ? "maxKeys" : name;
  if (count < 0)
    throw invalid_argument(spelled, std::to_string(count),
                           "Argument " + spelled + " must be an integer between 0 and 2147483647");
  return count;
}

}  // namespace fakes::s3
