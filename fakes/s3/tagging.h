// Tags of buckets and objects on the wire.
#pragma once

#include <optional>
#include <string>

#include "api/s3.h"
#include "sim/objects/store.h"

namespace fakes::s3 {

// Throws ApiError InvalidTag for a key that comes twice, or is too long, or for too many.
sim::objects::Tags read_tags(const std::optional<api::s3::Tagging>& tagging, std::size_t most);
// "a=1&b=2", as the header x-amz-tagging has them.
sim::objects::Tags read_tags(const std::optional<std::string>& header);

}  // namespace fakes::s3
