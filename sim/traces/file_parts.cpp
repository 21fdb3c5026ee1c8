#include "sim/traces/file_parts.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "sim/market/price_history.h"

namespace sim::market {
namespace {

constexpr std::size_t kBlock = 1 << 20;  // stays in a core's cache

std::ifstream open_at(const std::filesystem::path& file, std::uintmax_t at) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(at));
  if (!in) throw TraceError(file.string() + ": cannot be read");
  return in;
}

// Where the line that `at` is in ends.
std::uintmax_t line_end(std::ifstream& in, std::uintmax_t at, std::uintmax_t end) {
  in.seekg(static_cast<std::streamoff>(at));
  while (at < end) {
    ++at;
    if (in.get() == '\n') break;
  }
  return at;
}

}  // namespace

std::vector<FilePart> file_parts(const std::filesystem::path& file, std::uintmax_t begin,
                                 std::uintmax_t end, std::size_t count) {
  std::ifstream in = open_at(file, begin);
  std::vector<FilePart> parts;
  for (; count > 1 && begin < end; --count) {
    const std::uintmax_t to = line_end(in, begin + (end - begin) / count, end);
    parts.push_back({begin, to});
    begin = to;
  }
  if (begin < end || parts.empty()) parts.push_back({begin, end});
  return parts;
}

void read_file_part(const std::filesystem::path& file, FilePart part,
                    const std::function<void(std::string_view)>& lines) {
  std::ifstream in = open_at(file, part.begin);
  std::string block;
  std::size_t left_over = 0;  // the beginning of a line that the block before ended in, no newline
  for (std::uintmax_t left = part.end - part.begin; left > 0;) {
    // A line may be longer than a block.
    block.resize(std::max(block.size(), left_over + kBlock));
    const auto size = static_cast<std::size_t>(std::min<std::uintmax_t>(left, kBlock));
    if (!in.read(block.data() + left_over, static_cast<std::streamsize>(size)))
      throw TraceError(file.string() + ": cannot be read to its end");
    left -= size;
    const std::string_view text(block.data(), left_over + size);
    const std::size_t newline = text.substr(left_over).rfind('\n');
    if (left > 0 && newline == std::string_view::npos) {
      left_over = text.size();
      continue;
    }
    const std::size_t end = left > 0 ? left_over + newline + 1 : text.size();
    lines(text.substr(0, end));
    left_over = text.size() - end;
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), block.begin());
  }
}

}  // namespace sim::market
