// The storage of a training's checkpoints, as --checkpoints names it.
#pragma once

#include <memory>
#include <string>

#include "trainer/checkpoint/storage.h"

namespace spottrain {

// "s3://BUCKET/PREFIX", or else a folder: locked for a training, or only to be looked at. What
// concerns S3 comes from the environment, as AWS's SDKs take it (docs/checkpoints.md). Throws
// std::invalid_argument for a URI that is none, std::system_error of a folder, BucketError.
std::unique_ptr<Storage> storage_for_training(const std::string& name);
std::unique_ptr<Storage> storage_to_look_at(const std::string& name);

}  // namespace spottrain
