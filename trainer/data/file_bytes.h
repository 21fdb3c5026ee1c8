// Reads files of a data set completely.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace spottrain {

// The largest file of a data set that is read, unpacked: a small .gz may claim anything.
inline constexpr std::size_t kMostBytes = std::size_t{2} << 30;

// The content of a regular file, unpacked when it is gzip's. Throws DataError.
std::vector<std::uint8_t> file_bytes(const std::filesystem::path& file);

// folder/name or folder/name.gz, whichever exists. If both exist, the plain one.
std::optional<std::filesystem::path> plain_or_gz(const std::filesystem::path& folder,
                                                 std::string_view name);

}  // namespace spottrain
