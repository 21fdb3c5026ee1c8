// A large file in parts of whole lines, which are read block by block: its text is never in memory
// as a whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace sim::market {

// Bytes of a file; each part but the last ends with a line's end.
struct FilePart {
  std::uintmax_t begin, end;
};

// The bytes from `begin` to `end` in at most `count` parts of about one length. Throws TraceError.
std::vector<FilePart> file_parts(const std::filesystem::path& file, std::uintmax_t begin,
                                 std::uintmax_t end, std::size_t count);

// Calls lines(text) with the part's lines, as many at a time as a block has, in order. Throws
// TraceError, also when the file has become shorter.
void read_file_part(const std::filesystem::path& file, FilePart part,
                    const std::function<void(std::string_view)>& lines);

}  // namespace sim::market
