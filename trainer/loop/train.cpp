#include "trainer/loop/train.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <system_error>

#include "policies/checkpoint/policy.h"
#include "trainer/checkpoint/damage.h"
#include "trainer/checkpoint/folder.h"
#include "trainer/checkpoint/store.h"
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

Settings settings_of(const TrainRequest& request) {
  return {.model = std::string(kSmallCnn),
          .seed = request.seed,
          .batch_size = request.batch_size,
          .learning_rate = request.learning_rate,
          .momentum = request.momentum,
          .weight_decay = request.weight_decay,
          .schedule = request.schedule};
}

void check(const TrainRequest& request) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(!request.checkpoints.empty(), "no folder for checkpoints: --checkpoints");
  require(request.epochs >= 1 && request.epochs <= 1'000'000, "--epochs: expected 1 to 1000000");
  require(request.batch_size >= 1 && request.batch_size <= 65'536, "--batch: expected 1 to 65536");
  require(request.keep >= 2, "--keep: expected at least 2, so that one damaged file loses nothing");
  require(request.keep_best >= 0 && request.keep_best <= 1000, "--keep-best: expected 0 to 1000");
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
        trainer_(data_, settings_of(request), request.threads),
        folder_(request.checkpoints, {.newest = request.keep, .best = request.keep_best}),
        saver_(folder_, request.checkpoint_mode,
               [this](Checkpoint& checkpoint) {
                 trainer_.snapshot(checkpoint);
                 checkpoint.metric = accuracy_;
               }),
        lines_(request.events),
        total_steps_(request.epochs * trainer_.steps_per_epoch()) {}

  ExitCode operator()(const StopReason& stop_reason);

 private:
  std::optional<std::string> resume();
  EpochLog open_log() const;
  void step();
  void end_epoch();
  void checkpoint(const std::string& reason);
  void tell_saves();
  void await_saves();
  ExitCode finish();

  const TrainRequest& request_;
  policies::CheckpointPolicies policies_;
  DataSet data_;
  Trainer trainer_;
  std::optional<double> accuracy_;  // of the state at hand, on the test images
  CheckpointFolder folder_;
  Saver saver_;
  ProgressLines lines_;
  std::int64_t total_steps_;
  std::optional<EpochLog> log_;

  struct Save {
    std::int64_t step = 0;
    std::chrono::nanoseconds at{};
  };
  Save durable_, asked_for_;  // the last ones; they differ while one is being written
};

// Continues from the newest good checkpoint; its name, or empty when there is none.
std::optional<std::string> Run::resume() {
  for (const std::int64_t step : list_checkpoints(request_.checkpoints).unfinished) {
    complain("{} has no manifest, so its writing did not end, or the manifest is lost: not used",
             checkpoint_name(step));
  }
  const auto found = folder_.newest([&](const std::string& name, const std::string& why) {
    complain("CHECKPOINT REJECTED: {}: {}; trying the one before", name, why);
    lines_.write("checkpoint-rejected", {{"checkpoint", name}, {"why", why}});
  });
  durable_ = asked_for_ = {.step = 0, .at = monotonic_now()};
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
  durable_.step = asked_for_.step = trainer_.step();
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
  accuracy_.reset();
  if (request_.step_time) sleep_until(begin + *request_.step_time);
  lines_.write("step", {{"step", trainer_.step()}});
  if (trainer_.step() % trainer_.steps_per_epoch() == 0) end_epoch();
}

void Run::end_epoch() {
  const EpochSums& sums = trainer_.epoch_sums();
  const std::int64_t epoch = trainer_.step() / trainer_.steps_per_epoch();
  const Schedule schedule(request_.schedule);
  accuracy_ = trainer_.test_accuracy();
  const EpochRow row{
      .epoch = epoch,
      .step = trainer_.step(),
      .train_loss = sums.loss / static_cast<double>(sums.images),
      .train_accuracy = static_cast<double>(sums.correct) / static_cast<double>(sums.images),
      .test_accuracy = *accuracy_,
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

// An error is told, and the training goes on.
void Run::checkpoint(const std::string& reason) {
  const std::int64_t step = trainer_.step();
  lines_.write("checkpoint-begin", {{"step", step}, {"reason", reason}});
  await_saves();
  saver_.save();
  asked_for_ = {.step = step, .at = monotonic_now()};
  tell_saves();
}

void Run::tell_saves() {
  for (const Saver::Outcome& outcome : saver_.outcomes()) {
    if (!outcome.error.empty()) {
      complain("CHECKPOINT FAILED at step {}: {}", outcome.step, outcome.error);
      lines_.write("checkpoint-failed", {{"step", outcome.step}, {"why", outcome.error}});
      asked_for_ = durable_;
      continue;
    }
    lines_.write("checkpoint-durable", {{"step", outcome.step}, {"bytes", outcome.bytes}});
    durable_ = asked_for_;
    if (!outcome.not_rotated.empty()) complain("old checkpoints stay: {}", outcome.not_rotated);
  }
}

void Run::await_saves() {
  saver_.wait();
  tell_saves();
}

ExitCode Run::finish() {
  await_saves();
  if (durable_.step != trainer_.step()) checkpoint("finished");
  await_saves();
  if (durable_.step != trainer_.step()) return ExitCode::failed;
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
    tell_saves();
    std::optional<std::string> stop = stop_reason();
    if (!stop && request_.max_steps == trainer_.step() - first) stop = "max-steps";
    const auto wanted = policies_.decide({.step = trainer_.step(),
                                          .steps_per_epoch = trainer_.steps_per_epoch(),
                                          .now = monotonic_now(),
                                          .last_checkpoint_step = asked_for_.step,
                                          .last_checkpoint_time = asked_for_.at,
                                          .notice = stop.has_value()});
    if (wanted && asked_for_.step != trainer_.step()) checkpoint(wanted->policy);
    if (trainer_.step() >= total_steps_) break;
    if (stop) {
      await_saves();
      lines_.write("stop", {{"step", trainer_.step()}, {"reason", *stop}});
      return ExitCode::stopped;
    }
    const bool in_flight = durable_.step != asked_for_.step;
    if (wanted && in_flight) lines_.write("checkpoint-snapshot", {{"step", trainer_.step()}});
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
