#include "base/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "base/file_descriptor.h"
#include "base/system_call.h"

namespace base {

namespace fs = std::filesystem;

namespace {

// A signal does not end it.
void sync(const FileDescriptor& fd, const std::string& what) {
  int result;
  do {
    result = fsync(fd.get());
  } while (result < 0 && errno == EINTR);
  checked(result, "fsync " + what);
}

}  // namespace

std::optional<std::string> read_file(const fs::path& file) {
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  if (!in || fs::is_directory(file, ignored)) return {};
  std::ostringstream text;
  // An empty file sets the text's failbit.
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (in.bad() || text.fail()) return {};
  return std::move(text).str();
}

void put_in_place(const fs::path& part, const fs::path& file) {
  const FileDescriptor content(
      checked(open(part.c_str(), O_RDONLY | O_CLOEXEC), "open " + part.string()));
  sync(content, part.string());
  checked(std::rename(part.c_str(), file.c_str()), "rename " + part.string());
  sync_folder(file.has_parent_path() ? file.parent_path() : fs::path("."));
}

void sync_folder(const fs::path& folder) {
  const FileDescriptor fd(checked(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                                  "open folder " + folder.string()));
  sync(fd, "folder " + folder.string());
}

}  // namespace base
