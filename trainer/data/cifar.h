// CIFAR-10's binary format (https://www.cs.toronto.edu/~kriz/cifar.html): records of one label byte
// and 32 × 32 red, then green, then blue bytes, row by row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace spottrain {

inline constexpr int kImageSide = 32;
inline constexpr int kImageChannels = 3;
inline constexpr int kPixels = kImageSide * kImageSide;
inline constexpr int kImageBytes = kPixels * kImageChannels;
inline constexpr int kRecordBytes = 1 + kImageBytes;
inline constexpr int kClasses = 10;

// A data set that cannot be read; what() names the file and what is wrong with it.
struct DataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Whole records, one after the other, as in the files.
struct Images {
  std::vector<std::uint8_t> records;

  std::uint32_t size() const { return static_cast<std::uint32_t>(records.size() / kRecordBytes); }
  int label(std::uint32_t i) const { return records[std::size_t{i} * kRecordBytes]; }
  std::span<const std::uint8_t, kImageBytes> pixels(std::uint32_t i) const {
    return std::span<const std::uint8_t, kImageBytes>(
        records.data() + std::size_t{i} * kRecordBytes + 1, kImageBytes);
  }
};

struct DataSet {
  Images train, test;
  std::string fingerprint;  // XXH3-128 of train's and test's records, 32 hexadecimal digits
};

// Reads data_batch_1.bin, data_batch_2.bin … (in the order of their numbers) and test_batch.bin
// from a folder. Throws DataError when there is no training or test image, a file is cut off, or a
// label is above 9.
DataSet read_cifar10(const std::filesystem::path& folder);

}  // namespace spottrain
