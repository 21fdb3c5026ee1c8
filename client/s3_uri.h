// "s3://BUCKET/PREFIX", the notation of aws-cli.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace client {

struct S3Uri {
  std::string bucket;
  std::string prefix;  // of keys, before a slash; empty: the bucket's top
  bool operator==(const S3Uri&) const = default;
};

// Returns empty for a folder's path, which is any text that does not begin with "s3://". Slashes at
// the end are ignored. Throws std::invalid_argument for:
// - "s3:" without two slashes
// - a URI that names no bucket (Amazon S3 User Guide, "Bucket naming rules")
// - a prefix with an empty folder, "." or ".."
std::optional<S3Uri> parse_s3_uri(std::string_view text);

}  // namespace client
