// Files that are there whole or not at all, whatever happens to the process or the machine.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace spottrain {

// A temporary file's name in the same folder; what a killed process may leave behind.
std::string temporary_name(std::string_view name);

// Writes folder/name: temporary file, fsync, rename, fsync of the folder. When it returns, the file
// survives the machine. Throws std::system_error with the failed step and path, and removes the
// temporary file; an older file of that name is then still there, unless what failed was the
// folder's own fsync.
void write_durably(const std::filesystem::path& folder, std::string_view name,
                   std::string_view bytes);

// All bytes of a regular file; throws std::system_error.
std::string read_whole_file(const std::filesystem::path& file);

// fsync of a folder, after which renames, creations and removals in it survive. Throws
// std::system_error.
void sync_folder(const std::filesystem::path& folder);

}  // namespace spottrain
