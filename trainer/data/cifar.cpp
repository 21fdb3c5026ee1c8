#include "trainer/data/cifar.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <string_view>

#include "trainer/data/file_bytes.h"
#include "trainer/data/formats.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

// The label bytes of a record, the label byte that is used, and the number of classes.
struct RecordLayout {
  std::size_t label_bytes, label_at;
  int classes;
  std::size_t bytes() const { return label_bytes + kImageBytes; }
};

// The N of "data_batch_N.bin" or "data_batch_N.bin.gz", without leading zeros; -1 for other names.
int batch_number(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  constexpr std::string_view prefix = "data_batch_", suffix = ".bin";
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) ||
      !name.ends_with(suffix)) {
    return -1;
  }
  const std::string_view digits =
      name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  int number = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number >= 0 && digits == std::to_string(number) ? number : -1;
}

std::map<int, fs::path> batches_in(const fs::path& folder) {
  std::map<int, fs::path> batches;
  std::error_code error;
  fs::directory_iterator files(folder, error);
  if (error) throw DataError(fmt::format("{}: {}", folder.string(), error.message()));
  for (const fs::directory_entry& file : files) {
    const int number = batch_number(file.path().filename().string());
    if (number < 0) continue;
    batches[number] = *plain_or_gz(folder, fmt::format("data_batch_{}.bin", number));
  }
  return batches;
}

void append_records(const fs::path& file, const RecordLayout& layout, Images& images) {
  const std::vector<std::uint8_t> bytes = file_bytes(file);
  if (bytes.size() % layout.bytes() != 0) {
    throw DataError(fmt::format("{}: {} bytes is no multiple of a record's {}", file.string(),
                                bytes.size(), layout.bytes()));
  }
  const std::size_t records = bytes.size() / layout.bytes();
  std::size_t at = images.pixels.size();
  images.pixels.resize(at + records * kImageBytes);
  for (std::size_t record = 0; record < records; ++record) {
    const std::uint8_t* from = bytes.data() + record * layout.bytes();
    const std::uint8_t label = from[layout.label_at];
    if (label >= layout.classes) {
      throw DataError(fmt::format("{}: record {} has label {}, expected 0 to {}", file.string(),
                                  record, label, layout.classes - 1));
    }
    images.labels.push_back(label);
    from += layout.label_bytes;
    for (std::size_t pixel = 0; pixel < kPixels; ++pixel) {
      for (std::size_t c = 0; c < kImageChannels; ++c) {
        images.pixels[at++] = from[c * kPixels + pixel];
      }
    }
  }
}

DataSet empty_set(int classes) {
  DataSet data;
  data.classes = classes;
  data.train.shape = data.test.shape = {kImageSide, kImageSide, kImageChannels};
  return data;
}

void read_test_images(const fs::path& folder, std::string_view name, const RecordLayout& layout,
                      DataSet& data) {
  const fs::path file = plain_or_gz(folder, name).value_or(folder / name);
  append_records(file, layout, data.test);
  if (data.test.size() == 0) {
    throw DataError(fmt::format("{}: no test image, expected at least one", file.string()));
  }
}

}  // namespace

bool is_cifar10(const fs::path& folder) { return !batches_in(folder).empty(); }

bool is_cifar100(const fs::path& folder) { return plain_or_gz(folder, "train.bin").has_value(); }

DataSet read_cifar10(const fs::path& folder, Cifar100Labels) {
  constexpr RecordLayout layout{.label_bytes = 1, .label_at = 0, .classes = kClasses};
  DataSet data = empty_set(layout.classes);
  for (const auto& [number, file] : batches_in(folder)) append_records(file, layout, data.train);
  read_test_images(folder, "test_batch.bin", layout, data);
  return data;
}

DataSet read_cifar100(const fs::path& folder, Cifar100Labels labels) {
  const RecordLayout layout =
      labels == Cifar100Labels::fine ? RecordLayout{2, 1, 100} : RecordLayout{2, 0, 20};
  DataSet data = empty_set(layout.classes);
  append_records(*plain_or_gz(folder, "train.bin"), layout, data.train);
  read_test_images(folder, "test.bin", layout, data);
  return data;
}

}  // namespace spottrain
