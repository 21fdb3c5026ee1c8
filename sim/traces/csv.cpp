#include "sim/traces/csv.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "sim/market/price_history.h"

namespace sim::traces {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::vector<std::string_view> parts_of(std::string_view text, std::size_t count) {
  std::vector<std::string_view> parts;
  for (; count > 1 && !text.empty(); --count) {
    const std::size_t end = text.find('\n', text.size() / count);
    if (end == std::string_view::npos) break;
    parts.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::string_view first_line(std::string_view text) { return take_line(text); }

LineLayout layout_of_header(std::string_view header, char separator) {
  const auto separators = std::count(header.begin(), header.end(), separator);
  return {
      .columns = static_cast<std::size_t>(separators) + 1, .names = header, .separator = separator};
}

void split(std::string_view line, std::vector<std::string_view>& fields, char separator) {
  fields.clear();
  for (;;) {
    const std::size_t comma = line.find(separator);
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

namespace {

constexpr std::size_t kBlock = 1 << 20;  // stays in a core's cache

std::ifstream open_at(const std::filesystem::path& file, std::uintmax_t at) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(at));
  if (!in) throw TraceError(file.string() + ": cannot be read");
  return in;
}

// The end of the line that contains `at`.
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
  std::size_t left_over = 0;  // bytes of an incomplete line at the end of the previous block
  for (std::uintmax_t left = part.end - part.begin; left > 0;) {
    // A line may be longer than a block.
    block.resize(std::max(block.size(), left_over + kBlock));
    const auto size = static_cast<std::size_t>(std::min<std::uintmax_t>(left, kBlock));
    if (!in.read(block.data() + left_over, static_cast<std::streamsize>(size)))
      throw TraceError(file.string() + ": cannot be read completely");
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

}  // namespace sim::traces
