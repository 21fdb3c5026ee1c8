// Reads files of a data set completely.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace spottrain {

// The size limit of a data set's file after decompression. A small .gz may expand to any size.
inline constexpr std::size_t kMostBytes = std::size_t{2} << 30;

// The content of a regular file, decompressed if it is gzip. Throws DataError.
std::vector<std::uint8_t> file_bytes(const std::filesystem::path& file);

// Finds folder/name or folder/name.gz. If both exist, the plain file counts.
std::optional<std::filesystem::path> plain_or_gz(const std::filesystem::path& folder,
                                                 std::string_view name);

}  // namespace spottrain
