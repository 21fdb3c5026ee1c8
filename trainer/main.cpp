// spottrain: the trainer's command line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "policies/checkpoint/duration.h"
#include "policies/checkpoint/policy.h"
#include "trainer/data/shapes.h"
#include "trainer/inspect.h"
#include "trainer/loop/stop.h"
#include "trainer/loop/train.h"

namespace {

using spottrain::TrainRequest;

const std::map<std::string, spottrain::Saver::Mode> kCheckpointModes{
    {"sync", spottrain::Saver::Mode::sync}, {"async", spottrain::Saver::Mode::async}};

constexpr int kBadUsage = static_cast<int>(spottrain::ExitCode::bad_input);

std::string policy_help() {
  std::string help = "When to checkpoint, a comma list of:";
  for (const policies::CheckpointPolicyKind& kind : policies::checkpoint_policy_kinds()) {
    help += fmt::format(" {}{}{} ({});", kind.name, kind.argument.empty() ? "" : ":", kind.argument,
                        kind.meaning);
  }
  help.pop_back();
  return help;
}

void add_train_options(CLI::App& command, TrainRequest& request) {
  // A script's own options may be overridden by those that it passes on.
  command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command.add_option("--data", request.data, "Folder with data_batch_*.bin and test_batch.bin")
      ->envname("DATA_DIR")
      ->required();
  command.add_option("--checkpoints", request.checkpoints, "Folder for checkpoints")
      ->envname("CHECKPOINT_DIR")
      ->required();
  command.add_option("--epochs", request.epochs, "Epochs in all")->capture_default_str();
  command.add_option("--batch", request.batch_size, "Images a step")->capture_default_str();
  command.add_option("--policy", request.policy, policy_help())->capture_default_str();
  command
      .add_option_function<std::string>(
          "--emulate-step-time",
          [&request](const std::string& text) {
            request.step_time = policies::parse_duration(text);
            if (!request.step_time) {
              throw CLI::ValidationError("--emulate-step-time",
                                         "'" + text + "': expected a duration such as 4.5s");
            }
          },
          "A step takes at least this long, as on the machine that is emulated")
      ->envname("EMULATE_STEP_TIME");
  command.add_option("--seed", request.seed, "Of weights and data order")->capture_default_str();
  command.add_option("--learning-rate", request.learning_rate)->capture_default_str();
  command.add_option("--momentum", request.momentum)->capture_default_str();
  command.add_option("--weight-decay", request.weight_decay)->capture_default_str();
  command
      .add_option("--schedule", request.schedule, "constant, or step:E:F, times F every E epochs")
      ->capture_default_str();
  command.add_option("--keep", request.keep, "Checkpoints to keep, at least 2")
      ->capture_default_str();
  command
      .add_option("--keep-best", request.keep_best,
                  "Checkpoints to keep besides, those with the highest test accuracy")
      ->capture_default_str();
  command
      .add_option("--checkpoint-mode", request.checkpoint_mode,
                  "sync: training stands still until a checkpoint is durable; async: until it is "
                  "copied, a thread writes it")
      ->transform(CLI::CheckedTransformer(kCheckpointModes))
      ->default_str("sync");
  command.add_option("--log", request.log, "CSV file, a row an epoch (train.csv in --checkpoints)");
  command.add_option("--threads", request.threads, "Any number gives the same bits")
      ->capture_default_str();
  command.add_option("--max-steps", request.max_steps, "Stop after this many, as if told to");
}

int run_train(TrainRequest request) {
  if (const char* events = std::getenv("JOB_EVENTS")) request.events = events;
  spottrain::install_stop_signals();
  return static_cast<int>(spottrain::train(request, spottrain::stop_signal));
}

int run_synthesize(const std::string& folder, std::uint32_t train, std::uint32_t test,
                   std::uint64_t seed) {
  try {
    spottrain::write_shapes(folder, train, test, seed);
  } catch (const spottrain::DataError& error) {
    std::fprintf(stderr, "spottrain: %s\n", error.what());
    return static_cast<int>(spottrain::ExitCode::failed);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Trains a small CNN on CIFAR-10-format data, and never loses a durable step.");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 finished, 1 failed, 2 bad usage, 75 stopped (the same command goes on).");

  TrainRequest request;
  CLI::App& train = *app.add_subcommand("train", "Train, or continue from the newest checkpoint");
  add_train_options(train, request);

  std::string path;
  std::uint32_t train_images = 10'000, test_images = 2'000;
  std::uint64_t seed = 1;
  CLI::App& synthesize = *app.add_subcommand("synthesize", "Write a generated data set");
  synthesize.add_option("DIR", path, "Folder, made when missing")->required();
  synthesize.add_option("--train", train_images, "Training images")->capture_default_str();
  synthesize.add_option("--test", test_images, "Test images")->capture_default_str();
  synthesize.add_option("--seed", seed)->capture_default_str();

  CLI::App& inspect = *app.add_subcommand("inspect", "Show what checkpoints hold");
  inspect.add_option("CKPT", path, "Data file, manifest, or folder")->required();
  bool as_json = false;
  inspect.add_flag("--json", as_json, "As JSON");
  CLI::App& verify = *app.add_subcommand("verify", "Exit 0 if checkpoints are whole, else 1");
  verify.add_option("CKPT", path, "Data file, manifest, or folder")->required();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadUsage;
  }
  if (train.parsed()) return run_train(request);
  if (synthesize.parsed()) return run_synthesize(path, train_images, test_images, seed);
  if (verify.parsed()) return spottrain::verify_checkpoints(path);
  using spottrain::InspectFormat;
  return spottrain::inspect_checkpoints(path, as_json ? InspectFormat::json : InspectFormat::text);
}
