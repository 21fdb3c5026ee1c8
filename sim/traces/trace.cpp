#include "sim/traces/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/traces/availability_formats.h"
#include "sim/traces/csv.h"
#include "sim/traces/price_formats.h"

namespace sim::traces {
namespace {

std::string_view in_words(Polarity polarity) {
  return polarity == Polarity::kOneIsUnavailable ? "1 is unavailable" : "instances available";
}

// True if the first header has the magic of POSIX's tar formats.
bool is_tar(std::string_view text) {
  constexpr std::size_t kMagicAt = 257;
  return text.size() > kMagicAt && text.substr(kMagicAt).starts_with("ustar");
}

}  // namespace

Trace parse_trace(const TraceFile& file) {
  if (is_tar(file.text))
    fail_file(file, "a tar archive",
              "one of the files in it: unpack it (tar xf) and name the file");
  if (const AvailabilityFormat* format = availability_format_of(file.text))
    return {format->name, in_words(format->polarity), parse_as(*format, file), {}};
  if (const PriceFormat* format = price_format_of(file.text)) {
    PriceReading reading = parse_as(*format, file, usual_parts(file));
    return {format->name, "US dollars an hour", std::move(reading.history),
            std::move(reading.warnings)};
  }
  std::string expected = "a trace that looks like one of:";
  for (const PriceFormat* format : price_formats()) (expected += "\n  ") += format->looks_like;
  for (const AvailabilityFormat* format : availability_formats())
    (expected += "\n  ") += format->looks_like;
  fail_at_line(file, 1, "format", first_line(file.text), expected);
}

Trace read_trace(const std::filesystem::path& file) {
  TraceFile beginning = open_trace_file(file);
  if (!is_enough(beginning)) beginning = load_trace_file(file);
  return parse_trace(beginning);
}

std::vector<std::filesystem::path> trace_files(const std::filesystem::path& file_or_folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(file_or_folder, error)) return {file_or_folder};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(file_or_folder, error))
    if (entry.is_regular_file(error) && entry.path().filename() != kWindowsIndex)
      files.push_back(entry.path());
  if (files.empty())
    throw TraceError(fmt::format("{}: found {}, expected a trace, or a folder with traces in it",
                                 file_or_folder.string(),
                                 error ? error.message() : "a folder without files"));
  std::ranges::sort(files);
  return files;
}

}  // namespace sim::traces
