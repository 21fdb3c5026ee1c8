// A trace file's name and bytes, and errors that point into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sim::traces {

// A trace file that cannot be read; what() names file, line or entry, field, the value found and
// the expected one.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The name and the text of a trace file, the input of every reader.
struct TraceFile {
  std::filesystem::path path;
  std::string text;         // uncompressed
  std::uintmax_t size = 0;  // of a plain file that begins with `text`; 0: `text` is the whole file
};

// Reads a file of at most 4 GiB of text, plain, gzip or zstd (recognised by its first bytes).
// Throws TraceError when it cannot be read, is damaged or is larger.
TraceFile load_trace_file(const std::filesystem::path& path);

// Like load_trace_file(), but of a plain file larger than `beginning` it reads only that many
// bytes.
TraceFile open_trace_file(const std::filesystem::path& path, std::size_t beginning = 1 << 23);

// Writes these files, with gzip if a name ends in ".gz", either all or none: first to temporary
// files, which are then renamed. Throws TraceError.
void write_trace_files(std::span<const TraceFile> files);

// Throws TraceError "FILE:LINE: FIELD: found …, expected …"; `found` is cut and made printable.
[[noreturn]] void fail_at_line(const TraceFile& file, std::size_t line, std::string_view field,
                               std::string_view found, std::string_view expected);
// The same for entry `index` (the first is 0) of the array `array`.
[[noreturn]] void fail_at_entry(const TraceFile& file, std::string_view array, std::size_t index,
                                std::string_view field, std::string_view found,
                                std::string_view expected);
// The same for JSON that is invalid from its byte `at` on.
[[noreturn]] void fail_at_byte(const TraceFile& file, std::size_t at, std::string_view expected);
// The same for an error of the whole file.
[[noreturn]] void fail_file(const TraceFile& file, std::string_view found,
                            std::string_view expected);

}  // namespace sim::traces
