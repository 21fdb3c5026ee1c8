// MNIST's IDX format (http://yann.lecun.com/exdb/mnist/). It begins with a big-endian magic number.
// The third byte is the type (8: unsigned byte), and the fourth byte is the number of dimensions.
// The sizes follow as big-endian 32-bit integers, and then the bytes. The last dimension changes
// fastest.
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "trainer/data/file_bytes.h"
#include "trainer/data/formats.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

constexpr int kMnistClasses = 10;
constexpr std::uint64_t kLargestSide = 1024;

std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | bytes[3];
}

// An array of bytes with its sizes in each of N dimensions.
template <std::size_t N>
struct ByteArray {
  std::array<std::uint32_t, N> sizes;
  std::vector<std::uint8_t> values;
};

template <std::size_t N>
ByteArray<N> read_idx(const fs::path& file) {
  std::vector<std::uint8_t> bytes = file_bytes(file);
  const auto fail = [&](std::string_view why) {
    throw DataError(fmt::format("{}: {}", file.string(), why));
  };
  constexpr std::size_t header = 4 + 4 * N;
  constexpr std::uint32_t magic = 0x0800 + N;
  if (bytes.size() < header) {
    fail(fmt::format("{} bytes, expected a header of {}", bytes.size(), header));
  }
  if (const auto found = big_endian(bytes.data()); found != magic) {
    fail(fmt::format("magic number 0x{:08x}, expected 0x{:08x} (bytes in {} dimensions)", found,
                     magic, N));
  }
  ByteArray<N> array{};
  std::uint64_t size = 1;  // at most 2^32 × 2^10 × 2^10
  for (std::size_t i = 0; i < N; ++i) {
    array.sizes[i] = big_endian(bytes.data() + 4 + 4 * i);
    if (i > 0 && (array.sizes[i] < 1 || array.sizes[i] > kLargestSide)) {
      fail(fmt::format("images with a side of {} pixels, expected 1 to {}", array.sizes[i],
                       kLargestSide));
    }
    size *= array.sizes[i];
  }
  if (bytes.size() - header != size) {
    fail(fmt::format("{} bytes after the header, expected the {} that it states",
                     bytes.size() - header, size));
  }
  bytes.erase(bytes.begin(), bytes.begin() + header);
  array.values = std::move(bytes);
  return array;
}

fs::path must_find(const fs::path& folder, std::string_view name) {
  if (auto file = plain_or_gz(folder, name)) return *std::move(file);
  throw DataError(fmt::format("{}: no {} or {}.gz", folder.string(), name, name));
}

// Reads the images and labels of a set: "train" or "t10k".
Images read_images(const fs::path& folder, std::string_view set) {
  const fs::path image_file = must_find(folder, fmt::format("{}-images-idx3-ubyte", set));
  const fs::path label_file = must_find(folder, fmt::format("{}-labels-idx1-ubyte", set));
  auto images = read_idx<3>(image_file);
  auto labels = read_idx<1>(label_file);
  if (labels.sizes[0] != images.sizes[0]) {
    throw DataError(fmt::format("{}: {} labels, expected one for each of the {} images in {}",
                                label_file.string(), labels.sizes[0], images.sizes[0],
                                image_file.filename().string()));
  }
  for (std::size_t i = 0; i < labels.values.size(); ++i) {
    if (labels.values[i] < kMnistClasses) continue;
    throw DataError(fmt::format("{}: label {} is {}, expected 0 to {}", label_file.string(), i,
                                labels.values[i], kMnistClasses - 1));
  }
  return {.shape = {static_cast<int>(images.sizes[1]), static_cast<int>(images.sizes[2]), 1},
          .pixels = std::move(images.values),
          .labels = std::move(labels.values)};
}

bool has(const fs::path& folder, std::string_view set) {
  return plain_or_gz(folder, fmt::format("{}-images-idx3-ubyte", set)).has_value();
}

}  // namespace

bool is_mnist(const fs::path& folder) { return has(folder, "train") || has(folder, "t10k"); }

DataSet read_mnist(const fs::path& folder, Cifar100Labels) {
  DataSet data;
  data.classes = kMnistClasses;
  const bool both = has(folder, "train") && has(folder, "t10k");
  data.train = read_images(folder, has(folder, "train") ? "train" : "t10k");
  if (both) data.test = read_images(folder, "t10k");
  return data;
}

}  // namespace spottrain
