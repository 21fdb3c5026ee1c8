// Files that are read whole, and files that are there whole or not at all, whatever happens to the
// process or the machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"

namespace base {

// Enough for each file that people write. A device or a pipe may never end.
inline constexpr std::uint64_t kMostBytes = 256 << 20;
// For files that programs write, such as checkpoints.
inline constexpr std::uint64_t kNoLimit = UINT64_MAX;

// All bytes of a file of any kind except a folder. Throws std::system_error: EFBIG if it has more
// than `most` bytes.
std::string read_bytes(const std::filesystem::path& file, std::uint64_t most = kMostBytes);

// The same; empty if the file cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& file,
                                     std::uint64_t most = kMostBytes);

// All bytes of a regular file of at most this size; throws std::system_error.
std::string read_regular_file(const std::filesystem::path& file,
                              std::uint64_t most_bytes = UINT64_MAX);

// Gives the file `part` the name `file`, also when an older file has it, in the same folder. When
// this returns, name and content survive the machine. Throws std::system_error with the failed step
// and path.
void put_in_place(const std::filesystem::path& part, const std::filesystem::path& file);

// fsync of a folder, after which renames, creations and removals in it survive. Throws
// std::system_error.
void sync_folder(const std::filesystem::path& folder);

// A temporary file's name in the same folder; what a killed process may leave behind.
std::string temporary_name(std::string_view name);

// Writes folder/name under its temporary name, which publish() replaces. All throw
// std::system_error with the failed step and path.
class PendingFile {
 public:
  // Makes the temporary file, which must not be there.
  PendingFile(const std::filesystem::path& folder, std::string_view name);
  // Removes the temporary file, when it was not published.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  // Appends; the bytes begin their way to the disk at once.
  void write(std::string_view bytes);
  // When this returns, the content survives the machine.
  void sync();
  // Gives the file its name, also when an older file has it. The name survives the machine after
  // sync_folder().
  void publish();

 private:
  std::filesystem::path temporary_, file_;
  FileDescriptor fd_;
  std::int64_t size_ = 0;
  bool published_ = false;
};

}  // namespace base
