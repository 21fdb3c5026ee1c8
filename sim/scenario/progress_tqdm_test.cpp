// The output of tqdm 4.64.1 (Debian's python3-tqdm) to a pipe, byte for byte.
#include <gtest/gtest.h>

#include "sim/scenario/progress_job_for_test.h"

namespace sim::scenario {
namespace {

using scenario::test::Job, scenario::test::Reports;

// tqdm(total=3, desc="train") with set_postfix(), then another bar.
constexpr std::string_view kPostfix =
    "\rtrain:   0%|          | 0/3 [00:00<?, ?it/s]"
    "\rtrain:   0%|          | 0/3 [00:00<?, ?it/s, loss=2.3]"
    "\rtrain:  33%|███▎      | 1/3 [00:00<00:00,  9.06it/s, loss=2.3]"
    "\rtrain:  33%|███▎      | 1/3 [00:00<00:00,  9.06it/s, loss=2.2]"
    "\rtrain:  67%|██████▋   | 2/3 [00:00<00:00,  9.05it/s, loss=2.2]"
    "\rtrain:  67%|██████▋   | 2/3 [00:00<00:00,  9.05it/s, loss=2.1]"
    "\rtrain: 100%|██████████| 3/3 [00:00<00:00,  9.05it/s, loss=2.1]"
    "\rtrain: 100%|██████████| 3/3 [00:00<00:00,  9.05it/s, loss=2.1]\n"
    "\reval:   0%|          | 0/2 [00:00<?, ?it/s]"
    "\reval:  50%|█████     | 1/2 [00:00<00:00,  8.32it/s]"
    "\reval: 100%|██████████| 2/2 [00:00<00:00,  8.31it/s]"
    "\reval: 100%|██████████| 2/2 [00:00<00:00,  8.30it/s]\n";

TEST(TqdmOnAPipe, HasADescriptionAndALoss) {
  const Reports told{"start 0", "step 1", "step 2", "step 3", "finished 3"};
  EXPECT_EQ(Job("tqdm").reads(kPostfix), told);
  for (const std::size_t part : {1U, 7U, 50U})
    EXPECT_EQ(Job("tqdm").reads(kPostfix, part), told) << "in parts of " << part;
}

// trange(2, desc="Epoch") around tqdm(range(3), desc="batch", leave=False).
constexpr std::string_view kNested =
    "\rEpoch:   0%|          | 0/2 [00:00<?, ?it/s]\n"
    "\rbatch:   0%|          | 0/3 [00:00<?, ?it/s]\x1b[A\n"
    "\rbatch:  33%|███▎      | 1/3 [00:00<00:00,  8.32it/s]\x1b[A\n"
    "\rbatch:  67%|██████▋   | 2/3 [00:00<00:00,  8.31it/s]\x1b[A\n"
    "\rbatch: 100%|██████████| 3/3 [00:00<00:00,  8.31it/s]\x1b[A\n"
    "\r                                                    \x1b[A"
    "\rEpoch:  50%|█████     | 1/2 [00:00<00:00,  2.77it/s]\n"
    "\rbatch:   0%|          | 0/3 [00:00<?, ?it/s]\x1b[A\n"
    "\rbatch:  33%|███▎      | 1/3 [00:00<00:00,  8.32it/s]\x1b[A\n"
    "\rbatch:  67%|██████▋   | 2/3 [00:00<00:00,  8.31it/s]\x1b[A\n"
    "\rbatch: 100%|██████████| 3/3 [00:00<00:00,  8.31it/s]\x1b[A\n"
    "\r                                                    \x1b[A"
    "\rEpoch: 100%|██████████| 2/2 [00:00<00:00,  2.77it/s]"
    "\rEpoch: 100%|██████████| 2/2 [00:00<00:00,  2.77it/s]\n";

TEST(TqdmOnAPipe, TheOuterOfTwoBarsCounts) {
  const Reports told{"start 0", "step 1", "step 2", "finished 2"};
  EXPECT_EQ(Job("tqdm").reads(kNested), told);
  for (const std::size_t part : {1U, 7U, 50U})
    EXPECT_EQ(Job("tqdm").reads(kNested, part), told) << "in parts of " << part;
}

TEST(TqdmOnAPipe, CountsThousands) {
  Job job("tqdm");
  EXPECT_EQ(job.reads("\r  0%|          | 0/3000 [00:00<?, ?it/s]"
                      "\r 50%|█████     | 1500/3000 [00:00<00:00, 4996.84it/s]"
                      "\r100%|██████████| 3000/3000 [00:00<00:00, 4983.98it/s]"
                      "\r100%|██████████| 3000/3000 [00:00<00:00, 4982.51it/s]\n"),
            (Reports{"start 0", "step 1500", "step 3000", "finished 3000"}));
  EXPECT_EQ(job.total, 3000);
}

// tqdm(range(40, 42), initial=40, total=42).
TEST(TqdmOnAPipe, ContinuesAfterItsInitialStep) {
  EXPECT_EQ(Job("tqdm").reads("\r 95%|█████████▌| 40/42 [00:00<?, ?it/s]"
                              "\r 98%|█████████▊| 41/42 [00:00<00:00,  9.07it/s]"
                              "\r100%|██████████| 42/42 [00:00<00:00,  9.06it/s]"
                              "\r100%|██████████| 42/42 [00:00<00:00,  9.05it/s]\n"),
            (Reports{"start 40", "step 41", "step 42", "finished 42"}));
}

// tqdm(total=900, initial=40, unit_scale=True).
TEST(TqdmOnAPipe, UnitScaleShowsDecimals) {
  EXPECT_EQ(Job("tqdm").reads("\r  4%|▍         | 40.0/900 [00:00<?, ?it/s]"
                              "\r  5%|▍         | 44.0/900 [00:00<00:23, 36.3it/s]"
                              "\r 11%|█         | 100/900 [00:00<00:02, 313it/s]  "
                              "\r100%|██████████| 900/900 [00:00<00:00, 3.48kit/s]"
                              "\r100%|██████████| 900/900 [00:00<00:00, 2.59kit/s]\n"),
            (Reports{"start 40", "step 44", "step 100", "step 900", "finished 900"}));
}

// tqdm(total=3000, unit_scale=True): the steps are rounded to tens.
TEST(TqdmOnAPipe, RoundedStepsAreNotRead) {
  EXPECT_EQ(Job("tqdm").reads("\r  0%|          | 0.00/3.00k [00:00<?, ?it/s]"
                              "\r 33%|███▎      | 1.00k/3.00k [00:00<00:00, 9.08kit/s]"
                              "\r 67%|██████▋   | 2.00k/3.00k [00:00<00:00, 9.07kit/s]"
                              "\r100%|██████████| 3.00k/3.00k [00:00<00:00, 9.06kit/s]"
                              "\r100%|██████████| 3.00k/3.00k [00:00<00:00, 9.06kit/s]\n"),
            Reports{});
}

// tqdm(range(3), desc=f"Epoch {epoch}"), with the keys that docs/foreign-jobs.md names.
constexpr std::string_view kEpochs =
    "\rEpoch 0:   0%|          | 0/3 [00:00<?, ?it/s]"
    "\rEpoch 0:  33%|███▎      | 1/3 [00:00<00:00,  8.32it/s]"
    "\rEpoch 0:  67%|██████▋   | 2/3 [00:00<00:00,  8.31it/s]"
    "\rEpoch 0: 100%|██████████| 3/3 [00:00<00:00,  8.30it/s]"
    "\rEpoch 0: 100%|██████████| 3/3 [00:00<00:00,  8.29it/s]\n"
    "\rEpoch 1:   0%|          | 0/3 [00:00<?, ?it/s]"
    "\rEpoch 1:  33%|███▎      | 1/3 [00:00<00:00,  8.32it/s]"
    "\rEpoch 1:  67%|██████▋   | 2/3 [00:00<00:00,  8.30it/s]"
    "\rEpoch 1: 100%|██████████| 3/3 [00:00<00:00,  8.29it/s]"
    "\rEpoch 1: 100%|██████████| 3/3 [00:00<00:00,  8.29it/s]\n";

TEST(TqdmOnAPipe, ABarForEachEpoch) {
  Job job("tqdm");
  job.rule.epoch = guest::LinePattern(R"(^Epoch (\d+):)");
  job.rule.first = 0;
  const Reports told{"start 0", "step 1", "step 2", "step 3", "step 4", "step 5", "step 6"};
  for (const std::size_t part : {1UL, 7UL, kEpochs.size()})
    EXPECT_EQ(Job(job).reads(kEpochs, part), told) << "in parts of " << part;
  job.reads(kEpochs);
  EXPECT_EQ(job.reads(kEpochs.substr(kEpochs.find("\rEpoch 1:"))),
            (Reports{"start 3", "step 4", "step 5", "step 6"}))
      << "another machine goes on with the second epoch";
  EXPECT_EQ(job.reads(kEpochs), told) << "a third one begins anew";
}

// tqdm(generator).
TEST(TqdmOnAPipe, WithoutATotalTheUsersOwnPatternReadsIt) {
  constexpr std::string_view kLog =
      "\r0it [00:00, ?it/s]"
      "\r1it [00:00,  8.32it/s]"
      "\r2it [00:00,  8.31it/s]"
      "\r2it [00:00,  8.30it/s]\n";
  EXPECT_EQ(Job("tqdm").reads(kLog), Reports{});
  Job job("tqdm");
  job.rule.step = guest::LinePattern(R"((\d+)it \[)");
  EXPECT_EQ(job.reads(kLog), (Reports{"start 0", "step 1", "step 2"}));
}

// The loop also calls tqdm.write().
TEST(TqdmOnAPipe, IsDrawnAgainAfterALine) {
  EXPECT_EQ(Job("tqdm").reads("\r  0%|          | 0/2 [00:00<?, ?it/s]"
                              "\r                                     "
                              "\rstep 0 loss 2.0\n"
                              "\r  0%|          | 0/2 [00:00<?, ?it/s]"
                              "\r 50%|█████     | 1/2 [00:00<00:00,  8.31it/s]"
                              "\r                                             "
                              "\rstep 1 loss 2.1\n"
                              "\r 50%|█████     | 1/2 [00:00<00:00,  8.31it/s]"
                              "\r100%|██████████| 2/2 [00:00<00:00,  8.30it/s]"
                              "\r100%|██████████| 2/2 [00:00<00:00,  8.30it/s]\n"),
            (Reports{"start 0", "step 1", "step 2", "finished 2"}));
}

TEST(TqdmOnAPipe, EndsWithAnException) {
  EXPECT_EQ(Job("tqdm").reads("\r  0%|          | 0/4 [00:00<?, ?it/s]"
                              "\r 25%|██▌       | 1/4 [00:00<00:00,  8.32it/s]"
                              "\r 50%|█████     | 2/4 [00:00<00:00,  8.31it/s]"
                              "\r 50%|█████     | 2/4 [00:00<00:00,  5.54it/s]\n"
                              "Traceback (most recent call last):\n"
                              "RuntimeError: CUDA out of memory\n"),
            (Reports{"start 0", "step 1", "step 2"}));
}

// Real bars that were driven as the Trainer of transformers 4.38 drives them. Its ProgressCallback
// updates tqdm(total=max_steps) after each step and writes each log with tqdm.write(). Evaluation
// has a second bar. No model was trained; the numbers in the logs are invented.
constexpr std::string_view kTrainer =
    "\r  0%|          | 0/4 [00:00<?, ?it/s]"
    "\r 25%|██▌       | 1/4 [00:00<00:00,  9.07it/s]"
    "\r 50%|█████     | 2/4 [00:00<00:00,  9.05it/s]"
    "\r                                             "
    "\r{'loss': 2.1, 'learning_rate': 5e-05, 'epoch': 0.6666666666666666}\n"
    "\r 50%|█████     | 2/4 [00:00<00:00,  9.05it/s]\n"
    "\r  0%|          | 0/2 [00:00<?, ?it/s]\x1b[A\n"
    "\r 50%|█████     | 1/2 [00:00<00:00,  9.06it/s]\x1b[A\n"
    "\r100%|██████████| 2/2 [00:00<00:00,  9.06it/s]\x1b[A"
    "\r                                             "
    "\r\n"
    "\r                                             "
    "\r\x1b[A{'eval_loss': 1.9, 'eval_runtime': 0.22, 'epoch': 0.6666666666666666}\n"
    "\r 50%|█████     | 2/4 [00:00<00:00,  9.05it/s]\n"
    "\r100%|██████████| 2/2 [00:00<00:00,  9.06it/s]\x1b[A\n"
    "\r                                             \x1b[A"
    "\r 75%|███████▌  | 3/4 [00:00<00:00,  4.72it/s]"
    "\r100%|██████████| 4/4 [00:00<00:00,  5.82it/s]"
    "\r                                             "
    "\r{'loss': 1.9, 'learning_rate': 5e-05, 'epoch': 1.3333333333333333}\n"
    "\r100%|██████████| 4/4 [00:00<00:00,  5.82it/s]\n"
    "\r  0%|          | 0/2 [00:00<?, ?it/s]\x1b[A\n"
    "\r 50%|█████     | 1/2 [00:00<00:00,  9.08it/s]\x1b[A\n"
    "\r100%|██████████| 2/2 [00:00<00:00,  9.07it/s]\x1b[A"
    "\r                                             "
    "\r\n"
    "\r                                             "
    "\r\x1b[A{'eval_loss': 1.9, 'eval_runtime': 0.22, 'epoch': 1.3333333333333333}\n"
    "\r100%|██████████| 4/4 [00:00<00:00,  5.82it/s]\n"
    "\r100%|██████████| 2/2 [00:00<00:00,  9.07it/s]\x1b[A\n"
    "\r                                             \x1b[A"
    "\r                                             "
    "\r{'train_runtime': 1.1, 'train_loss': 1.95, 'epoch': 2.0}\n"
    "\r100%|██████████| 4/4 [00:00<00:00,  5.82it/s]"
    "\r100%|██████████| 4/4 [00:00<00:00,  4.52it/s]\n";

TEST(TqdmOnAPipe, AsTheTrainerOfHuggingFaceDrivesIt) {
  const Reports told{"start 0", "step 1", "step 2", "step 3", "step 4", "finished 4"};
  EXPECT_EQ(Job("huggingface").reads(kTrainer), told);
  for (const std::size_t part : {1U, 7U, 50U})
    EXPECT_EQ(Job("huggingface").reads(kTrainer, part), told) << "in parts of " << part;
}

// Resumed from checkpoint-2: the bar begins at 0 and jumps.
TEST(TqdmOnAPipe, AsAResumedTrainerDrivesIt) {
  Job job("huggingface");
  job.reads(kTrainer.substr(0, kTrainer.find("\r 75%")));
  EXPECT_EQ(
      job.reads("\r  0%|          | 0/4 [00:00<?, ?it/s]"
                "\r 75%|███████▌  | 3/4 [00:00<00:00, 27.24it/s]"
                "\r                                             "
                "\r{'loss': 1.9, 'learning_rate': 5e-05, 'epoch': 1.3333333333333333}\n"
                "\r100%|██████████| 4/4 [00:00<00:00, 27.24it/s]\n"
                "\r  0%|          | 0/2 [00:00<?, ?it/s]\x1b[A\n"
                "\r 50%|█████     | 1/2 [00:00<00:00,  9.08it/s]\x1b[A\n"
                "\r100%|██████████| 2/2 [00:00<00:00,  9.07it/s]\x1b[A"
                "\r                                             "
                "\r\n"
                "\r                                             "
                "\r\x1b[A{'eval_loss': 1.9, 'eval_runtime': 0.22, 'epoch': 1.3333333333333333}\n"
                "\r100%|██████████| 4/4 [00:00<00:00, 27.24it/s]\n"
                "\r100%|██████████| 2/2 [00:00<00:00,  9.07it/s]\x1b[A\n"
                "\r                                             \x1b[A"
                "\r                                             "
                "\r{'train_runtime': 1.1, 'train_loss': 1.95, 'epoch': 2.0}\n"
                "\r100%|██████████| 4/4 [00:00<00:00, 27.24it/s]"
                "\r100%|██████████| 4/4 [00:00<00:00,  9.04it/s]\n"),
      (Reports{"start 2", "step 3", "step 4", "finished 4"}));
}

}  // namespace
}  // namespace sim::scenario
