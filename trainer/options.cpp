#include "trainer/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <ranges>
#include <string>

#include "base/time/duration.h"
#include "policies/checkpoint/policy.h"
#include "trainer/model/models.h"
#include "trainer/model/schedule.h"
#include "trainer/spot/sagemaker.h"

namespace spottrain {
namespace {

const std::map<std::string, Saver::Mode> kCheckpointModes{{"sync", Saver::Mode::sync},
                                                          {"async", Saver::Mode::async}};
const std::map<std::string, Optimizer::Kind> kOptimizers{{"sgd", Optimizer::Kind::sgd},
                                                         {"nesterov", Optimizer::Kind::nesterov},
                                                         {"adam", Optimizer::Kind::adam},
                                                         {"adamw", Optimizer::Kind::adamw}};
const std::map<std::string, Cifar100Labels> kLabels{{"fine", Cifar100Labels::fine},
                                                    {"coarse", Cifar100Labels::coarse}};
const std::map<std::string, Device> kDevices{{"cpu", Device::cpu}, {"cuda", Device::cuda}};
const std::map<std::string, CpuEngine> kCpuEngines{
    {"auto", CpuEngine::automatic}, {"eigen", CpuEngine::eigen}, {"fast", CpuEngine::fast}};
const std::map<std::string, Precision> kPrecisions{
    {"fp32", Precision::fp32}, {"tf32", Precision::tf32}, {"bf16", Precision::bf16}};

// Accepts only the names of the table.
template <typename Kind>
CLI::Validator one_of(const std::map<std::string, Kind>& kinds) {
  return CLI::Validator(
      [&kinds](std::string& text) -> std::string {
        const auto kind = kinds.find(text);
        if (kind == kinds.end())
          return fmt::format("found '{}', expected one of: {}", text,
                             fmt::join(std::views::keys(kinds), " "));
        text = std::to_string(static_cast<int>(kind->second));
        return {};
      },
      "");
}

// Adds an option with a duration; `store` receives the value.
CLI::Option* add_duration(CLI::App& command, const std::string& name, const std::string& help,
                          std::function<void(std::chrono::nanoseconds)> store) {
  const auto parse = [name, store = std::move(store)](const std::string& text) {
    const auto duration = base::parse_positive_duration(text);
    if (!duration)
      throw CLI::ValidationError(name, "'" + text + "': expected a duration such as 4.5s");
    store(*duration);
  };
  return command.add_option_function<std::string>(name, parse, help);
}

// The rows of a table for the help of an option: "name:ARGUMENT (meaning); …".
template <typename Kinds>
std::string help_of(std::string help, const Kinds& kinds, auto argument) {
  for (const auto& kind : kinds) {
    const std::string_view value = kind.*argument;
    const bool optional = value.starts_with('[');
    help += fmt::format(" {}{}{} ({});", kind.name,
                        value.empty() ? ""
                        : optional    ? "[:"
                                      : ":",
                        value.substr(optional ? 1 : 0), kind.meaning);
  }
  help.pop_back();
  return help;
}

std::vector<policies::CheckpointPolicyKind> policies_that_can_be_told() {
  auto kinds = policies::checkpoint_policy_kinds();
  std::erase_if(kinds, [](const auto& kind) { return kind.for_models_only; });
  return kinds;
}

std::string model_help() {
  std::string help = "A model's file (docs/spottrain.md), or:";
  for (const auto& model : builtin_models()) help += fmt::format(" {}", model.name);
  return help;
}

// Adds the options that determine every bit of a training.
void add_settings(CLI::App& command, Settings& settings) {
  command.add_option("--model", settings.model, model_help())->capture_default_str();
  command.add_option("--epochs", settings.epochs, "Number of epochs")->capture_default_str();
  command.add_option("--batch", settings.batch_size, "Images per step")->capture_default_str();
  command
      .add_option("--seed", settings.seed, "Seed of weights, data order, augmentation and dropout")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  command.add_option("--optimizer", settings.optimizer.kind, "Optimizer")
      ->transform(one_of(kOptimizers))
      ->option_text("sgd|nesterov|adam|adamw [sgd]");
  command.add_option("--learning-rate", settings.learning_rate, "Learning rate")
      ->capture_default_str();
  command
      .add_option("--schedule", settings.schedule,
                  help_of("How the learning rate changes, from the first step or after warm-up:E:",
                          schedule_kinds(), &ScheduleKind::arguments))
      ->capture_default_str();
  command.add_option("--weight-decay", settings.optimizer.weight_decay, "Weight decay")
      ->capture_default_str();
  const auto of_optimizer = [&](const char* name, double& value, int moments, const char* help) {
    CLI::Option* option = command.add_option(name, value, help)->capture_default_str();
    return [&settings, option, moments] {
      if (option->count() == 0 || settings.optimizer.moments() == moments) return;
      throw CLI::ValidationError(option->get_name(), "has no meaning for this --optimizer");
    };
  };
  command.parse_complete_callback(
      [momentum = of_optimizer("--momentum", settings.optimizer.momentum, 1,
                               "Momentum of sgd and nesterov"),
       beta1 = of_optimizer("--beta1", settings.optimizer.beta1, 2,
                            "Decay rate of the mean gradient (adam, adamw)"),
       beta2 = of_optimizer("--beta2", settings.optimizer.beta2, 2,
                            "Decay rate of the mean squared gradient (adam, adamw)"),
       epsilon = of_optimizer("--epsilon", settings.optimizer.epsilon, 2,
                              "Added to the divisor (adam, adamw)")] {
        momentum();
        beta1();
        beta2();
        epsilon();
      });
  command
      .add_option("--augment", settings.augmentation,
                  "none, crop:N (of images padded by N pixels), flip, or crop:N,flip")
      ->capture_default_str();
}

// Adds the options about ways to stop a training, beyond signals (docs/interruptions.md).
void add_interruptions(CLI::App& command, TrainRequest& request) {
  command.add_option("--stop-file", request.interruptions.stop_file, "Stop when this file appears");
  const auto imds = [&request]() -> ImdsWatchOptions& {
    auto& options = request.interruptions.imds;
    return options ? *options : options.emplace();
  };
  command.add_flag_callback(
      "--imds", [imds] { imds(); }, "Ask EC2's instance metadata for interruption notices");
  command.add_option_function<std::string>(
      "--imds-interval",
      [imds](const std::string& text) {
        const auto interval = base::parse_positive_duration(text);
        if (!interval || *interval < std::chrono::milliseconds(1) ||
            *interval > std::chrono::hours(1)) {
          throw CLI::ValidationError("--imds-interval",
                                     "'" + text + "': expected 1ms to 1h, such as 5s");
        }
        imds().interval = std::chrono::duration_cast<std::chrono::milliseconds>(*interval);
      },
      "Time between two polls of --imds (default 5s)");
}

// Adds the options that choose device, engine and precision.
void add_device(CLI::App& command, Device& device, CpuEngine& cpu, Precision& precision) {
  command.add_option("--device", device, "cuda needs a GPU and libspottrain_cuda.so")
      ->transform(one_of(kDevices))
      ->option_text("cpu|cuda [cpu]");
  command
      .add_option("--engine", cpu, "Engine of a CPU; all compute the same bits, fast needs AVX2")
      ->transform(one_of(kCpuEngines))
      ->option_text("auto|eigen|fast [auto]");
  command.add_option("--precision", precision, "Arithmetic of a GPU (docs/cuda.md)")
      ->transform(one_of(kPrecisions))
      ->option_text("fp32|tf32|bf16 [fp32]");
}

}  // namespace

void add_train_options(CLI::App& command, TrainRequest& request) {
  // The last value of a repeated option counts, so a script can add its caller's options after its
  // own.
  command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command.add_option("--data", request.data, "Folder of a data set (docs/data.md)")
      ->envname("DATA_DIR")
      ->required();
  command.add_option("--labels", request.settings.labels, "Which labels of CIFAR-100 to learn")
      ->transform(one_of(kLabels))
      ->option_text("fine|coarse [fine]");
  command
      .add_option("--validation", request.validation,
                  "Training images to hold out, a share (0.1) or a number")
      ->capture_default_str();
  command
      .add_option("--checkpoints", request.checkpoints,
                  "Folder for checkpoints, or s3://BUCKET/PREFIX")
      ->envname("CHECKPOINT_DIR")
      ->required();
  add_settings(command, request.settings);
  add_device(command, request.device, request.cpu, request.settings.precision);
  command.add_flag("--deterministic", request.settings.deterministic,
                   "Reproducible results also on a GPU, at some cost; on a CPU they always are");
  command
      .add_option("--policy", request.policy,
                  help_of("When to checkpoint, a comma list of:", policies_that_can_be_told(),
                          &policies::CheckpointPolicyKind::argument))
      ->capture_default_str();
  add_duration(command, "--emulate-step-time", "Minimum time of a step, as on the emulated machine",
               [&request](auto duration) { request.step_time = duration; })
      ->envname("EMULATE_STEP_TIME");
  add_duration(command, "--notice-reserve",
               "Time before an instance's end that the caller of spottrain needs",
               [&request](auto duration) { request.notice_reserve = duration; })
      ->envname("NOTICE_RESERVE");
  command.add_option("--keep", request.keep, "Checkpoints to keep, at least 2")
      ->capture_default_str();
  command
      .add_option("--keep-best", request.keep_best,
                  "Further checkpoints to keep: those with the highest accuracy on the validation "
                  "images, or else the test images")
      ->capture_default_str();
  command
      .add_option("--checkpoint-mode", request.checkpoint_mode,
                  "sync: training pauses until a checkpoint is durable; async: until it is copied, "
                  "and a thread writes it")
      ->transform(one_of(kCheckpointModes))
      ->option_text("sync|async [sync]");
  command.add_option("--log", request.log,
                     "CSV file with a row per epoch (default: train.csv in --checkpoints)");
  command.add_option("--metrics", request.metrics, "File for the same rows in JSON Lines");
  command
      .add_option("--threads", request.threads,
                  "Number of threads; every number computes the same bits")
      ->capture_default_str();
  command.add_option("--max-steps", request.max_steps,
                     "Stop after this number of steps, as on SIGTERM");
  add_interruptions(command, request);
  command.add_option("--model-folder", request.model_folder,
                     "Folder for model.safetensors, a copy of the finished training's checkpoint");
  command.add_option("--failure-file", request.failure_file, "File for the reason of a failure");
  command.add_option("--sagemaker")
      ->expected(0, 1)
      ->type_name("[ROOT]")
      ->description(
          "Read options from SageMaker's training container in /opt/ml, or ROOT; they come before "
          "all others (docs/interruptions.md)");
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        std::uint64_t number = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (error == std::errc() && stop == end && number >= least && number <= most) return {};
        return fmt::format("found '{}', expected {} to {}", text, least, most);
      },
      "");
}

std::optional<std::string> sagemaker_root(const std::vector<std::string>& arguments) {
  constexpr std::string_view flag = "--sagemaker", root = "--sagemaker=";
  const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const auto& argument) {
    return argument == flag || argument.starts_with(root);
  });
  if (arguments.empty() || arguments.front() != "train" || found == arguments.end()) return {};
  return *found == flag ? "/opt/ml" : found->substr(root.size());
}

std::vector<std::string> with_sagemaker(std::vector<std::string> arguments) {
  const auto folder = sagemaker_root(arguments);
  if (!folder) return arguments;
  const auto options = sagemaker_options(
      [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        if (value == nullptr) return {};
        return value;
      },
      *folder);
  arguments.insert(arguments.begin() + 1, options.begin(), options.end());
  return arguments;
}

void tell_failure(const std::vector<std::string>& arguments, const std::string& what) {
  constexpr std::string_view option = "--failure-file=";
  const auto found = std::find_if(arguments.rbegin(), arguments.rend(), [&](const auto& argument) {
    return argument.starts_with(option);
  });
  if (found != arguments.rend()) write_failure(found->substr(option.size()), what);
}

namespace {

// Parses a shape such as "32x32x3".
ImageShape parse_shape(const std::string& text) {
  int height = 0, width = 0, channels = 0, read = 0;
  if (std::sscanf(text.c_str(), "%5dx%5dx%5d%n", &height, &width, &channels, &read) != 3 ||
      read != static_cast<int>(text.size()) || height < 1 || width < 1 || channels < 1) {
    throw CLI::ValidationError("--input", "'" + text + "': expected HEIGHTxWIDTHxCHANNELS");
  }
  return {height, width, channels};
}

}  // namespace

void add_bench_options(CLI::App& command, BenchRequest& request) {
  command.add_option("--model", request.model, model_help())->capture_default_str();
  command
      .add_option_function<std::string>(
          "--input", [&request](const std::string& text) { request.input = parse_shape(text); },
          "Height, width and channels of its images")
      ->default_str("32x32x3");
  command.add_option("--classes", request.classes, "Number of classes")->capture_default_str();
  command.add_option("--batch", request.batch_size, "Images per step")->capture_default_str();
  command.add_option("--threads", request.threads, "Number of threads")->capture_default_str();
  add_device(command, request.device, request.cpu, request.precision);
  command.add_option("--steps", request.steps, "Number of timed steps")->capture_default_str();
  command
      .add_option("--folder", request.folder,
                  "Folder for trial checkpoints, which are removed again")
      ->capture_default_str();
  command.add_flag("--json", request.json, "Print one JSON object instead of a table");
}

}  // namespace spottrain
