// `spottrain train`: resume, step, pace, save, report, stop.
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
  std::string checkpoints;       // folder, made when missing, or s3://BUCKET/PREFIX
  Settings settings;
  Device device = Device::cpu;
  CpuEngine cpu = CpuEngine::automatic;
  std::string policy = "epoch,on-notice";
  std::optional<std::chrono::nanoseconds> step_time;  // a step takes at least this long
  int keep = 3;                                       // the newest checkpoints; at least 2
  int keep_best = 1;  // and those with the highest accuracy on validation or else test images
  Saver::Mode checkpoint_mode = Saver::Mode::sync;
  std::string log;      // CSV file; empty: train.csv beside them, none in a bucket
  std::string metrics;  // the same as lines of JSON; empty: none
  int threads = 1;
  std::optional<std::int64_t> max_steps;      // in this process
  std::string events;                         // file or FIFO for progress lines; empty: none
  InterruptionSources interruptions;          // asked after every step
  std::chrono::nanoseconds notice_reserve{};  // before a notice's end, for who runs this program
  std::string model_folder;  // gets a copy of the finished training's checkpoint; empty: none
  std::string failure_file;  // gets what went wrong, for whoever runs the job; empty: none
};

enum class ExitCode : int {
  finished = 0,   // all epochs are done and the last checkpoint is durable
  failed = 1,     // the last checkpoint could not be written, or another error of the machine
  bad_input = 2,  // options, data set, or a checkpoint of another training
  stopped = 75,   // told to stop; the same command continues (EX_TEMPFAIL of sysexits.h)
  diverged = 76,  // the loss or the state is no number any more; the last good checkpoint stays
};

// Trains until the last epoch's end or until a request to stop. Errors are printed on stderr. In a
// gang all ranks call it with equal requests, and request.settings.ranks is its size; an error then
// ends all of them. `gang` is null for a process alone.
ExitCode train(const TrainRequest& request, Communicator* gang);

// The request's data set, with as many training images held out as it asks for. Throws DataError,
// or std::invalid_argument.
DataSet read_data(const TrainRequest& request);

}  // namespace spottrain
