// Damaged files of every format. A reader reads a file or throws a DataError. The sanitizer build
// checks the reader's memory accesses.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/folder_for_test.h"
#include "trainer/data/data_set.h"
#include "trainer/data/idx_files_for_test.h"
#include "trainer/data/philox.h"

namespace spottrain {
namespace {

struct File {
  std::string name, content;
};

std::string damaged(std::string content, Philox& random) {
  switch (random.below(4)) {
    case 0:
      content.resize(random.below(static_cast<std::uint32_t>(content.size()) + 1));
      break;
    case 1:
      content.insert(random.below(static_cast<std::uint32_t>(content.size())),
                     std::string(1 + random.below(9), static_cast<char>(random.next())));
      break;
    case 2: {  // the beginning, where a header is
      const auto at =
          random.below(std::min<std::uint32_t>(16, static_cast<std::uint32_t>(content.size())));
      content[at] = static_cast<char>(random.next());
      break;
    }
    default:
      content[random.below(static_cast<std::uint32_t>(content.size()))] ^=
          static_cast<char>(1 << random.below(8));
  }
  return content;
}

// A new file, and not the old one emptied: ext4 writes the latter to the disk at once, which takes
// longer than all that is under test.
void write_anew(const std::filesystem::path& file, const std::string& content) {
  std::filesystem::remove(file);
  base::write_content(file, content);
}

// Each round damages one of the files up to three times.
void expect_read_or_refused(const std::vector<File>& files, int rounds) {
  const base::FolderForTest folder;
  for (const File& file : files) base::write_content(folder / file.name, file.content);
  Philox random(1, Purpose::shapes, 0);
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const File& file = files[random.below(static_cast<std::uint32_t>(files.size()))];
    std::string content = file.content;
    for (auto times = 1 + random.below(3); times > 0 && !content.empty(); --times) {
      content = damaged(content, random);
    }
    write_anew(folder / file.name, content);
    try {
      const DataSet data = read_data_set(folder.path());
      ASSERT_EQ(data.train.pixels.size(), data.train.size() * data.shape().size());
      for (const std::uint8_t label : data.train.labels) ASSERT_LT(label, data.classes);
    } catch (const DataError& error) {
      ASSERT_NE(std::string(error.what()).find(folder.path().string()), std::string::npos);
      ++refused;
    }
    write_anew(folder / file.name, file.content);
  }
  EXPECT_GT(refused, rounds / 10);
}

TEST(DataFuzz, Cifar) {
  const std::string records(2 * 3073, 1);
  expect_read_or_refused({{"data_batch_1.bin", records}, {"test_batch.bin", records}}, 300);
}

TEST(DataFuzz, Idx) {
  expect_read_or_refused({{"train-images-idx3-ubyte", idx({4, 3, 2}, std::string(24, 7))},
                          {"train-labels-idx1-ubyte", idx({4}, std::string(4, 7))}},
                         3000);
}

TEST(DataFuzz, PackedIdx) {
  const base::FolderForTest packed;
  write_gzip(packed / "images", idx({40, 3, 2}, std::string(240, 7)));
  write_gzip(packed / "labels", idx({40}, std::string(40, 7)));
  expect_read_or_refused({{"train-images-idx3-ubyte.gz", base::file_content(packed / "images")},
                          {"train-labels-idx1-ubyte.gz", base::file_content(packed / "labels")}},
                         3000);
}

TEST(DataFuzz, Optdigits) {
  std::string row;
  for (int i = 0; i < 64; ++i) row += std::to_string(i % 17) + ",";
  const std::string rows = row + "3\n" + row + "9\n";
  expect_read_or_refused({{"optdigits.tra", rows}, {"optdigits.tes", rows}}, 800);
}

}  // namespace
}  // namespace spottrain
