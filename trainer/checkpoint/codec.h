// A checkpoint as a safetensors file, its state in the metadata; described in docs/checkpoints.md.
#pragma once

#include <string>
#include <string_view>

#include "trainer/checkpoint/checkpoint.h"

namespace spottrain {

inline constexpr int kFormatVersion = 1;

// The positions of data order and random numbers, in the form of the metadata: {"generator":
// "philox4x32-10", "epoch": 4, "batch": 2} and {"generator": …, "position": 42}.
nlohmann::ordered_json data_order_of(const Checkpoint& checkpoint);
nlohmann::ordered_json random_of(const Checkpoint& checkpoint);

// The first part of the file. The bytes of the checkpoint's values follow it.
std::string encode_prefix(const Checkpoint& checkpoint);
std::string_view value_bytes(const Checkpoint& checkpoint);
std::string encode(const Checkpoint& checkpoint);

// kCoveredByFile: the caller has compared the whole file's checksum, so the tensors' need no check.
enum class TensorChecksums { kCompared, kCoveredByFile };

// The inverse of encoding. Throws DamagedCheckpoint or UnknownFormatVersion.
Checkpoint decode(std::string_view bytes, TensorChecksums checksums = TensorChecksums::kCompared);

}  // namespace spottrain
