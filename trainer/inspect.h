// `spottrain inspect` and `spottrain verify`: show and check checkpoints.
#pragma once

#include <string>

namespace spottrain {

enum class InspectFormat { text, json };

// Prints a checkpoint without its values. For a folder, it prints one line with the verdict for
// each checkpoint. `path` is a data file, its manifest, or a folder, also in a bucket
// (s3://BUCKET/PREFIX). Returns 0; 1 if a single checkpoint is damaged or unreadable; 2 if the path
// is none of these.
int inspect_checkpoints(const std::string& path, InspectFormat format);

// Prints a verdict for the checkpoint, or for each one in a folder. Returns 0 if there is one and
// all are valid, 1 if not, 2 as above.
int verify_checkpoints(const std::string& path);

}  // namespace spottrain
