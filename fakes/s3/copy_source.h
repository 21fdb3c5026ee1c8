// What copies and keys have in common.
#pragma once

#include <optional>
#include <string>

namespace fakes::s3 {

struct CopySource {
  std::string bucket, key;
};
// "/bucket/a%20key"; throws ApiError InvalidArgument.
CopySource copy_source_of(const std::string& header);

// Throws ApiError KeyTooLongError for one of more than 1,024 bytes.
std::string checked_key(const std::optional<std::string>& key);

}  // namespace fakes::s3
