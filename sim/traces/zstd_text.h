// Decompresses text with zstd.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sim::traces {

inline constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

// Decompresses one frame, or several in sequence, as `cat` joins files. Throws std::runtime_error
// for damaged bytes, for a text longer than `most`, and if this build has no zstd.
std::string zstd_text(std::string_view bytes, std::size_t most);

}  // namespace sim::traces
