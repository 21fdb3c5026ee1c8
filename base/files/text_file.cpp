#include "base/files/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

namespace base {

void write_text_file(const std::filesystem::path& file, std::string_view text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush())
    throw std::runtime_error(file.string() + ": cannot be written (" + std::strerror(errno) +
                             "), expected a file in an existing folder");
}

}  // namespace base
