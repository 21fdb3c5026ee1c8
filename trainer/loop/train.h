// `spottrain train`: resumes, takes steps at a given pace, saves, reports and stops.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "trainer/checkpoint/saver.h"
#include "trainer/data/data_set.h"
#include "trainer/gang/communicator.h"
#include "trainer/loop/engines.h"
#include "trainer/loop/settings.h"
#include "trainer/spot/interruption_watch.h"

namespace spottrain {

struct TrainRequest {
  std::string data;              // folder (docs/data.md)
  std::string validation = "0";  // training images to hold out, as held_out_count() reads it
  std::string checkpoints;       // folder, made if it is missing, or s3://BUCKET/PREFIX
  Settings settings;
  Device device = Device::cpu;
  CpuEngine cpu = CpuEngine::automatic;
  std::string policy = "epoch,on-notice";
  std::optional<std::chrono::nanoseconds> step_time;  // a step takes at least this long
  int keep = 3;                                       // number of newest checkpoints; at least 2
  int keep_best = 1;  // those with the highest accuracy on validation or else test images
  Saver::Mode checkpoint_mode = Saver::Mode::sync;
  std::string log;      // CSV file; empty: train.csv beside them, none in a bucket
  std::string metrics;  // the same as lines of JSON; empty: none
  int threads = 1;
  std::optional<std::int64_t> max_steps;      // in this process
  std::string events;                         // file or FIFO for progress lines; empty: none
  InterruptionSources interruptions;          // polled after every step
  std::chrono::nanoseconds notice_reserve{};  // the part of a notice that the caller needs
  std::string model_folder;  // gets a copy of the finished training's checkpoint; empty: none
  std::string failure_file;  // gets the error, for the program that runs the job; empty: none
};

enum class ExitCode : int {
  finished = 0,   // all epochs are done and the last checkpoint is durable
  failed = 1,     // the last checkpoint could not be written, or another error of the machine
  bad_input = 2,  // options, data set, or a checkpoint of another training
  stopped = 75,   // a request to stop; the same command continues (EX_TEMPFAIL of sysexits.h)
  diverged = 76,  // the loss or the state is not finite; the last good checkpoint stays
};

// Trains to the end of the last epoch, or until a request to stop. Errors are printed on stderr.
// `gang` is null for a single process. In a gang, all ranks must call it with equal requests, and
// request.settings.ranks is the gang's size. An error then ends all ranks.
ExitCode train(const TrainRequest& request, Communicator* gang);

// Reads the request's data set, and holds out the requested number of training images. Throws
// DataError and std::invalid_argument.
DataSet read_data(const TrainRequest& request);

}  // namespace spottrain
