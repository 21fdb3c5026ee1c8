#include "trainer/checkpoint/folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "trainer/checkpoint/durable_file.h"
#include "trainer/test_folder.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

Checkpoint at_step(std::int64_t step) {
  return {.step = step,
          .steps_per_epoch = 10,
          .configuration = {},
          .numeric_class = "test",
          .epoch_sums = {},
          .tensors = {{"w", {2}, {static_cast<float>(step), 1}}}};
}

Names names_in(const fs::path& folder) {
  Names names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Newest {
  std::int64_t step = -1;  // -1: none
  Names rejected;
};
Newest newest_in(CheckpointFolder& folder) {
  Newest newest;
  const auto found = folder.newest(
      [&](const std::string& name, const std::string&) { newest.rejected.push_back(name); });
  if (found) newest.step = found->checkpoint.step;
  return newest;
}

TEST(CheckpointName, NumbersAreComparedAsNumbers) {
  EXPECT_EQ(checkpoint_name(7), "step-0000000007.ckpt");
  EXPECT_EQ(step_of("step-0000000007.ckpt"), 7);
  EXPECT_EQ(step_of("step-99999999999.ckpt"), 99999999999);
  for (const char* other : {"step-.ckpt", "step-x.ckpt", "step--1.ckpt", "step-1.ckpt.tmp", ".ckpt",
                            "step-99999999999999999999.ckpt", "train.csv"}) {
    EXPECT_FALSE(step_of(other)) << other;
  }
  const TestFolder place;
  CheckpointFolder folder(place.path(), 2);
  folder.save(at_step(999));
  fs::rename(place / checkpoint_name(999), place / "step-999.ckpt");
  folder.save(at_step(1000));
  EXPECT_EQ(newest_in(folder).step, 1000);
}

TEST(CheckpointFolder, EmptyHasNone) {
  const TestFolder place;
  CheckpointFolder folder(place / "made/when/missing", 2);
  EXPECT_EQ(newest_in(folder).step, -1);
}

TEST(CheckpointFolder, GivesBackWhatWasSaved) {
  const TestFolder place;
  CheckpointFolder folder(place.path(), 2);
  const std::uint64_t bytes = folder.save(at_step(5));
  EXPECT_EQ(bytes, fs::file_size(place / checkpoint_name(5)));
  EXPECT_EQ(folder.newest({})->checkpoint, at_step(5));
  EXPECT_EQ(names_in(place.path()), Names{checkpoint_name(5)});
}

TEST(CheckpointFolder, RotationKeepsTheNewestThatVerify) {
  const TestFolder place;
  {
    CheckpointFolder folder(place.path(), 2);
    for (int step = 1; step <= 5; ++step) folder.save(at_step(step));
  }
  write_content(place / checkpoint_name(4), "damaged");
  CheckpointFolder folder(place.path(), 2);
  folder.rotate();
  EXPECT_EQ(names_in(place.path()),
            (Names{checkpoint_name(3), checkpoint_name(4), checkpoint_name(5)}));
  folder.save(at_step(6));
  folder.rotate();
  EXPECT_EQ(names_in(place.path()), (Names{checkpoint_name(5), checkpoint_name(6)}));
}

// Each way in which the newest may be damaged; the one before is found, and the newest is named.
class DamagedNewest : public testing::TestWithParam<void (*)(const fs::path&)> {};
TEST_P(DamagedNewest, IsSkippedLoudlyForTheOneBefore) {
  const TestFolder place;
  CheckpointFolder folder(place.path(), 2);
  folder.save(at_step(1));
  folder.save(at_step(2));
  GetParam()(place / checkpoint_name(2));
  const Newest newest = newest_in(folder);
  EXPECT_EQ(newest.step, 1);
  EXPECT_EQ(newest.rejected, Names{checkpoint_name(2)});
}
INSTANTIATE_TEST_SUITE_P(
    Ways, DamagedNewest,
    testing::Values([](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); },
                    [](const fs::path& file) { fs::resize_file(file, 0); },
                    [](const fs::path& file) {
                      std::string bytes = file_content(file);
                      bytes[bytes.size() / 2] ^= 4;
                      write_content(file, bytes);
                    },
                    [](const fs::path& file) {  // another step's, under this name
                      fs::copy_file(file.parent_path() / checkpoint_name(1), file,
                                    fs::copy_options::overwrite_existing);
                    },
                    [](const fs::path& file) {
                      fs::remove(file);
                      fs::create_directory(file);
                    },
                    [](const fs::path& file) {
                      fs::remove(file);
                      ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
                    }));

TEST(CheckpointFolder, MissingNewestGivesTheOneBefore) {
  const TestFolder place;
  CheckpointFolder folder(place.path(), 2);
  folder.save(at_step(1));
  folder.save(at_step(2));
  fs::remove(place / checkpoint_name(2));
  EXPECT_EQ(newest_in(folder).step, 1);
}

TEST(CheckpointFolder, RemovesUnfinishedFilesOfAKilledTrainerOnly) {
  const TestFolder place;
  write_content(place / temporary_name(checkpoint_name(9)), "half");
  write_content(place / ".other.tmp", "not ours");
  const CheckpointFolder folder(place.path(), 2);
  EXPECT_EQ(names_in(place.path()), Names{".other.tmp"});
}

TEST(CheckpointFolder, IsLockedAgainstASecondTrainer) {
  const TestFolder place;
  const CheckpointFolder first(place.path(), 2);
  EXPECT_THROW(CheckpointFolder(place.path(), 2), std::system_error);
}

TEST(DurableFile, AFailedWriteLeavesTheOldFileAndNoTemporary) {
  const TestFolder place;
  write_durably(place.path(), "f", "old");
  fs::create_directory(place / "g");  // a rename onto it fails
  EXPECT_THROW(write_durably(place.path(), "g", "new"), std::system_error);
  EXPECT_EQ(file_content(place / "f"), "old");
  EXPECT_EQ(names_in(place.path()), (Names{"f", "g"}));
}

}  // namespace
}  // namespace spottrain
