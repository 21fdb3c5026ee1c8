// The manifest beside a checkpoint's data, which proves that the data is complete. It is written
// after the data is durable, so a checkpoint exists if its manifest verifies (docs/checkpoints.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spottrain {

struct Manifest {
  std::int64_t step = 0;
  std::uint64_t bytes = 0;       // size of the data file
  std::string xxh3_128;          // checksum of the data file, 32 hexadecimal digits
  std::optional<double> metric;  // Checkpoint::metric
  bool operator==(const Manifest&) const = default;
};

// The manifest as one line of JSON that ends with its own checksum.
std::string manifest_text(const Manifest& manifest);
// The inverse of manifest_text(). Throws DamagedCheckpoint or UnknownFormatVersion.
Manifest parse_manifest(std::string_view text);

}  // namespace spottrain
