// The storage of a training's checkpoints, as --checkpoints names it.
#pragma once

#include <memory>
#include <string>

#include "trainer/checkpoint/storage.h"

namespace spottrain {

// Opens "s3://BUCKET/PREFIX", or else a folder. A folder is locked for a training, or opened for
// reading only. Settings for S3 come from the environment, as in AWS's SDKs (docs/checkpoints.md).
// Throws std::invalid_argument for an invalid URI, std::system_error for a folder, BucketError.
std::unique_ptr<Storage> storage_for_training(const std::string& name);
std::unique_ptr<Storage> storage_to_look_at(const std::string& name);

}  // namespace spottrain
