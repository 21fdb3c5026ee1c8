// The source of a copy (x-amz-copy-source), and checks of keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fakes/action.h"

namespace fakes::s3 {

struct CopySource {
  std::string bucket, key;
};
// Parses "/bucket/a%20key". Throws ApiError InvalidArgument.
CopySource copy_source_of(const std::string& header);

// Counts the bytes of a copy for the bill, if its buckets are in two regions.
void count_copy(Call& call, const std::string& from, const std::string& to, std::uint64_t bytes);

// Throws ApiError KeyTooLongError for a key of more than 1,024 bytes.
std::string checked_key(const std::optional<std::string>& key);

}  // namespace fakes::s3
