#include "trainer/loop/epoch_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <stdexcept>
#include <system_error>

#include "base/files/folder_for_test.h"

namespace spottrain {
namespace {

constexpr const char* kHeader =
    "epoch,step,train_loss,train_accuracy,validation_accuracy,test_accuracy,learning_rate\n";

TEST(EpochLog, HasAHeaderAndARowAnEpoch) {
  const base::FolderForTest folder;
  EpochLog log(folder / "log.csv", LogFormat::csv, 0);
  log.append({.epoch = 1,
              .step = 5,
              .train_loss = 2.25,
              .train_accuracy = 0.5,
              .test_accuracy = 0.125,
              .learning_rate = 0.01});
  EXPECT_EQ(base::file_content(folder / "log.csv"),
            std::string(kHeader) + "1,5,2.250000,0.500000,,0.125000,0.01\n");
}

TEST(EpochLog, RowsOfEpochsToBeTrainedAgainAreRemoved) {
  const base::FolderForTest folder;
  base::write_content(folder / "log.csv", std::string(kHeader) + "1,5,a\n2,10,b\n3,15,c\n");
  EpochLog(folder / "log.csv", LogFormat::csv, 2);
  EXPECT_EQ(base::file_content(folder / "log.csv"), std::string(kHeader) + "1,5,a\n2,10,b\n");
}

TEST(EpochLog, LinesOfJsonHaveTheSameFields) {
  const base::FolderForTest folder;
  const EpochRow row{.epoch = 1,
                     .step = 5,
                     .train_loss = 2.25,
                     .train_accuracy = 0.5,
                     .validation_accuracy = 0.25,
                     .learning_rate = 0.01};
  EpochLog(folder / "log.jsonl", LogFormat::json_lines, 0).append(row);
  const std::string first =
      "{\"epoch\":1,\"step\":5,\"train_loss\":2.25,\"train_accuracy\":0.5,"
      "\"validation_accuracy\":0.25,\"test_accuracy\":null,\"learning_rate\":0.01}\n";
  EXPECT_EQ(base::file_content(folder / "log.jsonl"), first);
  base::write_content(folder / "log.jsonl", first + "{\"epoch\":2,\"step\":10}\n{\"epoch\":3");
  EpochLog(folder / "log.jsonl", LogFormat::json_lines, 1);
  EXPECT_EQ(base::file_content(folder / "log.jsonl"), first);
}

TEST(EpochLog, AnIncompleteRowIsRemoved) {
  const base::FolderForTest folder;
  base::write_content(folder / "log.csv", std::string(kHeader) + "1,5,a\n2,1");
  EpochLog(folder / "log.csv", LogFormat::csv, 2);
  EXPECT_EQ(base::file_content(folder / "log.csv"), std::string(kHeader) + "1,5,a\n");
}

TEST(EpochLog, AnIncompleteHeaderIsWrittenAgain) {
  const base::FolderForTest folder;
  base::write_content(folder / "log.csv", "epoch,st");
  EpochLog(folder / "log.csv", LogFormat::csv, 2);
  EXPECT_EQ(base::file_content(folder / "log.csv"), kHeader);
}

TEST(EpochLog, AFileWithOtherContentIsLeftUnchanged) {
  const base::FolderForTest folder;
  for (const auto format : {LogFormat::csv, LogFormat::json_lines}) {
    base::write_content(folder / "notes.txt", "buy milk\n");
    EXPECT_THROW(EpochLog(folder / "notes.txt", format, 0), std::invalid_argument);
    EXPECT_EQ(base::file_content(folder / "notes.txt"), "buy milk\n");
  }
}

// A file may not grow beyond RLIMIT_FSIZE, which cuts a row off as a full disk does.
TEST(EpochLog, ARowThatDoesNotFitLeavesNoPart) {
  const base::FolderForTest folder;
  EpochLog log(folder / "log.csv", LogFormat::csv, 0);
  const EpochRow row{.epoch = 1, .step = 5, .learning_rate = 0.01};
  log.append(row);
  const std::string before = base::file_content(folder / "log.csv");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &usual), 0);
  const rlimit small{before.size() + 10, usual.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(log.append(row), std::system_error);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &usual), 0);
  EXPECT_EQ(base::file_content(folder / "log.csv"), before);
}

TEST(EpochLog, AMissingFolderIsAnError) {
  const base::FolderForTest folder;
  EXPECT_THROW(EpochLog(folder / "missing/log.csv", LogFormat::csv, 0), std::system_error);
}

}  // namespace
}  // namespace spottrain
