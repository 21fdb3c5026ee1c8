#include "trainer/loop/train.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <system_error>

#include "policies/checkpoint/policy.h"
#include "trainer/checkpoint/codec.h"
#include "trainer/checkpoint/folder.h"
#include "trainer/data/cifar.h"
#include "trainer/loop/epoch_log.h"
#include "trainer/loop/progress.h"
#include "trainer/loop/stop.h"
#include "trainer/loop/trainer.h"

namespace spottrain {
namespace {

template <typename... Args>
void complain(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fprintf(stderr, "spottrain: %s\n", text.c_str());
}

DataSet read_for_small_cnn(const std::string& folder) {
  DataSet data = read_data_set(folder);
  const ImageShape shape = data.shape(), taken{kImageSide, kImageSide, kImageChannels};
  if (shape != taken || data.classes != kClasses || data.test.size() == 0) {
    throw DataError(fmt::format(
        "{}: {} images of {} x {} x {} in {} classes and {} test images, expected {} x {} x {} in "
        "{} classes and some",
        folder, data.format, shape.height, shape.width, shape.channels, data.classes,
        data.test.size(), taken.height, taken.width, taken.channels, kClasses));
  }
  return data;
}

Configuration configuration_of(const TrainRequest& request, const DataSet& data) {
  return {.model = std::string(kSmallCnn),
          .seed = request.seed,
          .batch_size = request.batch_size,
          .learning_rate = request.learning_rate,
          .momentum = request.momentum,
          .weight_decay = request.weight_decay,
          .schedule = request.schedule,
          .data_fingerprint = data.fingerprint};
}

void check(const TrainRequest& request) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(!request.checkpoints.empty(), "no folder for checkpoints: --checkpoints");
  require(request.epochs >= 1 && request.epochs <= 1'000'000, "--epochs: expected 1 to 1000000");
  require(request.batch_size >= 1 && request.batch_size <= 65'536, "--batch: expected 1 to 65536");
  require(request.keep >= 2, "--keep: expected at least 2, so that one damaged file loses nothing");
  require(request.threads >= 1 && request.threads <= 256, "--threads: expected 1 to 256");
  require(!request.max_steps || *request.max_steps >= 1, "--max-steps: expected at least 1");
  require(request.learning_rate > 0 && request.learning_rate < 1e6,
          "--learning-rate: expected above 0");
  require(request.momentum >= 0 && request.momentum < 1, "--momentum: expected 0 to below 1");
  require(request.weight_decay >= 0 && request.weight_decay < 1,
          "--weight-decay: expected 0 to below 1");
}

// One process's part of a training.
class Run {
 public:
  explicit Run(const TrainRequest& request)
      : request_(request),
        policies_(request.policy),
        data_(read_for_small_cnn(request.data)),
        trainer_(data_, configuration_of(request, data_), request.threads),
        folder_(request.checkpoints, request.keep),
        lines_(request.events),
        total_steps_(request.epochs * trainer_.steps_per_epoch()) {}

  ExitCode operator()(const StopReason& stop_reason);

 private:
  std::optional<std::string> resume();
  EpochLog open_log() const;
  void step();
  void end_epoch();
  bool checkpoint(const std::string& reason);
  ExitCode finish();

  const TrainRequest& request_;
  policies::CheckpointPolicies policies_;
  DataSet data_;
  Trainer trainer_;
  CheckpointFolder folder_;
  ProgressLines lines_;
  std::int64_t total_steps_;
  std::optional<EpochLog> log_;
  std::int64_t saved_step_ = 0;
  std::chrono::nanoseconds saved_at_{};
};

// Continues from the newest good checkpoint; its name, or empty when there is none.
std::optional<std::string> Run::resume() {
  const auto found = folder_.newest([&](const std::string& name, const std::string& why) {
    complain("CHECKPOINT REJECTED: {}: {}; trying the one before", name, why);
    lines_.write("checkpoint-rejected", {{"checkpoint", name}, {"why", why}});
  });
  saved_at_ = monotonic_now();
  if (!found) return {};
  try {
    trainer_.restore(found->checkpoint);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(
        fmt::format("{}/{} cannot be continued: {} (use its options, or another folder)",
                    request_.checkpoints, found->name, error.what()));
  }
  if (found->checkpoint.numeric_class != numeric_class()) {
    complain(
        "warning: {} was computed as '{}', this program computes as '{}': the training goes "
        "on, but not bit for bit",
        found->name, found->checkpoint.numeric_class, numeric_class());
  }
  saved_step_ = trainer_.step();
  return found->name;
}

EpochLog Run::open_log() const {
  const std::string file =
      request_.log.empty() ? request_.checkpoints + "/train.csv" : request_.log;
  return EpochLog(file, trainer_.step() / trainer_.steps_per_epoch());
}

void Run::step() {
  const auto begin = request_.step_time ? monotonic_now() : std::chrono::nanoseconds();
  trainer_.train_step();
  if (request_.step_time) sleep_until(begin + *request_.step_time);
  lines_.write("step", {{"step", trainer_.step()}});
  if (trainer_.step() % trainer_.steps_per_epoch() == 0) end_epoch();
}

void Run::end_epoch() {
  const EpochSums& sums = trainer_.epoch_sums();
  const std::int64_t epoch = trainer_.step() / trainer_.steps_per_epoch();
  const Schedule schedule(request_.schedule);
  const EpochRow row{
      .epoch = epoch,
      .step = trainer_.step(),
      .train_loss = sums.loss / static_cast<double>(sums.images),
      .train_accuracy = static_cast<double>(sums.correct) / static_cast<double>(sums.images),
      .test_accuracy = trainer_.test_accuracy(),
      .learning_rate = schedule.rate(request_.learning_rate, epoch - 1)};
  // Not fmt::print, which throws when nobody takes the output: a full log disk ends no training.
  const std::string text = fmt::format(
      "epoch {}/{}  step {}  loss {:.4f}  train {:.1f} %  test {:.1f} %\n", row.epoch,
      request_.epochs, row.step, row.train_loss, 100 * row.train_accuracy, 100 * row.test_accuracy);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  try {
    log_->append(row);
  } catch (const std::system_error& error) {
    complain("epoch {} is missing from the log: {}", epoch, error.what());
  }
  trainer_.start_epoch();
}

// True when the checkpoint of this step is durable. An error is told, and the training goes on.
bool Run::checkpoint(const std::string& reason) {
  const std::int64_t step = trainer_.step();
  lines_.write("checkpoint-begin", {{"step", step}, {"reason", reason}});
  try {
    const std::uint64_t bytes = folder_.save(trainer_.snapshot());
    lines_.write("checkpoint-durable", {{"step", step}, {"bytes", bytes}});
  } catch (const std::system_error& error) {
    complain("CHECKPOINT FAILED at step {}: {}", step, error.what());
    lines_.write("checkpoint-failed", {{"step", step}, {"why", error.what()}});
    return false;
  }
  saved_step_ = step;
  saved_at_ = monotonic_now();
  try {
    folder_.rotate();
  } catch (const std::system_error& error) {
    complain("old checkpoints stay: {}", error.what());
  }
  return true;
}

ExitCode Run::finish() {
  const bool saved = saved_step_ == trainer_.step() || checkpoint("finished");
  if (!saved) return ExitCode::failed;
  lines_.write("finished", {{"step", trainer_.step()}});
  return ExitCode::finished;
}

ExitCode Run::operator()(const StopReason& stop_reason) {
  const auto resumed_from = resume();
  log_ = open_log();
  const Json step_seconds = request_.step_time
                                ? Json(std::chrono::duration<double>(*request_.step_time).count())
                                : Json();
  lines_.write("start", {{"step", trainer_.step()},
                         {"total_steps", total_steps_},
                         {"checkpoint", resumed_from ? Json(*resumed_from) : Json()},
                         {"step_seconds", step_seconds},
                         {"steps_per_epoch", trainer_.steps_per_epoch()}});
  const std::int64_t first = trainer_.step();
  while (trainer_.step() < total_steps_) {
    step();
    std::optional<std::string> stop = stop_reason();
    if (!stop && request_.max_steps == trainer_.step() - first) stop = "max-steps";
    const auto wanted = policies_.decide({.step = trainer_.step(),
                                          .steps_per_epoch = trainer_.steps_per_epoch(),
                                          .now = monotonic_now(),
                                          .last_checkpoint_step = saved_step_,
                                          .last_checkpoint_time = saved_at_,
                                          .notice = stop.has_value()});
    if (wanted && saved_step_ != trainer_.step()) checkpoint(wanted->policy);
    if (!stop || trainer_.step() >= total_steps_) continue;
    lines_.write("stop", {{"step", trainer_.step()}, {"reason", *stop}});
    return ExitCode::stopped;
  }
  return finish();
}

}  // namespace

ExitCode train(const TrainRequest& request, const StopReason& stop_reason) {
  try {
    check(request);
    Run run(request);
    return run(stop_reason);
  } catch (const std::invalid_argument& error) {
    complain("{}", error.what());
    return ExitCode::bad_input;
  } catch (const DataError& error) {
    complain("{}", error.what());
    return ExitCode::bad_input;
  } catch (const UnknownFormatVersion& error) {
    complain("{}", error.what());
    return ExitCode::bad_input;
  } catch (const std::system_error& error) {
    complain("{}", error.what());
    return ExitCode::failed;
  }
}

}  // namespace spottrain
