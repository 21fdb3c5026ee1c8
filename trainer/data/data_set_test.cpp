#include "trainer/data/data_set.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/files/folder_for_test.h"
#include "trainer/data/cifar.h"
#include "trainer/data/idx_files_for_test.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

std::string error_of(const fs::path& folder, Cifar100Labels labels = Cifar100Labels::fine) {
  try {
    read_data_set(folder, labels);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

TEST(DataSet, AFolderWithoutADataSetIsAnErrorThatNamesTheFormats) {
  const base::FolderForTest folder;
  const std::string error = error_of(folder.path());
  for (const char* part : {"data_batch_1.bin (or .gz) (CIFAR-10)", "train.bin (or .gz) (CIFAR-100)",
                           "train-images-idx3-ubyte", "optdigits.tra"}) {
    EXPECT_HAS(error, part);
  }
  EXPECT_HAS(error_of(folder / "missing"), "missing: No such file");
}

TEST(DataSet, TwoFormatsInOneFolderAreAnError) {
  const base::FolderForTest folder;
  base::write_content(folder / "train.bin", "");
  base::write_content(folder / "optdigits.tra", "");
  EXPECT_HAS(error_of(folder.path()), "holds both CIFAR-100 and optdigits");
}

TEST(DataSet, AFifoInPlaceOfAFileIsAnErrorAndDoesNotBlock) {
  const base::FolderForTest folder;
  ASSERT_EQ(mkfifo((folder / "train.bin").c_str(), 0600), 0);
  EXPECT_HAS(error_of(folder.path()), "train.bin: is no regular file");
}

// A CIFAR-10 record. Its red, green and blue planes count up from 0, 50 and 100.
std::string cifar_record(char label) {
  std::string record(1, label);
  for (int channel = 0; channel < 3; ++channel) {
    for (int i = 0; i < kPixels; ++i) record += static_cast<char>((i + 50 * channel) % 256);
  }
  return record;
}

TEST(Cifar, APixelsChannelsLieSideBySide) {
  const base::FolderForTest folder;
  base::write_content(folder / "data_batch_1.bin", cifar_record(7));
  base::write_content(folder / "test_batch.bin", cifar_record(1));
  const DataSet data = read_data_set(folder.path());
  EXPECT_EQ(data.format, "CIFAR-10");
  EXPECT_EQ(data.classes, 10);
  EXPECT_EQ(data.shape(), (ImageShape{32, 32, 3}));
  EXPECT_EQ(data.train.label(0), 7);
  const auto image = data.train.image(0);
  EXPECT_EQ((std::vector<int>(image.begin(), image.begin() + 6)),
            (std::vector<int>{0, 50, 100, 1, 51, 101}));
}

TEST(Cifar, BatchesAreReadInTheOrderOfTheirNumbers) {
  const base::FolderForTest folder;
  for (const int number : {10, 9, 2}) {
    base::write_content(folder / ("data_batch_" + std::to_string(number) + ".bin"),
                        cifar_record(static_cast<char>(number % 10)));
  }
  base::write_content(folder / "test_batch.bin", cifar_record(0));
  EXPECT_EQ(read_data_set(folder.path()).train.labels, (std::vector<std::uint8_t>{2, 9, 0}));
}

// Compresses every file of a folder and removes the plain ones.
void pack(const base::FolderForTest& folder) {
  const fs::directory_iterator files(folder.path());
  for (const fs::path& file : std::vector<fs::path>(begin(files), end(files))) {
    write_gzip(file.string() + ".gz", base::file_content(file));
    fs::remove(file);
  }
}

TEST(Cifar, IsReadPlainAndPackedAlike) {
  const base::FolderForTest ten, hundred;
  for (const int number : {1, 2, 10}) {
    base::write_content(ten / ("data_batch_" + std::to_string(number) + ".bin"),
                        cifar_record(static_cast<char>(number % 10)));
  }
  base::write_content(ten / "test_batch.bin", cifar_record(0));
  for (const char* name : {"train.bin", "test.bin"}) {
    base::write_content(hundred / name, std::string(1, 19) + cifar_record(99));
  }
  for (const base::FolderForTest* folder : {&ten, &hundred}) {
    const DataSet plain = read_data_set(folder->path());
    pack(*folder);
    const DataSet packed = read_data_set(folder->path());
    EXPECT_EQ(packed.format, plain.format);
    EXPECT_EQ(packed.fingerprint, plain.fingerprint);
  }
  base::write_content(ten / "data_batch_2.bin", cifar_record(5));
  EXPECT_EQ(read_data_set(ten.path()).train.labels, (std::vector<std::uint8_t>{1, 5, 0}))
      << "the plain one of both";
}

TEST(Cifar, ErrorsNameTheFileAndTheFault) {
  const base::FolderForTest folder;
  base::write_content(folder / "data_batch_1.bin", std::string(kRecordBytes + 1, 0));
  EXPECT_HAS(error_of(folder.path()), "data_batch_1.bin: 3074 bytes is no multiple");
  base::write_content(folder / "data_batch_1.bin", std::string(kRecordBytes, 10));
  EXPECT_HAS(error_of(folder.path()), "record 0 has label 10, expected 0 to 9");
  base::write_content(folder / "data_batch_1.bin", std::string(kRecordBytes, 1));
  EXPECT_HAS(error_of(folder.path()), "test_batch.bin: No such file");
  base::write_content(folder / "test_batch.bin", "");
  EXPECT_HAS(error_of(folder.path()), "test_batch.bin: no test image");
  base::write_content(folder / "test_batch.bin", cifar_record(1));
  base::write_content(folder / "data_batch_1.bin", "");
  EXPECT_HAS(error_of(folder.path()), "no training image");
}

TEST(Cifar, Cifar100HasFineAndCoarseLabels) {
  const base::FolderForTest folder;
  const std::string record = std::string(1, 19) + cifar_record(99);
  base::write_content(folder / "train.bin", record);
  base::write_content(folder / "test.bin", record);
  const DataSet fine = read_data_set(folder.path());
  EXPECT_EQ(fine.format, "CIFAR-100");
  EXPECT_EQ(fine.classes, 100);
  EXPECT_EQ(fine.train.label(0), 99);
  EXPECT_EQ(fine.train.image(0)[1], 50);
  const DataSet coarse = read_data_set(folder.path(), Cifar100Labels::coarse);
  EXPECT_EQ(coarse.classes, 20);
  EXPECT_EQ(coarse.train.label(0), 19);
  EXPECT_NE(coarse.fingerprint, fine.fingerprint);
}

void write_mnist(const base::FolderForTest& folder, const std::string& set, std::uint32_t images) {
  base::write_content(folder / (set + "-images-idx3-ubyte"),
                      idx({images, 2, 3}, std::string(images * 6, 'x')));
  base::write_content(folder / (set + "-labels-idx1-ubyte"), idx({images}, std::string(images, 4)));
}

TEST(Mnist, IsReadPlainAndPackedAlike) {
  const base::FolderForTest folder;
  write_mnist(folder, "train", 3);
  write_mnist(folder, "t10k", 2);
  const DataSet plain = read_data_set(folder.path());
  EXPECT_EQ(plain.format, "MNIST");
  EXPECT_HAS(error_of(folder.path(), Cifar100Labels::coarse),
             "holds MNIST, but only CIFAR-100 has coarse labels");
  EXPECT_EQ(plain.shape(), (ImageShape{2, 3, 1}));
  EXPECT_EQ(plain.train.size(), 3u);
  EXPECT_EQ(plain.test.size(), 2u);
  EXPECT_EQ(plain.train.label(2), 4);
  EXPECT_EQ(plain.train.image(2)[5], 'x');
  for (const auto& entry : std::vector(fs::directory_iterator(folder.path()), {})) {
    write_gzip(entry.path().string() + ".gz", base::file_content(entry.path()));
    fs::remove(entry.path());
  }
  EXPECT_EQ(read_data_set(folder.path()).fingerprint, plain.fingerprint);
}

TEST(Mnist, TestImagesWithoutTrainingImagesAreUsedForTraining) {
  const base::FolderForTest folder;
  write_mnist(folder, "t10k", 5);
  const DataSet data = read_data_set(folder.path());
  EXPECT_EQ(data.train.size(), 5u);
  EXPECT_EQ(data.test.size(), 0u);
}

TEST(Mnist, ErrorsNameTheFileTheValueAndTheExpectation) {
  const base::FolderForTest folder;
  write_mnist(folder, "train", 3);
  const auto images = folder / "train-images-idx3-ubyte",
             labels = folder / "train-labels-idx1-ubyte";
  const auto error_with = [&](const fs::path& file, const std::string& content) {
    const std::string before = base::file_content(file);
    base::write_content(file, content);
    const std::string error = error_of(folder.path());
    base::write_content(file, before);
    return error;
  };
  EXPECT_HAS(error_with(images, "short"), "train-images-idx3-ubyte: 5 bytes, expected a header");
  EXPECT_HAS(error_with(images, base::file_content(labels) + std::string(20, 0)),
             "magic number 0x00000801, expected 0x00000803");
  EXPECT_HAS(error_with(images, idx({3, 2, 3}, std::string(17, 0))),
             "17 bytes after the header, expected the 18");
  EXPECT_HAS(error_with(images, idx({0xFFFFFFFF, 1024, 1024}, "x")),
             "1 bytes after the header, expected the 4503599626321920");
  EXPECT_HAS(error_with(images, idx({1, 0xFFFFFFFF, 0xFFFFFFFF}, "x")),
             "side of 4294967295 pixels, expected 1 to 1024");
  EXPECT_HAS(error_with(images, idx({3, 0, 3}, "")), "side of 0 pixels");
  EXPECT_HAS(error_with(labels, idx({2}, "ab")), "2 labels, expected one for each of the 3");
  EXPECT_HAS(error_with(labels, idx({3}, std::string{0, 9, 10})), "label 2 is 10, expected 0 to 9");
  fs::remove(labels);
  EXPECT_HAS(error_of(folder.path()), "no train-labels-idx1-ubyte");
}

TEST(Mnist, ACutOffOrDamagedPackIsAnError) {
  const base::FolderForTest folder;
  write_mnist(folder, "train", 3);
  const auto file = folder / "train-labels-idx1-ubyte.gz";
  write_gzip(file, base::file_content(folder / "train-labels-idx1-ubyte"));
  fs::remove(folder / "train-labels-idx1-ubyte");
  EXPECT_EQ(error_of(folder.path()), "");
  const std::string packed = base::file_content(file);
  base::write_content(file, packed.substr(0, packed.size() - 5));
  EXPECT_HAS(error_of(folder.path()), "labels-idx1-ubyte.gz: is cut off");
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1;  // in the checksum
  base::write_content(file, damaged);
  EXPECT_HAS(error_of(folder.path()), "labels-idx1-ubyte.gz: cannot be unpacked");
}

std::string digits_row(int value, int digit) {
  std::string row;
  for (int i = 0; i < 64; ++i) row += std::to_string(value) + ",";
  return row + std::to_string(digit) + "\n";
}

TEST(Optdigits, RowsAreReadWithOrWithoutNamesAndCarriageReturns) {
  const base::FolderForTest folder;
  base::write_content(folder / "optdigits.tra", "Block 1,Block 2,Class\n" + digits_row(16, 3));
  std::string row = digits_row(0, 9);
  row.insert(row.size() - 1, "\r");
  write_gzip(folder / "optdigits.tes.gz", row);
  const DataSet data = read_data_set(folder.path());
  EXPECT_EQ(data.format, "optdigits");
  EXPECT_EQ(data.shape(), (ImageShape{8, 8, 1}));
  EXPECT_EQ(data.train.label(0), 3);
  EXPECT_EQ(data.train.image(0)[63], 16);
  EXPECT_EQ(data.test.label(0), 9);
}

TEST(Optdigits, ErrorsNameLineAndField) {
  const base::FolderForTest folder;
  const auto error_with = [&](const std::string& content) {
    base::write_content(folder / "optdigits.tra", content);
    return error_of(folder.path());
  };
  const std::string good = digits_row(1, 1);
  EXPECT_HAS(error_with(good + "1,2,3\n"), "optdigits.tra:2: 3 fields, expected 65");
  EXPECT_HAS(error_with(good + digits_row(17, 1)), ":2: field 1 is '17', expected 0 to 16");
  EXPECT_HAS(error_with(good + digits_row(1, 10)), ":2: field 65 is '10', expected 0 to 9");
  EXPECT_HAS(error_with(good + "\n" + good), ":2: 1 fields");
  EXPECT_HAS(error_with("1x" + good.substr(1)), ":1: field 1 is '1x'");
  EXPECT_HAS(error_with(good), "no optdigits.tes");
}

// Images of one pixel; the pixel's value is the number of the image.
DataSet numbered_images(int count) {
  DataSet data;
  data.classes = 10;
  data.train.shape = {1, 1, 1};
  data.train.pixels.resize(static_cast<std::size_t>(count));
  std::iota(data.train.pixels.begin(), data.train.pixels.end(), std::uint8_t{0});
  for (int i = 0; i < count; ++i) data.train.labels.push_back(static_cast<std::uint8_t>(i % 10));
  return data;
}

TEST(HoldOut, DividesTheTrainingImagesAndLosesNone) {
  const DataSet data = hold_out(numbered_images(200), 50, 3);
  EXPECT_EQ(data.train.size(), 150u);
  EXPECT_EQ(data.validation.size(), 50u);
  EXPECT_TRUE(std::is_sorted(data.train.pixels.begin(), data.train.pixels.end()));
  std::set<int> all(data.train.pixels.begin(), data.train.pixels.end());
  all.insert(data.validation.pixels.begin(), data.validation.pixels.end());
  EXPECT_EQ(all.size(), 200u);
  for (std::uint32_t i = 0; i < 50; ++i) {
    EXPECT_EQ(data.validation.label(i), data.validation.image(i)[0] % 10);
  }
}

TEST(HoldOut, DependsOnTheSeedAndGrowsWithTheCount) {
  const DataSet a = hold_out(numbered_images(200), 50, 3),
                b = hold_out(numbered_images(200), 50, 4),
                more = hold_out(numbered_images(200), 60, 3);
  EXPECT_NE(a.validation.pixels, b.validation.pixels);
  EXPECT_NE(a.fingerprint, b.fingerprint);
  EXPECT_EQ(a.fingerprint, hold_out(numbered_images(200), 50, 3).fingerprint);
  EXPECT_TRUE(std::includes(more.validation.pixels.begin(), more.validation.pixels.end(),
                            a.validation.pixels.begin(), a.validation.pixels.end()));
  EXPECT_THROW(hold_out(numbered_images(200), 200, 3), std::invalid_argument);
}

TEST(HoldOut, ACountIsAShareOrANumber) {
  EXPECT_EQ(held_out_count("0.2", 10'000), 2'000u);
  EXPECT_EQ(held_out_count("2000", 10'000), 2'000u);
  EXPECT_EQ(held_out_count("0", 10'000), 0u);
  for (const char* bad : {"", "-1", "1.5", "10000", "inf", "nan", "0.2x", "1e3"}) {
    EXPECT_THROW(held_out_count(bad, 10'000), std::invalid_argument) << bad;
  }
}

}  // namespace
}  // namespace spottrain
