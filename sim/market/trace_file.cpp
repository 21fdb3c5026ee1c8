#include "sim/market/trace_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "sim/market/price_history.h"

namespace sim::market {
namespace {

constexpr std::size_t kLargest = std::size_t{512} << 20;
constexpr std::size_t kLongestFound = 60;

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
  void operator()(gzFile_s* file) const { gzclose_r(file); }
};

}  // namespace

TraceFile load_trace_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  errno = 0;
  const std::unique_ptr<gzFile_s, CloseGz> in(gzopen(name.c_str(), "rb"));
  if (!in) throw TraceError(fmt::format("{}: cannot be opened: {}", name, std::strerror(errno)));
  TraceFile file{path, {}};
  std::string chunk(1 << 18, '\0');
  for (;;) {
    const int got = gzread(in.get(), chunk.data(), static_cast<unsigned>(chunk.size()));
    if (got < 0) break;
    file.text.append(chunk, 0, static_cast<std::size_t>(got));
    if (file.text.size() > kLargest)
      throw TraceError(fmt::format("{}: found more than {} MiB of text, expected a price history",
                                   name, kLargest >> 20));
    if (static_cast<std::size_t>(got) < chunk.size()) break;
  }
  int error = Z_OK;
  const char* why = gzerror(in.get(), &error);  // says also when the file is cut short
  if (error == Z_ERRNO)
    throw TraceError(fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
  if (error != Z_OK) throw TraceError(fmt::format("{}: damaged gzip file: {}", name, why));
  return file;
}

void fail_at_line(const TraceFile& file, std::size_t line, std::string_view field,
                  std::string_view found, std::string_view expected) {
  fail(fmt::format("{}:{}", file.path.string(), line), field, found, expected);
}

void fail_at_entry(const TraceFile& file, std::string_view array, std::size_t index,
                   std::string_view field, std::string_view found, std::string_view expected) {
  fail(fmt::format("{}: {}[{}]", file.path.string(), array, index), field, found, expected);
}

void fail_file(const TraceFile& file, std::string_view found, std::string_view expected) {
  fail(file.path.string(), "", found, expected);
}

}  // namespace sim::market
