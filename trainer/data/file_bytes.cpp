#include "trainer/data/file_bytes.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "trainer/data/data_set.h"

namespace spottrain {

namespace fs = std::filesystem;

std::vector<std::uint8_t> file_bytes(const fs::path& file) {
  const auto fail = [&](std::string_view why) {
    throw DataError(fmt::format("{}: {}", file.string(), why));
  };
  std::error_code error;
  const bool regular = fs::is_regular_file(file, error);  // opening a FIFO would wait for a writer
  if (error) fail(error.message());
  if (!regular) fail("is no regular file");
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rbe"), gzclose);
  if (!in) fail(errno != 0 ? std::strerror(errno) : "cannot be opened");

  constexpr std::size_t kFirst = std::size_t{1} << 20;
  std::vector<std::uint8_t> bytes(std::max<std::size_t>(fs::file_size(file, error), 1));
  if (error || bytes.size() > kFirst) bytes.resize(kFirst);
  std::size_t size = 0;
  for (;;) {
    if (size == bytes.size()) bytes.resize(std::min(2 * size, kMostBytes + 1));
    const std::size_t room = std::min(bytes.size() - size, std::size_t{1} << 30);
    const int got = gzread(in.get(), bytes.data() + size, static_cast<unsigned>(room));
    int code = Z_OK;
    const char* why = gzerror(in.get(), &code);
    if (code == Z_ERRNO) fail(std::strerror(errno));
    if (code == Z_BUF_ERROR) fail("is cut off in the middle of its compressed data");
    if (got < 0 || code != Z_OK) fail(fmt::format("cannot be unpacked: {}", why));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size > kMostBytes) fail(fmt::format("more than {} bytes, expected fewer", kMostBytes));
  }
  bytes.resize(size);
  return bytes;
}

std::optional<fs::path> plain_or_gz(const fs::path& folder, std::string_view name) {
  for (const std::string_view suffix : {"", ".gz"}) {
    fs::path file = folder / fmt::format("{}{}", name, suffix);
    std::error_code error;
    if (fs::exists(file, error)) return file;
  }
  return {};
}

}  // namespace spottrain
