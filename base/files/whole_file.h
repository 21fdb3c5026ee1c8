// Reads whole files, and writes files that exist completely or not at all, also after a crash of
// the process or the machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"

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

// Renames the file `part` to `file`, in the same folder, and replaces an older file. When this
// returns, name and content survive a crash of the machine. Throws std::system_error with the
// failed step and path.
void put_in_place(const std::filesystem::path& part, const std::filesystem::path& file);

// fsync of a folder, after which renames, creations and removals in it survive. Throws
// std::system_error.
void sync_folder(const std::filesystem::path& folder);

// A temporary file's name in the same folder. A killed process may leave such a file.
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

  // Appends the bytes and starts writing them to the disk.
  void write(std::string_view bytes);
  // When this returns, the content survives the machine.
  void sync();
  // Renames the file to its final name and replaces an older file. The name survives a crash of the
  // machine after sync_folder().
  void publish();

 private:
  std::filesystem::path temporary_, file_;
  FileDescriptor fd_;
  std::int64_t size_ = 0;
  bool published_ = false;
};

}  // namespace base
