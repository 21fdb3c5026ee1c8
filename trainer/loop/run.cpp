#include "trainer/loop/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/files/whole_file.h"
#include "base/progress_lines.h"
#include "client/s3_uri.h"
#include "policies/checkpoint/policy.h"
#include "trainer/checkpoint/folder.h"
#include "trainer/checkpoint/store.h"
#include "trainer/loop/complain.h"
#include "trainer/loop/epoch_log.h"
#include "trainer/loop/gang_run.h"
#include "trainer/loop/interruption_signals.h"
#include "trainer/loop/stop.h"
#include "trainer/loop/storages.h"
#include "trainer/loop/trainer.h"
#include "trainer/spot/meter.h"

namespace spottrain {
namespace {

using Json = nlohmann::ordered_json;

// Copies the checkpoint of the last step to the folder for the job's result, completely or not at
// all.
void export_model(Storage& checkpoints, std::int64_t step, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  constexpr std::string_view name = "model.safetensors";
  fs::create_directories(folder);
  fs::remove(folder / base::temporary_name(name));  // from a killed process
  base::PendingFile file(folder, name);
  file.write(checkpoints.read(checkpoint_name(step)));
  file.sync();
  file.publish();
  base::sync_folder(folder);
}

// A state with one value that is not finite is useless, because later steps spread it to all
// values.
void check_finite(const Checkpoint& checkpoint) {
  const auto& values = checkpoint.values;
  const auto bad = std::ranges::find_if_not(values, [](float v) { return std::isfinite(v); });
  if (bad == values.end()) return;
  auto place = static_cast<std::size_t>(bad - values.begin());
  for (const Tensor& tensor : checkpoint.tensors) {
    if (place < tensor.size())
      throw Diverged(fmt::format("after step {} {} of {} is {}: the training has diverged",
                                 checkpoint.step, place, tensor.name, *bad));
    place -= tensor.size();
  }
}

// Parses policies. They may need only values that a training program has.
policies::CheckpointPolicies told_here(const std::string& text) {
  using policies::Input;
  std::vector<Input> supplied(std::begin(Meter::kSupplied), std::end(Meter::kSupplied));
  supplied.insert(supplied.end(), {Input::remaining_work, Input::since_launch, Input::time_left});
  policies::CheckpointPolicies policies(text);
  policies.require(supplied);
  return policies;
}

// One process's part of a training.
class Run {
 public:
  Run(const TrainRequest& request, Communicator* gang)
      : request_(request),
        gang_(gang),
        policies_(told_here(request.policy)),
        data_(read_data(request)),
        trainer_(data_, request.settings, request.threads,
                 engine_factory(request.device, request.cpu, gang)),
        outside_(request.interruptions, request.max_steps, gang),
        folder_(storage_for_training(request.checkpoints),
                {.newest = request.keep, .best = request.keep_best}),
        saver_(folder_, request.checkpoint_mode,
               [this](Checkpoint& checkpoint) {
                 trainer_.snapshot(checkpoint);
                 checkpoint.metric = accuracy_;
                 check_finite(checkpoint);
               }),
        lines_("trainer", request.events, base::ProgressLines::WhenFull::kWait,
               [](const std::string& what) { complain("{}", what); }),
        total_steps_(trainer_.total_steps()) {}

  ExitCode operator()();

 private:
  std::optional<std::string> resume();
  void open_logs();
  void step();
  void end_epoch();
  void checkpoint(const std::string& reason);
  void tell_saves();
  void await_saves();
  policies::CheckpointState state(const InterruptionSignals& told) const;
  ExitCode run();
  ExitCode stop(const Notice& notice);
  ExitCode finish();

  const TrainRequest& request_;
  Communicator* const gang_;  // null for a single process
  policies::CheckpointPolicies policies_;
  DataSet data_;
  Trainer trainer_;
  std::optional<double> accuracy_;  // of the present state, on validation or else test images
  Outside outside_;
  CheckpointFolder folder_;
  Saver saver_;
  base::ProgressLines lines_;
  std::int64_t total_steps_;
  std::int64_t first_ = 0;  // the step from which this process continued
  Meter meter_;
  std::chrono::nanoseconds began_ = monotonic_now();
  // The time from 1970 to the origin of monotonic_now(), by the machine's clock at the start.
  std::chrono::nanoseconds before_the_clock_ =
      std::chrono::system_clock::now().time_since_epoch() - began_;
  std::chrono::nanoseconds stall_{};  // of the last save
  std::vector<EpochLog> logs_;

  struct Save {
    std::int64_t step = 0;
    std::chrono::nanoseconds at{};
  };
  Save durable_, asked_for_;  // the last ones; they differ while a save is in progress
};

// Continues from the newest valid checkpoint and returns its name. Empty if there is none.
std::optional<std::string> Run::resume() {
  for (const std::int64_t step : list_checkpoints(folder_.storage()).unfinished) {
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
        fmt::format("{}/{} cannot be continued: {} (use its options, or another place)",
                    request_.checkpoints, found->name, error.what()));
  }
  if (found->checkpoint.numeric_class != trainer_.numeric_class()) {
    complain(
        "warning: {} was computed as '{}', this program computes as '{}': the training goes "
        "on, but not bit for bit",
        found->name, found->checkpoint.numeric_class, trainer_.numeric_class());
  }
  durable_.step = asked_for_.step = trainer_.step();
  return found->name;
}

void Run::open_logs() {
  const std::int64_t epochs =
      trainer_.step() / trainer_.steps_per_epoch() - (trainer_.epoch_ended() ? 1 : 0);
  // In a bucket there is no log, because objects cannot grow.
  const std::string csv = !request_.log.empty() ? request_.log
                          : client::parse_s3_uri(request_.checkpoints)
                              ? ""
                              : request_.checkpoints + "/train.csv";
  if (!csv.empty()) logs_.emplace_back(csv, LogFormat::csv, epochs);
  if (!request_.metrics.empty()) {
    logs_.emplace_back(request_.metrics, LogFormat::json_lines, epochs);
  }
}

void Run::step() {
  const auto begin = monotonic_now();
  trainer_.train_step();
  accuracy_.reset();
  if (request_.step_time) sleep_until(begin + *request_.step_time);
  meter_.stepped(monotonic_now() - begin);
  if (!std::isfinite(trainer_.epoch_sums().loss))
    throw Diverged(fmt::format("the loss of step {} is no finite number: the training has diverged",
                               trainer_.step()));
  lines_.write("step", {{"step", trainer_.step()}});
}

// Evaluates the epoch and writes its row. If a notice interrupts the evaluation, the process that
// continues writes the row.
void Run::end_epoch() {
  bool whole = true;
  const auto go_on = [&] { return whole = whole && !outside_.between_batches().notice; };
  const auto validation_accuracy = trainer_.accuracy(data_.validation, go_on);
  const auto test_accuracy = trainer_.accuracy(data_.test, go_on);
  if (!whole) return;
  const EpochSums& sums = trainer_.epoch_sums();
  const EpochRow row{
      .epoch = trainer_.step() / trainer_.steps_per_epoch(),
      .step = trainer_.step(),
      .train_loss = sums.loss / static_cast<double>(sums.images),
      .train_accuracy = static_cast<double>(sums.correct) / static_cast<double>(sums.images),
      .validation_accuracy = validation_accuracy,
      .test_accuracy = test_accuracy,
      .learning_rate = trainer_.learning_rate(trainer_.step() - 1)};
  accuracy_ = row.validation_accuracy ? row.validation_accuracy : row.test_accuracy;
  std::string text =
      fmt::format("epoch {}/{}  step {}  loss {:.4f}  train {:.1f} %", row.epoch,
                  request_.settings.epochs, row.step, row.train_loss, 100 * row.train_accuracy);
  if (row.validation_accuracy) {
    text += fmt::format("  validation {:.1f} %", 100 * *row.validation_accuracy);
  }
  if (row.test_accuracy) text += fmt::format("  test {:.1f} %", 100 * *row.test_accuracy);
  // fmt::print would throw if the output cannot be written, and a full log disk must not end a
  // training.
  std::puts(text.c_str());
  std::fflush(stdout);
  for (EpochLog& log : logs_) {
    try {
      log.append(row);
    } catch (const std::system_error& error) {
      complain("epoch {} is missing from the log: {}", row.epoch, error.what());
    }
  }
  trainer_.start_epoch();
}

// Saves. If the save fails, the error is reported and training continues.
void Run::checkpoint(const std::string& reason) {
  const std::int64_t step = trainer_.step();
  lines_.write("checkpoint-begin", {{"step", step}, {"reason", reason}});
  await_saves();
  const auto begin = monotonic_now();
  saver_.save();
  asked_for_ = {.step = step, .at = monotonic_now()};
  stall_ = asked_for_.at - begin;
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
    lines_.write("checkpoint-durable",
                 {{"step", outcome.step},
                  {"bytes", outcome.bytes},
                  {"path", folder_.storage().path_of(checkpoint_name(outcome.step))}});
    meter_.saved(stall_, outcome.took, outcome.bytes);
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
  if (!request_.model_folder.empty())
    export_model(folder_.storage(), trainer_.step(), request_.model_folder);
  lines_.write("finished", {{"step", trainer_.step()}});
  return ExitCode::finished;
}

policies::CheckpointState Run::state(const InterruptionSignals& told) const {
  const auto now = monotonic_now();
  policies::CheckpointState state{.step = trainer_.step(),
                                  .steps_per_epoch = trainer_.steps_per_epoch(),
                                  .now = before_the_clock_ + now,
                                  .last_checkpoint_step = asked_for_.step,
                                  .last_checkpoint_time = before_the_clock_ + asked_for_.at,
                                  .persisting = durable_.step != asked_for_.step,
                                  .notice = told.notice.has_value(),
                                  .rebalance = told.rebalance};
  meter_.fill(state);
  if (state.step_time) state.remaining_work = *state.step_time * (total_steps_ - state.step);
  // The instance's age is unknown. This process probably started soon after the instance.
  state.since_launch = now - began_;
  if (told.notice && told.notice->deadline) {
    state.time_left = *told.notice->deadline - request_.notice_reserve - now;
  }
  return state;
}

ExitCode Run::operator()() {
  const auto resumed_from = resume();
  if (gang_ != nullptr) share_state(trainer_, *gang_);
  open_logs();
  const Json step_seconds = request_.step_time
                                ? Json(std::chrono::duration<double>(*request_.step_time).count())
                                : Json();
  lines_.write("start", {{"step", trainer_.step()},
                         {"total_steps", total_steps_},
                         {"checkpoint", resumed_from ? Json(*resumed_from) : Json()},
                         {"step_seconds", step_seconds},
                         {"steps_per_epoch", trainer_.steps_per_epoch()},
                         {"folder", folder_.storage().name()}});
  try {
    return run();
  } catch (const Diverged& error) {
    await_saves();
    lines_.write("diverged", {{"step", trainer_.step()}, {"why", error.what()}});
    throw;
  } catch (const policies::PolicyFailed& error) {
    if (asked_for_.step != trainer_.step()) checkpoint("policy failed");
    await_saves();
    throw;
  }
}

ExitCode Run::run() {
  first_ = trainer_.step();
  while (trainer_.step() < total_steps_ || trainer_.epoch_ended()) {
    if (!trainer_.epoch_ended()) step();
    if (trainer_.epoch_ended()) end_epoch();
    tell_saves();
    const InterruptionSignals told = outside_.after_step(trainer_.step() - first_);
    const auto wanted = policies_.decide(state(told));
    if (wanted && asked_for_.step != trainer_.step()) checkpoint(wanted->policy);
    if (trainer_.step() >= total_steps_ && !trainer_.epoch_ended()) break;
    if (told.notice) return stop(*told.notice);
    const bool in_flight = durable_.step != asked_for_.step;
    if (wanted && in_flight) lines_.write("checkpoint-snapshot", {{"step", trainer_.step()}});
  }
  return finish();
}

ExitCode Run::stop(const Notice& notice) {
  await_saves();
  std::string left;
  if (notice.deadline) {
    const auto seconds = std::chrono::duration<double>(*notice.deadline - monotonic_now()).count();
    left = fmt::format(", {:.0f} s before the end", seconds);
  }
  complain("stopped at step {} by {}{}; saved up to step {}", trainer_.step(), notice.reason, left,
           durable_.step);
  lines_.write("stop", {{"step", trainer_.step()}, {"reason", notice.reason}});
  return ExitCode::stopped;
}

}  // namespace

ExitCode run_training(const TrainRequest& request, Communicator* gang) {
  return Run(request, gang)();
}

}  // namespace spottrain
