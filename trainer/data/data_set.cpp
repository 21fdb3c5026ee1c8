#include "trainer/data/data_set.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>

#include "trainer/data/formats.h"
#include "trainer/data/philox.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

constexpr std::array<DataFormat, 4> kFormats{{
    {"CIFAR-10", "data_batch_1.bin (or .gz)", is_cifar10, read_cifar10},
    {kCifar100, "train.bin (or .gz)", is_cifar100, read_cifar100},
    {"MNIST", "train-images-idx3-ubyte or t10k-images-idx3-ubyte (or .gz)", is_mnist, read_mnist},
    {"optdigits", "optdigits.tra (or .gz)", is_optdigits, read_optdigits},
}};

const DataFormat& format_of(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw DataError(fmt::format("{}: {}", folder.string(),
                                error ? error.message() : "is not a folder with a data set"));
  }
  const DataFormat* found = nullptr;
  for (const DataFormat& format : kFormats) {
    if (!format.recognises(folder)) continue;
    if (found != nullptr) {
      throw DataError(fmt::format("{}: holds both {} and {}, expected one data set",
                                  folder.string(), found->name, format.name));
    }
    found = &format;
  }
  if (found != nullptr) return *found;
  std::string looked_for;
  for (const DataFormat& format : kFormats) {
    looked_for +=
        fmt::format("{}{} ({})", looked_for.empty() ? "" : ", ", format.looked_for, format.name);
  }
  throw DataError(fmt::format("{}: no data set here; looked for {}", folder.string(), looked_for));
}

std::string fingerprint(const DataSet& data) {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_128bits_reset(state.get());
  const ImageShape shape = data.shape();
  const std::string description = fmt::format("{} classes, {} x {} x {}", data.classes,
                                              shape.height, shape.width, shape.channels);
  XXH3_128bits_update(state.get(), description.data(), description.size());
  for (const Images* images : {&data.train, &data.validation, &data.test}) {
    const std::uint64_t size = images->size();
    XXH3_128bits_update(state.get(), &size, sizeof size);
    XXH3_128bits_update(state.get(), images->pixels.data(), images->pixels.size());
    XXH3_128bits_update(state.get(), images->labels.data(), images->labels.size());
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

void append(Images& images, const Images& from, std::uint32_t i) {
  const auto pixels = from.image(i);
  images.pixels.insert(images.pixels.end(), pixels.begin(), pixels.end());
  images.labels.push_back(from.labels[i]);
}

// Marks the images that are held out.
std::vector<bool> drawn_images(std::uint32_t size, std::uint32_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> draw(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    Philox random(seed, Purpose::hold_out, i);
    draw[i] = std::uint64_t{random.next()} << 32 | i;  // no two are equal
  }
  std::vector<std::uint64_t> sorted = draw;
  std::nth_element(sorted.begin(), sorted.begin() + count, sorted.end());
  std::vector<bool> drawn(size);
  for (std::uint32_t i = 0; i < size; ++i) drawn[i] = draw[i] < sorted[count];
  return drawn;
}

}  // namespace

std::span<const DataFormat> data_formats() { return kFormats; }

DataSet read_data_set(const fs::path& folder, Cifar100Labels labels) {
  const DataFormat& format = format_of(folder);
  if (labels == Cifar100Labels::coarse && format.name != kCifar100) {
    throw DataError(fmt::format("{}: holds {}, but only {} has coarse labels", folder.string(),
                                format.name, kCifar100));
  }
  DataSet data = format.read(folder, labels);
  if (data.train.size() == 0) {
    throw DataError(fmt::format("{}: no training image, expected at least one", folder.string()));
  }
  if (data.test.size() != 0 && data.test.shape != data.train.shape) {
    throw DataError(fmt::format("{}: test images of {} x {}, expected {} x {} as for training",
                                folder.string(), data.test.shape.height, data.test.shape.width,
                                data.train.shape.height, data.train.shape.width));
  }
  data.format = format.name;
  data.fingerprint = fingerprint(data);
  return data;
}

DataSet hold_out(DataSet data, std::uint32_t count, std::uint64_t seed) {
  const std::uint32_t size = data.train.size();
  if (count >= size) {
    throw std::invalid_argument(fmt::format(
        "{} of {} training images held out for validation: none would be left", count, size));
  }
  const std::vector<bool> drawn = drawn_images(size, count, seed);
  const Images all = std::move(data.train);
  data.train = data.validation = {.shape = all.shape, .pixels = {}, .labels = {}};
  data.train.pixels.reserve((size - count) * all.shape.size());
  data.validation.pixels.reserve(count * all.shape.size());
  for (std::uint32_t i = 0; i < size; ++i) append(drawn[i] ? data.validation : data.train, all, i);
  data.fingerprint = fingerprint(data);
  return data;
}

std::uint32_t held_out_count(std::string_view text, std::uint32_t images) {
  double number = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const double count = number < 1 ? number * images : number;
  if (error != std::errc() || stop != end || !(number >= 0) || !(count < images) ||
      (number >= 1 && count != std::floor(count))) {
    throw std::invalid_argument(fmt::format(
        "'{}' held out for validation: expected a share below 1 such as 0.2, or a count below {}",
        text, images));
  }
  return static_cast<std::uint32_t>(count);
}

}  // namespace spottrain
