#include "trainer/checkpoint/saver.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "base/files/folder_for_test.h"
#include "trainer/checkpoint/example_for_test.h"
#include "trainer/checkpoint/store.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

class SaverModes : public testing::TestWithParam<Saver::Mode> {
 protected:
  // A training whose state is its step, and which continues after each save.
  Saver::Snapshot snapshot() {
    return [this](Checkpoint& checkpoint) { checkpoint = example_checkpoint(step_); };
  }

  base::FolderForTest place_;
  CheckpointFolder folder_{place_.path(), {.newest = 3, .best = 0}};
  std::int64_t step_ = 0;
};

TEST_P(SaverModes, EveryRequestIsSavedWithTheStateOfItsTime) {
  Saver saver(folder_, GetParam(), snapshot());
  for (step_ = 1; step_ <= 20; ++step_) saver.save();
  saver.wait();
  const auto outcomes = saver.outcomes();
  ASSERT_EQ(outcomes.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(outcomes[i].step, i + 1);
    EXPECT_EQ(outcomes[i].error, "");
    EXPECT_GT(outcomes[i].bytes, 4096u);
  }
  EXPECT_TRUE(saver.outcomes().empty()) << "each is told once";
  EXPECT_EQ(list_checkpoints(place_.path()).checkpoints, (std::vector<std::int64_t>{20, 19, 18}));
  EXPECT_EQ(load_checkpoint(place_.path(), 19).checkpoint, example_checkpoint(19));
}

TEST_P(SaverModes, AnOutcomeIsReportedWhenItIsDurable) {
  Saver saver(folder_, GetParam(), snapshot());
  for (step_ = 1; step_ <= 50; ++step_) {
    saver.save();
    for (const auto& outcome : saver.outcomes()) {
      EXPECT_EQ(load_checkpoint(place_.path(), outcome.step).checkpoint.step, outcome.step);
    }
  }
}

TEST_P(SaverModes, DestructionWaitsForTheSaveInProgress) {
  {
    Saver saver(folder_, GetParam(), snapshot());
    step_ = 7;
    saver.save();
  }
  EXPECT_EQ(load_checkpoint(place_.path(), 7).checkpoint, example_checkpoint(7));
}

TEST_P(SaverModes, AFailureIsReportedAndTheNextSaveTriesAgain) {
  Saver saver(folder_, GetParam(), snapshot());
  fs::create_directory(place_ / checkpoint_name(1));  // a rename onto it fails
  step_ = 1;
  saver.save();
  saver.wait();
  const auto failed = saver.outcomes();
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_NE(failed[0].error.find("rename"), std::string::npos) << failed[0].error;
  fs::remove(place_ / checkpoint_name(1));
  saver.save();
  saver.wait();
  EXPECT_EQ(saver.outcomes().at(0).error, "");
}

INSTANTIATE_TEST_SUITE_P(Both, SaverModes, testing::Values(Saver::Mode::sync, Saver::Mode::async),
                         [](const auto& mode) {
                           return mode.param == Saver::Mode::sync ? "sync" : "async";
                         });

TEST(AsyncSaver, ItsThreadTakesNoSignals) {
  const base::FolderForTest place;
  CheckpointFolder folder(place.path(), {});
  const Saver saver(folder, Saver::Mode::async, [](Checkpoint&) {});
  int others = 0;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    if (task.path().filename() == std::to_string(getpid())) continue;
    ++others;
    const std::string status = base::file_content(task.path() / "status");
    const auto blocked = std::stoull(status.substr(status.find("SigBlk:") + 8, 16), nullptr, 16);
    EXPECT_NE(blocked >> (SIGTERM - 1) & 1, 0u);
    EXPECT_NE(blocked >> (SIGUSR1 - 1) & 1, 0u);
  }
  EXPECT_EQ(others, 1);
}

}  // namespace
}  // namespace spottrain
