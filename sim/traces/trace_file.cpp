#include "sim/traces/trace_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>

#include "base/files/whole_file.h"
#include "base/process/system_call.h"
#include "sim/market/price_history.h"
#include "sim/traces/zstd_text.h"

namespace sim::traces {
namespace {

constexpr std::size_t kLargest = std::size_t{4} << 30;
constexpr unsigned kChunk = 1 << 18;
constexpr std::size_t kLongestFound = 60;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // spreadsheets write it

std::string printable(std::string_view found) {
  std::string out;
  for (char c : found.substr(0, kLongestFound)) out += c >= ' ' && c <= '~' ? c : '?';
  if (found.size() > kLongestFound) out += "…";
  return out;
}

[[noreturn]] void fail(const std::string& place, std::string_view field, std::string_view found,
                       std::string_view expected) {
  throw TraceError(fmt::format("{}: {}{}found \"{}\", expected {}", place, field,
                               field.empty() ? "" : ": ", printable(found), expected));
}

struct CloseGz {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

std::filesystem::path part_of(const TraceFile& file) { return file.path.string() + ".part"; }

// Throws std::system_error.
void write_whole(const std::filesystem::path& path, const TraceFile& file) {
  const bool compressed = file.path.extension() == ".gz";
  const std::unique_ptr<gzFile_s, CloseGz> out(gzopen(path.c_str(), compressed ? "wb9" : "wbT"));
  if (!out) base::throw_errno("open " + path.string());
  for (std::string_view rest = file.text; !rest.empty();) {
    const auto length = static_cast<unsigned>(std::min<std::size_t>(rest.size(), 1 << 24));
    if (gzwrite(out.get(), rest.data(), length) != static_cast<int>(length))
      base::throw_errno("write " + path.string());
    rest.remove_prefix(length);
  }
  if (gzflush(out.get(), Z_FINISH) != Z_OK) base::throw_errno("write " + path.string());
}

}  // namespace

TraceFile load_trace_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  errno = 0;
  const std::unique_ptr<gzFile_s, CloseGz> in(gzopen(name.c_str(), "rb"));
  if (!in) throw TraceError(fmt::format("{}: cannot be opened: {}", name, std::strerror(errno)));
  TraceFile file{path, {}};
  gzbuffer(in.get(), kChunk);
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  if (!unknown && size < kLargest) file.text.reserve(size + kChunk);
  for (;;) {
    const std::size_t had = file.text.size();
    file.text.resize(had + kChunk);
    const int got = gzread(in.get(), file.text.data() + had, kChunk);
    file.text.resize(had + static_cast<std::size_t>(std::max(got, 0)));
    if (file.text.size() > kLargest)
      throw TraceError(fmt::format("{}: found more than {} MiB of text, expected a smaller trace",
                                   name, kLargest >> 20));
    if (got < static_cast<int>(kChunk)) break;
  }
  int error = Z_OK;
  const char* why = gzerror(in.get(), &error);  // also reports a file that is cut short
  if (error == Z_ERRNO)
    throw TraceError(fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
  if (error != Z_OK) throw TraceError(fmt::format("{}: damaged gzip file: {}", name, why));
  if (file.text.starts_with(kZstdMagic)) {
    try {
      file.text = zstd_text(file.text, kLargest);
    } catch (const std::runtime_error& damaged) {
      throw TraceError(fmt::format("{}: {}", name, damaged.what()));
    }
  }
  if (file.text.starts_with(kByteOrderMark)) file.text.erase(0, kByteOrderMark.size());
  return file;
}

TraceFile open_trace_file(const std::filesystem::path& path, std::size_t beginning) {
  constexpr std::string_view kGzip = "\x1f\x8b";
  std::error_code unknown;
  const bool file = std::filesystem::is_regular_file(path, unknown);
  const std::uintmax_t size = file ? std::filesystem::file_size(path, unknown) : 0;
  if (unknown || size <= beginning || size > kLargest) return load_trace_file(path);
  std::string text(beginning, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in.read(text.data(), static_cast<std::streamsize>(beginning)) || text.starts_with(kGzip) ||
      text.starts_with(kZstdMagic) || text.starts_with(kByteOrderMark))
    return load_trace_file(path);
  return {path, std::move(text), size};
}

void write_trace_files(std::span<const TraceFile> files) {
  std::size_t written = 0;
  try {
    for (; written < files.size(); ++written) write_whole(part_of(files[written]), files[written]);
    written = 0;
    for (; written < files.size(); ++written)
      base::put_in_place(part_of(files[written]), files[written].path);
  } catch (const std::system_error& error) {
    const std::string why = error.code().message();
    std::error_code ignored;
    for (const TraceFile& file : files) std::filesystem::remove(part_of(file), ignored);
    throw TraceError(files[written].path.string() + ": cannot be written: " + why);
  }
}

void fail_at_line(const TraceFile& file, std::size_t line, std::string_view field,
                  std::string_view found, std::string_view expected) {
  fail(fmt::format("{}:{}", file.path.string(), line), field, found, expected);
}

void fail_at_entry(const TraceFile& file, std::string_view array, std::size_t index,
                   std::string_view field, std::string_view found, std::string_view expected) {
  fail(fmt::format("{}: {}[{}]", file.path.string(), array, index), field, found, expected);
}

void fail_at_byte(const TraceFile& file, std::size_t at, std::string_view expected) {
  at = std::min(at, file.text.size());
  const auto begin = file.text.begin(), end = begin + static_cast<std::ptrdiff_t>(at);
  const auto line = static_cast<std::size_t>(std::count(begin, end, '\n')) + 1;
  const std::size_t from = at > 20 ? at - 20 : 0;
  fail_at_line(file, line, "JSON", std::string_view(file.text).substr(from, at - from), expected);
}

void fail_file(const TraceFile& file, std::string_view found, std::string_view expected) {
  fail(file.path.string(), "", found, expected);
}

}  // namespace sim::traces
