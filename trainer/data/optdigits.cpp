// UCI's Optical Recognition of Handwritten Digits (https://archive.ics.uci.edu/dataset/80). Each
// row is a picture: 8 × 8 values from 0 to 16 and the digit, separated by commas. Some copies begin
// with a row of names.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "trainer/data/file_bytes.h"
#include "trainer/data/formats.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

constexpr int kSide = 8, kFields = kSide * kSide + 1;
constexpr int kBrightest = 16, kOptdigitsClasses = 10;

std::string_view take_until(std::string_view& text, char separator) {
  const std::string_view taken = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(taken.size() + 1, text.size()));
  return taken;
}

// The row's values, appended to images; `where` begins an error's text.
void append_row(std::string_view row, std::string_view where, Images& images) {
  const auto fields = std::count(row.begin(), row.end(), ',') + 1;
  if (fields != kFields) {
    throw DataError(fmt::format("{}: {} fields, expected {}", where, fields, kFields));
  }
  for (int field = 1; field <= kFields; ++field) {
    const std::string_view text = take_until(row, ',');
    const int most = field == kFields ? kOptdigitsClasses - 1 : kBrightest;
    int value = -1;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || value < 0 || value > most) {
      throw DataError(fmt::format("{}: field {} is '{}', expected 0 to {}", where, field,
                                  text.substr(0, 20), most));
    }
    (field == kFields ? images.labels : images.pixels).push_back(static_cast<std::uint8_t>(value));
  }
}

Images read_rows(const fs::path& file) {
  const std::vector<std::uint8_t> bytes = file_bytes(file);
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Images images{.shape = {kSide, kSide, 1}, .pixels = {}, .labels = {}};
  for (int line = 1; !text.empty(); ++line) {
    std::string_view row = take_until(text, '\n');
    if (row.ends_with('\r')) row.remove_suffix(1);
    const bool names = line == 1 && !row.empty() && (row[0] < '0' || row[0] > '9');
    if (!names) append_row(row, fmt::format("{}:{}", file.string(), line), images);
  }
  return images;
}

}  // namespace

bool is_optdigits(const fs::path& folder) {
  return plain_or_gz(folder, "optdigits.tra").has_value();
}

DataSet read_optdigits(const fs::path& folder, Cifar100Labels) {
  DataSet data;
  data.classes = kOptdigitsClasses;
  data.train = read_rows(*plain_or_gz(folder, "optdigits.tra"));
  const auto test = plain_or_gz(folder, "optdigits.tes");
  if (!test) throw DataError(fmt::format("{}: no optdigits.tes or .gz", folder.string()));
  data.test = read_rows(*test);
  return data;
}

}  // namespace spottrain
