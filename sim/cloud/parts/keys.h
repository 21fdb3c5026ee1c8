// The KMS keys that encrypt volumes and snapshots. There is no KMS here: a key is its ARN.
#pragma once

#include <string>
#include <string_view>

#include "sim/cloud/config.h"
#include "sim/kernel/random.h"

namespace sim::cloud {

// The ARN of a key that a request names by its ID, ARN or alias; empty: the account's own key for
// EBS. EC2 accepts any name, and looks up the key later (EC2 API reference, CreateVolume,
// KmsKeyId).
std::string key_arn(const Config& config, const Streams& streams, const std::string& named);
// Whether the ARN is that of a key, or of an alias, of this region.
bool is_usable_key(const Config& config, std::string_view arn);

}  // namespace sim::cloud
