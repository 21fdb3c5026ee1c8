// The source of a copy (x-amz-copy-source), and checks of keys.
#pragma once

#include <optional>
#include <string>

namespace fakes::s3 {

struct CopySource {
  std::string bucket, key;
};
// Parses "/bucket/a%20key". Throws ApiError InvalidArgument.
CopySource copy_source_of(const std::string& header);

// Throws ApiError KeyTooLongError for a key of more than 1,024 bytes.
std::string checked_key(const std::optional<std::string>& key);

}  // namespace fakes::s3
