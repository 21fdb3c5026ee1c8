// `spottrain train`: resume, step, pace, save, report, stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "trainer/checkpoint/saver.h"

namespace spottrain {

struct TrainRequest {
  std::string data;         // folder in CIFAR-10's binary format
  std::string checkpoints;  // folder; made when missing
  std::int64_t epochs = 10;
  std::int64_t batch_size = 32;
  std::string policy = "epoch,on-notice";
  std::optional<std::chrono::nanoseconds> step_time;  // a step takes at least this long
  std::uint64_t seed = 1;
  double learning_rate = 0.01, momentum = 0.9, weight_decay = 5e-4;
  std::string schedule = "constant";
  int keep = 3;       // the newest checkpoints; at least 2
  int keep_best = 1;  // and those with the highest test accuracy
  Saver::Mode checkpoint_mode = Saver::Mode::sync;
  std::string log;  // CSV file; empty: train.csv beside the checkpoints
  int threads = 1;
  std::optional<std::int64_t> max_steps;  // in this process
  std::string events;                     // file or FIFO for progress lines; empty: none
};

enum class ExitCode : int {
  finished = 0,   // all epochs are done and the last checkpoint is durable
  failed = 1,     // the last checkpoint could not be written, or another error of the machine
  bad_input = 2,  // options, data set, or a checkpoint of another training
  stopped = 75,   // told to stop; the same command continues (EX_TEMPFAIL of sysexits.h)
};

// Asked after every step: why to stop, empty for going on.
using StopReason = std::function<std::optional<std::string>()>;

// Trains until the last epoch's end or until told to stop. Errors are told on stderr.
ExitCode train(const TrainRequest& request, const StopReason& stop_reason);

}  // namespace spottrain
