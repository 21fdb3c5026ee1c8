// Lines of real runs, as people quoted them in public bug reports. The other samples
// (progress_formats_test.cpp) imitate such lines to cover all cases of a format.
#include <gtest/gtest.h>

#include "sim/scenario/progress_job_for_test.h"

namespace sim::scenario {
namespace {

using scenario::test::Job, scenario::test::Reports;

// Lightning-AI/pytorch-lightning#4225.
TEST(CapturedLogs, LightningOnATerminal) {
  EXPECT_EQ(
      Job("lightning")
          .reads(
              "\rTraining: 0it [00:00, ?it/s]"
              "\rTraining:   0%|          | 0/18 [00:00<?, ?it/s]"
              "\rEpoch 0:   0%|          | 0/18 [00:00<?, ?it/s] "
              "\rEpoch 0:   6%|▌         | 1/18 [00:08<02:29,  8.77s/it]"
              "\rEpoch 0:   6%|▌         | 1/18 [00:08<02:29,  8.77s/it, loss=10.473, v_num=193315]"
              "\rEpoch 0:  11%|█         | 2/18 [00:11<01:33,  5.82s/it, loss=10.473, v_num=193315]"
              "\rEpoch 0:  11%|█         | 2/18 [00:11<01:33,  5.82s/it, loss=10.224, v_num=193315]"
              "\rEpoch 0:  17%|█▋        | 3/18 [00:14<01:13,  4.87s/it, loss=10.224, "
              "v_num=193315]"),
      (Reports{"start 0", "step 1", "step 2", "step 3"}));
}

// Lightning-AI/pytorch-lightning#3866: in a notebook the bar itself is a picture.
TEST(CapturedLogs, LightningInANotebook) {
  EXPECT_EQ(Job("lightning")
                .reads("Epoch 0:  97% 1651/1702 [13:00<00:24,  2.11it/s, loss=0.158, v_num=0, "
                       "train_loss=0.149]\n"
                       "Epoch 0:  97% 1652/1702 [13:01<00:23,  2.11it/s, loss=0.158, v_num=0, "
                       "train_loss=0.149]\n"
                       "Epoch 0:  97% 1653/1702 [13:01<00:23,  2.12it/s, loss=0.158, v_num=0, "
                       "train_loss=0.149]\n"),
            (Reports{"start 0", "step 1651", "step 1652", "step 1653"}));
}

// Lightning-AI/pytorch-lightning#14428: the bar is drawn once more after the last line.
TEST(CapturedLogs, LightningsEnd) {
  EXPECT_EQ(Job("lightning")
                .reads("\rEpoch 0: 100%|██████████| 100/100 [00:00<00:00, 324.18it/s, loss=0.0663, "
                       "v_num=13]\n"
                       "\n`Trainer.fit` stopped: `max_epochs=1` reached.\n"
                       "\n\rEpoch 0: 100%|██████████| 100/100 [00:00<00:00, 318.34it/s, "
                       "loss=0.0663, v_num=13]\n"),
            (Reports{"start 0", "step 100", "finished 100"}));
}

// tensorflow/tensorflow#36332.
TEST(CapturedLogs, Keras2) {
  EXPECT_EQ(
      Job("keras").reads(
          "Epoch 1/1\n"
          "\r61/82 [=====================>........] - ETA: 37s - loss: 0.6016 - accuracy: 0.9260"
          "\r62/82 [=====================>........] - ETA: 35s - loss: 0.5919 - accuracy: 0.9272"
          "\r63/82 [======================>.......] - ETA: 33s - loss: 0.5825 - accuracy: 0.9284"),
      (Reports{"start 0", "step 61", "step 62", "step 63"}));
}

// BVLC/caffe#361, of 2014.
TEST(CapturedLogs, Caffe2014) {
  EXPECT_EQ(
      Job("caffe").reads(
          "I0425 10:12:49.611122  9167 solver.cpp:65] Iteration 180, loss = 6.55607\n"
          "I0425 10:13:04.672341  9167 solver.cpp:208] Iteration 200, lr = 0.01\n"
          "I0425 10:13:04.672637  9167 solver.cpp:65] Iteration 200, loss = 6.55622\n"
          "I0425 10:13:04.978760  9167 solver.cpp:130] Snapshotting to "
          "caffe_dishll_train_iter_200\n"
          "I0425 10:13:05.657246  9167 solver.cpp:137] Snapshotting solver state to "
          "caffe_dishll_train_iter_200.solverstate\n"
          "I0425 10:13:21.205826  9167 solver.cpp:208] Iteration 220, lr = 0.01\n"
          "I0425 10:13:21.206111  9167 solver.cpp:65] Iteration 220, loss = nan\n"),
      (Reports{"start 0", "step 180", "step 200",
               "checkpoint-written 200 /caffe_dishll_train_iter_200.solverstate", "step 220"}));
}

// NVIDIA/DIGITS#1509 and deepsemantic/image_captioning#9.
TEST(CapturedLogs, Caffe2017) {
  EXPECT_EQ(Job("caffe").reads(
                "I0405 17:06:05.492156 10805 sgd_solver.cpp:106] Iteration 9875, lr = 0.0001\n"
                "I0405 17:13:14.043082 10805 solver.cpp:479] Snapshotting to binary proto file "
                "snapshot_iter_10000.caffemodel\n"
                "I0405 17:13:14.143343 10805 sgd_solver.cpp:273] Snapshotting solver state to "
                "binary proto "
                "file snapshot_iter_10000.solverstate\n"
                "I0405 17:13:14.218802 10805 solver.cpp:362] Iteration 10000, Testing net (#0)\n"
                "I0405 17:13:46.300063 10805 solver.cpp:429]     Test net output #0: loss_bbox = 0 "
                "(* 2 = 0 "
                "loss)\n"
                "I0405 17:13:49.741511 10805 solver.cpp:242] Iteration 10000 (0.269248 iter/s, "
                "464.257s/125 "
                "iter), loss = 6.53009e-06\n"),
            (Reports{"start 0", "step 9875", "step 10000",
                     "checkpoint-written 10000 /snapshot_iter_10000.solverstate"}));
  EXPECT_EQ(
      Job("caffe").reads(
          "I0121 23:47:45.034051  6967 solver.cpp:734] Snapshotting solver state to binary proto "
          "file./examples/flickr8K/trained_models/lrcn20160121_iter_110000.solverstate\n"
          "I0121 23:47:47.449722  6967 solver.cpp:326] Iteration 110000, loss = 36.1393\n"),
      (Reports{"start 0", "step 110000",
               "checkpoint-written 110000 "
               "/examples/flickr8K/trained_models/lrcn20160121_iter_110000.solverstate"}));
}

}  // namespace
}  // namespace sim::scenario
