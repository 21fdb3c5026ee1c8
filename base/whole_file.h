// Files that are read whole, and files that are there whole or not at all, whatever happens to the
// process or the machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace base {

// All bytes of a file of any kind but a folder; empty when it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& file);

// Gives the file `part` the name `file`, also when an older file has it, in the same folder. When
// this returns, name and content survive the machine. Throws std::system_error with the failed step
// and path.
void put_in_place(const std::filesystem::path& part, const std::filesystem::path& file);

// fsync of a folder, after which renames, creations and removals in it survive. Throws
// std::system_error.
void sync_folder(const std::filesystem::path& folder);

}  // namespace base
