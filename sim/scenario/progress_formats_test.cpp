// The reports that the formats read from logs in the form in which programs print them, with
// carriage returns and escape sequences.
#include "sim/scenario/progress_formats.h"

#include <gtest/gtest.h>

#include "sim/scenario/progress_job_for_test.h"

namespace sim::scenario {
namespace {

using scenario::test::Job, scenario::test::Reports;

constexpr std::string_view kKeras2 =
    "Epoch 1/2\n"
    "\r1/3 [=========>....................] - ETA: 4s - loss: 2.3026"
    "\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b"
    "\r2/3 [===================>..........] - ETA: 2s - loss: 2.1134\b\b\b\b\b\b\b\b\b\b\b\b"
    "\r3/3 [==============================] - 6s 2s/step - loss: 2.0010 - val_loss: 1.9001\n"
    "\nEpoch 00001: saving model to cp-0001.h5\n"
    "Epoch 2/2\n"
    "\r1/3 [=========>....................] - ETA: 4s - loss: 1.8\b\b\b\b"
    "\r3/3 [==============================] - 6s 2s/step - loss: 1.7 - val_loss: 1.6\n"
    "\nEpoch 00002: val_loss improved from 1.90010 to 1.60000, saving model to cp-0002.h5\n"
    "\r1/7 [===>..........................] - ETA: 0s - loss: 1.61\b\b\b\b"
    "\r7/7 [==============================] - 0s 2ms/step - loss: 1.60\n";

TEST(ProgressFormats, Keras2) {
  Job job("keras");
  EXPECT_EQ(job.reads(kKeras2),
            (Reports{"start 0", "step 1", "step 2", "step 3", "checkpoint-written 3 /cp-0001.h5",
                     "step 4", "step 6", "finished 6", "checkpoint-written 6 /cp-0002.h5"}));
  EXPECT_EQ(job.total, 6);
}

TEST(ProgressFormats, Keras3AndVerbose2) {
  EXPECT_EQ(
      Job("keras").reads(
          "Epoch 1/2\n"
          "\r\x1b[1m1/2\x1b[0m \x1b[32m━━━━━━━━━━\x1b[0m\x1b[37m━━━━━━━━━━\x1b[0m \x1b[1m1s\x1b[0m "
          "1s/step - accuracy: 0.1250 - loss: 2.3"
          "\r\x1b[1m2/2\x1b[0m \x1b[32m━━━━━━━━━━━━━━━━━━━━\x1b[0m\x1b[37m\x1b[0m \x1b[1m2s\x1b[0m "
          "1s/step - accuracy: 0.2 - loss: 2.2\nEpoch 2/2\n"
          "\r\x1b[1m2/2\x1b[0m \x1b[32m━━━━━━━━━━━━━━━━━━━━\x1b[0m\x1b[37m\x1b[0m \x1b[1m2s\x1b[0m "
          "1s/step - accuracy: 0.3 - loss: 2.1\n"),
      (Reports{"start 0", "step 1", "step 2", "step 4", "finished 4"}));
  EXPECT_EQ(Job("keras").reads("Epoch 1/2\n469/469 - 3s - loss: 0.26 - 3s/epoch - 6ms/step\n"
                               "Epoch 2/2\n469/469 - 2s - 5ms/step - loss: 0.11\n"),
            (Reports{"start 0", "step 469", "step 938", "finished 938"}));
}

// The output of TQDMProgressBar: a sanity check, the old epoch's bar at 0 before the next bar, and
// validation in a separate bar, with the cursor moved up.
constexpr std::string_view kLightning =
    "GPU available: True (cuda), used: True\n"
    "\rSanity Checking: |          | 0/? [00:00<?, ?it/s]"
    "\rSanity Checking DataLoader 0:  50%|█████     | 1/2 [00:00<00:00,  1.39it/s]"
    "\r                                                                           \r"
    "\rTraining: |          | 0/? [00:00<?, ?it/s]"
    "\rEpoch 0:   0%|          | 0/4 [00:00<?, ?it/s] "
    "\rEpoch 0:  25%|██▌       | 1/4 [00:05<00:15,  0.20it/s]"
    "\rEpoch 0:  25%|██▌       | 1/4 [00:05<00:15,  0.20it/s, v_num=0]"
    "\rEpoch 0:  50%|█████     | 2/4 [00:10<00:10,  0.20it/s, v_num=0]"
    "\rEpoch 0: 100%|██████████| 4/4 [00:20<00:00,  0.20it/s, v_num=0]\n"
    "\rValidation: |          | 0/? [00:00<?, ?it/s]\x1b[A\n"
    "\rValidation DataLoader 0: 100%|██████████| 2/2 [00:00<00:00, 11.4it/s]\x1b[A"
    "\r                                                                  \x1b[A"
    "\rEpoch 0: 100%|██████████| 4/4 [00:21<00:00,  0.19it/s, v_num=0, val_loss=2.25]"
    "Epoch 0, global step 4: 'val_loss' reached 2.25000 (best 2.25000), saving model to "
    "'/ckpt/epoch=0-step=4.ckpt' as top 1\n"
    "\rEpoch 0:   0%|          | 0/4 [00:00<?, ?it/s, v_num=0, val_loss=2.25]        "
    "\rEpoch 1:   0%|          | 0/4 [00:00<?, ?it/s, v_num=0, val_loss=2.25]"
    "\rEpoch 1:  25%|██▌       | 1/4 [00:05<00:15,  0.20it/s, v_num=0, val_loss=2.25]"
    "\rEpoch 1: 100%|██████████| 4/4 [00:20<00:00,  0.20it/s, v_num=0, val_loss=2.25]\n"
    "`Trainer.fit` stopped: `max_epochs=2` reached.\n"
    "\rTesting DataLoader 0: 100%|██████████| 4/4 [00:01<00:00,  3.20it/s]\n";

TEST(ProgressFormats, Lightning) {
  const Reports told{
      "start 0", "step 1", "step 2",    "step 4", "checkpoint-written 4 /ckpt/epoch=0-step=4.ckpt",
      "step 5",  "step 8", "finished 8"};
  EXPECT_EQ(Job("lightning").reads(kLightning), told);
  for (const std::size_t part : {1U, 7U, 50U})
    EXPECT_EQ(Job("lightning").reads(kLightning, part), told) << "in parts of " << part;
}

TEST(ProgressFormats, LightningThatContinuesInTheMiddleOfAnEpoch) {
  Job job("lightning");
  job.reads("\rEpoch 0:  75%|███████▌  | 3/4 [00:15<00:05,  0.20it/s, v_num=0]");
  EXPECT_EQ(job.reads("\rEpoch 0:   0%|          | 0/4 [00:00<?, ?it/s]"
                      "\rEpoch 0: 100%|██████████| 4/4 [00:05<00:00,  0.78it/s, v_num=1]"
                      "\rEpoch 1:  25%|██▌       | 1/4 [00:05<00:15,  0.20it/s, v_num=1]"),
            (Reports{"start 3", "step 4", "step 5"}));
}

TEST(ProgressFormats, Tqdm) {
  Job job("tqdm");
  EXPECT_EQ(job.reads("\r  0%|          | 0/100 [00:00<?, ?it/s]"
                      "\r  1%|          | 1/100 [00:05<08:15,  5.00s/it]"
                      "\r  3%|▎         | 3/100 [00:15<08:05,  5.00s/it, loss=2.3]\n"
                      "\reval:   0%|          | 0/10 [00:00<?, ?it/s]"
                      "\reval: 100%|██████████| 10/10 [00:01<00:00, 10.0it/s]\n"
                      "\r 50%|█████     | 50/100 [1:00:15<1:00:05,  1.00s/it, loss=2.3]"),
            (Reports{"start 0", "step 1", "step 3", "step 50"}));
  EXPECT_EQ(job.reads("\r 40%|████      | 40/100 [00:00<?, ?it/s]"
                      "\r 41%|████      | 41/100 [00:05<04:55,  5.00s/it]"
                      "\r100%|██████████| 100/100 [05:00<00:00,  5.00s/it]\n"
                      "\r100%|██████████| 100/100 [00:01<00:00,  100it/s]\n"),
            (Reports{"start 40", "step 41", "step 100", "finished 100"}))
      << "its `initial` is 40; another bar follows";
}

constexpr std::string_view kHuggingFace =
    "Map: 100%|██████████| 5000/5000 [00:01<00:00, 4210.18 examples/s]\n"
    "Some weights of BertForSequenceClassification were not initialized from the model\n"
    "\r  0%|          | 0/30 [00:00<?, ?it/s]\r  3%|▎         | 1/30 [00:02<01:00,  2.10s/it]"
    "\r 33%|███▎      | 10/30 [00:21<00:42,  2.11s/it]"
    "\r                                               \r\r 33%|███▎      | 10/30 [00:21<00:42,  "
    "2.11s/it]{'loss': 2.1032, 'learning_rate': 3.3e-05, 'epoch': 1.0}\n"
    "\r  0%|          | 0/4 [00:00<?, ?it/s]\x1b[A\n\r 50%|█████     | 2/4 [00:00<00:00,  "
    "4.02it/s]\x1b[A\n\r                                               \x1b[A"
    "\r 33%|███▎      | 10/30 [00:23<00:42,  2.11s/it]\n"
    "Saving model checkpoint to out/checkpoint-10\n";

TEST(ProgressFormats, HuggingFace) {
  Job job("huggingface");
  EXPECT_EQ(job.reads(kHuggingFace),
            (Reports{"start 0", "step 1", "step 10", "checkpoint-written 10 /out/checkpoint-10"}));
  const std::string_view rest =
      "\r  0%|          | 0/30 [00:00<?, ?it/s]\r 37%|███▋      | 11/30 [00:02<00:03,  5.2it/s]"
      "\r100%|██████████| 30/30 [00:42<00:00,  2.11s/it]\n"
      "{'train_runtime': 42.5, 'train_samples_per_second': 5.6, 'train_loss': 1.2, 'epoch': 3.0}\n"
      "\r100%|██████████| 30/30 [00:42<00:00,  1.42s/it]\n";
  Job second = job;
  EXPECT_EQ(second.reads(rest), (Reports{"start 10", "step 11", "step 30", "finished 30"}));
  EXPECT_EQ(job.reads("***** Running training *****\n  Total optimization steps = 30\n"
                      "  Continuing training from global step 10\n" +
                      std::string(rest)),
            (Reports{"start 10", "step 11", "step 30", "finished 30"}));
}

constexpr std::string_view kCaffe =
    "I1105 10:00:01.112233  1234 solver.cpp:56] Solver scaffolding done.\n"
    "I1105 10:00:01.112244  1234 caffe.cpp:248] Starting Optimization\n"
    "I1105 10:00:01.112250  1234 solver.cpp:272] Solving LeNet\n"
    "I1105 10:00:01.115000  1234 solver.cpp:330] Iteration 0, Testing net (#0)\n"
    "I1105 10:00:01.200000  1234 solver.cpp:218] Iteration 0 (0 iter/s, 0.08s/100 iters), loss = "
    "2.3\n"
    "I1105 10:00:01.200010  1234 solver.cpp:237]     Train net output #0: loss = 2.3 (* 1 = 2.3 "
    "loss)\n"
    "I1105 10:00:01.200020  1234 sgd_solver.cpp:105] Iteration 0, lr = 0.01\n"
    "I1105 10:08:21.200000  1234 solver.cpp:218] Iteration 100 (0.2 iter/s, 500s/100 iters), loss "
    "= 0.2\n"
    "I1105 10:16:41.200000  1234 solver.cpp:447] Snapshotting to binary proto file "
    "lenet_iter_200.caffemodel\n"
    "I1105 10:16:41.300000  1234 sgd_solver.cpp:273] Snapshotting solver state to binary proto "
    "file lenet_iter_200.solverstate\n"
    "I1105 10:16:42.000000  1234 solver.cpp:218] Iteration 200 (0.2 iter/s, 500s/100 iters), loss "
    "= 0.1\n";

TEST(ProgressFormats, Caffe) {
  Job job("caffe");
  EXPECT_EQ(job.reads(kCaffe), (Reports{"start 0", "step 100", "step 200",
                                        "checkpoint-written 200 /lenet_iter_200.solverstate"}));
  EXPECT_EQ(
      job.reads("I1105 11:00:01.1  1234 caffe.cpp:242] Resuming from lenet_iter_200.solverstate\n"
                "I1105 11:00:01.2  1234 sgd_solver.cpp:318] SGDSolver: restoring history\n"
                "I1105 11:00:01.3  1234 caffe.cpp:248] Starting Optimization\n"
                "I1105 11:00:01.4  1234 solver.cpp:330] Iteration 200, Testing net (#0)\n"
                "I1105 11:00:01.5  1234 solver.cpp:218] Iteration 200 (0 iter/s, 0s/100 iters), "
                "loss = 0.1\n"
                "I1105 11:08:21.5  1234 solver.cpp:310] Iteration 300, loss = 0.05\n"
                "I1105 11:08:21.6  1234 solver.cpp:315] Optimization Done.\n"
                "I1105 11:08:21.7  1234 caffe.cpp:259] Optimization Done.\n"),
      (Reports{"start 200", "step 300", "finished 300"}));
}

}  // namespace
}  // namespace sim::scenario
