// Reads tags of buckets and objects from requests.
#pragma once

#include <optional>
#include <string>

#include "api/s3.h"
#include "sim/objects/store.h"

namespace fakes::s3 {

// Throws ApiError InvalidTag if a key occurs twice or is too long, or if there are too many tags.
sim::objects::Tags read_tags(const std::optional<api::s3::Tagging>& tagging, std::size_t most);
// Parses "a=1&b=2", the format of the header x-amz-tagging.
sim::objects::Tags read_tags(const std::optional<std::string>& header);

}  // namespace fakes::s3
