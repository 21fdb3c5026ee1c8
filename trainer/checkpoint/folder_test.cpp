#include "trainer/checkpoint/folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "base/files/folder_for_test.h"
#include "base/files/whole_file.h"
#include "trainer/checkpoint/damage.h"
#include "trainer/checkpoint/example_for_test.h"
#include "trainer/checkpoint/store.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using Steps = std::vector<std::int64_t>;

constexpr Retention kTwo{.newest = 2, .best = 0};

Names names_in(const fs::path& folder) {
  Names names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Both files of each step, sorted.
Names files_of(const Steps& steps) {
  Names names;
  for (const std::int64_t step : steps) {
    names.insert(names.end(), {manifest_name(step), checkpoint_name(step)});
  }
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

void save_with_metric(CheckpointFolder& folder, std::int64_t step, std::optional<double> metric) {
  Checkpoint checkpoint = example_checkpoint(step);
  checkpoint.metric = metric;
  folder.save(checkpoint);
  folder.rotate();
}

TEST(CheckpointName, HasTheStep) {
  EXPECT_EQ(checkpoint_name(7), "step-0000000007.safetensors");
  EXPECT_EQ(manifest_name(7), "step-0000000007.json");
  EXPECT_EQ(step_of_checkpoint("step-0000000007.safetensors"), 7);
  EXPECT_EQ(step_of_manifest("step-99999999999.json"), 99999999999);
  for (const char* other :
       {"step-.safetensors", "step-x.safetensors", "step--000000001.safetensors",
        "step-7.safetensors", "step-0000000007.json", "step-0000000007.safetensors.tmp",
        ".safetensors", "step-99999999999999999999.safetensors", "train.csv"}) {
    EXPECT_FALSE(step_of_checkpoint(other)) << other;
  }
}

TEST(CheckpointFolder, NumbersAreComparedAsNumbers) {
  const base::FolderForTest place;
  CheckpointFolder folder(place.path(), kTwo);
  folder.save(example_checkpoint(9'999'999'999));
  folder.save(example_checkpoint(10'000'000'000));
  EXPECT_EQ(newest_in(folder).step, 10'000'000'000);
}

TEST(CheckpointFolder, EmptyHasNone) {
  const base::FolderForTest place;
  CheckpointFolder folder(place / "made/when/missing", kTwo);
  EXPECT_EQ(newest_in(folder).step, -1);
}

TEST(CheckpointFolder, ReturnsTheSavedCheckpoint) {
  const base::FolderForTest place;
  CheckpointFolder folder(place.path(), kTwo);
  const std::uint64_t bytes = folder.save(example_checkpoint(5));
  EXPECT_EQ(bytes, fs::file_size(place / checkpoint_name(5)));
  EXPECT_EQ(folder.newest({})->checkpoint, example_checkpoint(5));
  EXPECT_EQ(names_in(place.path()), files_of({5}));
}

TEST(Rotation, KeepsTheNewestValidOnes) {
  const base::FolderForTest place;
  {
    CheckpointFolder folder(place.path(), kTwo);
    for (int step = 1; step <= 5; ++step) folder.save(example_checkpoint(step));
  }
  base::write_content(place / checkpoint_name(4), "damaged");
  fs::remove(place / manifest_name(2));
  CheckpointFolder folder(place.path(), kTwo);
  folder.rotate();
  EXPECT_EQ(names_in(place.path()), files_of({3, 4, 5}));
  folder.save(example_checkpoint(6));
  folder.rotate();
  EXPECT_EQ(names_in(place.path()), files_of({5, 6}));
}

TEST(Rotation, RemovesNothingWhileFewerThanTwoAreValid) {
  const base::FolderForTest place;
  {
    CheckpointFolder folder(place.path(), kTwo);
    for (int step = 1; step <= 4; ++step) folder.save(example_checkpoint(step));
  }
  for (int step = 2; step <= 4; ++step) base::write_content(place / manifest_name(step), "damaged");
  CheckpointFolder folder(place.path(), kTwo);
  folder.rotate();
  EXPECT_EQ(list_checkpoints(place.path()).checkpoints, (Steps{4, 3, 2, 1}));
}

TEST(Rotation, KeepsTheBestWhereverItIs) {
  const base::FolderForTest place;
  CheckpointFolder folder(place.path(), {.newest = 2, .best = 1});
  save_with_metric(folder, 1, 0.5);
  save_with_metric(folder, 2, 0.9);
  save_with_metric(folder, 3, {});
  save_with_metric(folder, 4, 0.7);
  save_with_metric(folder, 5, {});
  EXPECT_EQ(list_checkpoints(place.path()).checkpoints, (Steps{5, 4, 2}));
  save_with_metric(folder, 6, 0.9);
  EXPECT_EQ(list_checkpoints(place.path()).checkpoints, (Steps{6, 5})) << "the newer of equals";
  save_with_metric(folder, 7, 0.1);
  save_with_metric(folder, 8, 0.1);
  EXPECT_EQ(list_checkpoints(place.path()).checkpoints, (Steps{8, 7, 6}));
}

TEST(Rotation, ReadsTheMetricsOfAnEarlierProcess) {
  const base::FolderForTest place;
  {
    CheckpointFolder folder(place.path(), {.newest = 2, .best = 1});
    save_with_metric(folder, 1, 0.9);
    save_with_metric(folder, 2, 0.5);
  }
  CheckpointFolder folder(place.path(), {.newest = 2, .best = 1});
  save_with_metric(folder, 3, 0.6);
  save_with_metric(folder, 4, 0.7);
  EXPECT_EQ(list_checkpoints(place.path()).checkpoints, (Steps{4, 3, 1}));
}

TEST(Rotation, ADamagedBestDoesNotCount) {
  const base::FolderForTest place;
  {
    CheckpointFolder folder(place.path(), {.newest = 2, .best = 1});
    save_with_metric(folder, 1, 0.9);
  }
  base::write_content(place / checkpoint_name(1), "damaged");
  CheckpointFolder folder(place.path(), {.newest = 2, .best = 1});
  save_with_metric(folder, 2, 0.5);
  save_with_metric(folder, 3, 0.4);
  save_with_metric(folder, 4, 0.3);
  EXPECT_EQ(list_checkpoints(place.path()).checkpoints, (Steps{4, 3, 2}));
}

// Each way in which the newest checkpoint may be damaged. The previous one is found, and a message
// names the newest.
using Damage = void (*)(const fs::path& folder);
class DamagedNewest : public testing::TestWithParam<Damage> {};
TEST_P(DamagedNewest, IsSkippedWithAMessageForThePreviousOne) {
  const base::FolderForTest place;
  {
    CheckpointFolder folder(place.path(), kTwo);
    folder.save(example_checkpoint(1));
    folder.save(example_checkpoint(2));
  }
  GetParam()(place.path());
  CheckpointFolder folder(place.path(), kTwo);
  const Newest newest = newest_in(folder);
  EXPECT_EQ(newest.step, 1);
  EXPECT_EQ(newest.rejected, Names{checkpoint_name(2)});
  folder.save(example_checkpoint(2));  // trained again
  EXPECT_EQ(newest_in(folder).step, 2);
}
template <std::string (*name)(std::int64_t)>
constexpr Damage kHalf = [](const fs::path& folder) {
  fs::resize_file(folder / name(2), fs::file_size(folder / name(2)) / 2);
};
template <std::string (*name)(std::int64_t)>
constexpr Damage kEmpty = [](const fs::path& folder) { fs::resize_file(folder / name(2), 0); };
template <std::string (*name)(std::int64_t)>
constexpr Damage kLonger = [](const fs::path& folder) {
  base::write_content(folder / name(2), base::file_content(folder / name(2)) + "x");
};
template <std::string (*name)(std::int64_t)>
constexpr Damage kFlippedBit = [](const fs::path& folder) {
  std::string bytes = base::file_content(folder / name(2));
  bytes[bytes.size() / 2] ^= 4;
  base::write_content(folder / name(2), bytes);
};
template <std::string (*name)(std::int64_t)>
constexpr Damage kAnotherStep = [](const fs::path& folder) {
  fs::copy_file(folder / name(1), folder / name(2), fs::copy_options::overwrite_existing);
};
template <std::string (*name)(std::int64_t)>
constexpr Damage kFolder = [](const fs::path& folder) {
  fs::remove(folder / name(2));
  fs::create_directory(folder / name(2));
};
template <std::string (*name)(std::int64_t)>
constexpr Damage kFifo = [](const fs::path& folder) {
  fs::remove(folder / name(2));
  ASSERT_EQ(mkfifo((folder / name(2)).c_str(), 0600), 0);
};
INSTANTIATE_TEST_SUITE_P(OfData, DamagedNewest,
                         testing::Values(kHalf<checkpoint_name>, kEmpty<checkpoint_name>,
                                         kLonger<checkpoint_name>, kFlippedBit<checkpoint_name>,
                                         kAnotherStep<checkpoint_name>, kFifo<checkpoint_name>,
                                         [](const fs::path& folder) {
                                           fs::remove(folder / checkpoint_name(2));
                                         }));
INSTANTIATE_TEST_SUITE_P(OfManifest, DamagedNewest,
                         testing::Values(kHalf<manifest_name>, kEmpty<manifest_name>,
                                         kLonger<manifest_name>, kFlippedBit<manifest_name>,
                                         kAnotherStep<manifest_name>, kFifo<manifest_name>));
INSTANTIATE_TEST_SUITE_P(OfBoth, DamagedNewest, testing::Values([](const fs::path& folder) {
                           kAnotherStep<checkpoint_name>(folder);
                           kAnotherStep<manifest_name>(folder);
                         }));

TEST(CheckpointFolder, DataWithoutItsManifestAreUnfinished) {
  const base::FolderForTest place;
  CheckpointFolder folder(place.path(), kTwo);
  folder.save(example_checkpoint(1));
  folder.save(example_checkpoint(2));
  fs::remove(place / manifest_name(2));
  const Newest newest = newest_in(folder);
  EXPECT_EQ(newest.step, 1);
  EXPECT_TRUE(newest.rejected.empty());
  EXPECT_EQ(list_checkpoints(place.path()).unfinished, Steps{2});
}

TEST(CheckpointFolder, EverySingleFlippedBitOfTheDataIsRejected) {
  const base::FolderForTest place;
  CheckpointFolder folder(place.path(), kTwo);
  folder.save(example_checkpoint(1));
  std::string bytes = base::file_content(place / checkpoint_name(1));
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 53) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    base::write_content(place / checkpoint_name(1), bytes);
    EXPECT_THROW(load_checkpoint(place.path(), 1), DamagedCheckpoint) << bit;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  }
}

TEST(CheckpointFolder, RemovesUnfinishedFilesOfAKilledTrainerOnly) {
  const base::FolderForTest place;
  base::write_content(place / base::temporary_name(checkpoint_name(9)), "half");
  base::write_content(place / base::temporary_name(manifest_name(8)), "half");
  base::write_content(place / ".other.tmp", "not ours");
  const CheckpointFolder folder(place.path(), kTwo);
  EXPECT_EQ(names_in(place.path()), Names{".other.tmp"});
}

TEST(CheckpointFolder, IsLockedAgainstASecondTrainer) {
  const base::FolderForTest place;
  const CheckpointFolder first(place.path(), kTwo);
  EXPECT_THROW(CheckpointFolder(place.path(), kTwo), std::system_error);
}

TEST(CheckpointFolder, AFailedSaveLeavesNothing) {
  const base::FolderForTest place;
  CheckpointFolder folder(place.path(), kTwo);
  fs::create_directory(place / base::temporary_name(manifest_name(1)));
  EXPECT_THROW(folder.save(example_checkpoint(1)), std::system_error);
  EXPECT_EQ(names_in(place.path()), Names{base::temporary_name(manifest_name(1))});
}

}  // namespace
}  // namespace spottrain
