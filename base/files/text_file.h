// Writes files that people and other programs read.
#pragma once

#include <filesystem>
#include <string_view>

namespace base {

// Replaces what the file has. The file may be a pipe or a device. Throws std::runtime_error "FILE:
// cannot be written (REASON), expected a file in an existing folder".
void write_text_file(const std::filesystem::path& file, std::string_view text);

}  // namespace base
