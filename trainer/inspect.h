// `spottrain inspect` and `spottrain verify`: what a checkpoint or a folder of them holds.
#pragma once

#include <string>

namespace spottrain {

enum class InspectFormat { text, json };

// Prints what the checkpoint holds, without its values; of a folder, a line for each checkpoint
// with its verdict. `path` is a data file, its manifest, or a folder, also in a bucket
// (s3://BUCKET/PREFIX). 0; 1 when it is one
// checkpoint and does not verify, or cannot be read; 2 when it is none of these.
int inspect_checkpoints(const std::string& path, InspectFormat format);

// Prints a verdict for the checkpoint, or for each in a folder: 0 when there is one and all are
// whole, 1 when not, 2 as above.
int verify_checkpoints(const std::string& path);

}  // namespace spottrain
