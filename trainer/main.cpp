// spottrain: the trainer's command line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/command_line_error.h"
#include "base/process/standard_output.h"
#include "trainer/bench.h"
#include "trainer/data/shapes.h"
#include "trainer/gang/communicator.h"
#include "trainer/gang/hosts.h"
#include "trainer/inspect.h"
#include "trainer/loop/stop.h"
#include "trainer/loop/train.h"
#include "trainer/model/models.h"
#include "trainer/options.h"
#include "trainer/spot/sagemaker.h"

namespace {

using spottrain::TrainRequest;

constexpr int kBadUsage = static_cast<int>(spottrain::ExitCode::bad_input);

int run_train(TrainRequest request, spottrain::Communicator* gang) {
  request.settings.ranks = gang != nullptr ? gang->size() : 1;
  if (const char* events = std::getenv("JOB_EVENTS")) request.events = events;
  spottrain::install_stop_signals();
  request.interruptions.signal = spottrain::stop_signal;
  return static_cast<int>(spottrain::train(request, gang));
}

int run_bench(const spottrain::BenchRequest& request) {
  try {
    spottrain::bench(request);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "spottrain: %s\n", error.what());
    return kBadUsage;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "spottrain: %s\n", error.what());
    return static_cast<int>(spottrain::ExitCode::failed);
  }
  return 0;
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

// Refuses a gang for the other commands, which cannot use more than one process.
int refuse_gang(const spottrain::Communicator& gang) {
  if (gang.rank() == 0) {
    std::fprintf(stderr, "spottrain: %d processes: only 'train' can use several\n", gang.size());
  }
  return kBadUsage;
}

// Prints the texts of all built-in models, or of one. A text can be the start of a user's own file.
int print_models(const std::string& name) {
  std::string names;
  for (const auto& model : spottrain::builtin_models()) {
    if (name == model.name) {
      fmt::print("{}", model.text);
      return 0;
    }
    names += fmt::format("{}{}", names.empty() ? "" : ", ", model.name);
    if (name.empty()) fmt::print("{}\n", model.name);
  }
  if (name.empty()) return 0;
  fmt::print(stderr, "spottrain: found model {}, expected one of {}\n", name, names);
  return kBadUsage;
}

// For a job on several hosts, one host first gathers the others. Then mpirun starts the processes
// of the gang. This process does not belong to the gang.
std::optional<int> gather_hosts(const std::vector<std::string>& arguments) {
  const bool in_gang = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  std::vector<std::string> options;
  try {
    if (const auto status = spottrain::run_gang_agent(arguments)) return status;
    const auto root = spottrain::sagemaker_root(arguments);
    const auto hosts = root && !in_gang ? spottrain::sagemaker_hosts(*root) : std::nullopt;
    if (!hosts || hosts->all.size() == 1) return {};
    options = spottrain::with_sagemaker(arguments);
    return spottrain::train_on({hosts->all, hosts->own}, arguments);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "spottrain: %s\n", error.what());
    return kBadUsage;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "spottrain: %s\n", error.what());
    spottrain::tell_failure(options, error.what());
    return static_cast<int>(spottrain::ExitCode::failed);
  }
}

int run_command_line(int argc, char** argv) {
  if (const auto status = gather_hosts({argv + 1, argv + argc})) return *status;
  const auto gang = spottrain::join_gang(argc, argv);
  CLI::App app("Trains image classifiers, and never loses a durable step.");
  app.require_subcommand(1);
  app.set_version_flag("--version", "spottrain " SPOTSIM_VERSION);
  app.footer(
      "Exit codes: 0 finished, 1 failed, 2 bad usage, 75 stopped (repeat the command to "
      "continue).");

  TrainRequest request;
  CLI::App& train = *app.add_subcommand("train", "Train, or continue from the newest checkpoint");
  spottrain::add_train_options(train, request);

  spottrain::BenchRequest bench_request;
  CLI::App& bench = *app.add_subcommand("bench", "Time a model's steps and checkpoints");
  spottrain::add_bench_options(bench, bench_request);

  std::string path, model;
  std::uint32_t train_images = 10'000, test_images = 2'000;
  std::uint64_t seed = 1;
  CLI::App& synthesize = *app.add_subcommand("synthesize", "Write a generated data set");
  synthesize.add_option("DIR", path, "Output folder")->required();
  const auto images = spottrain::whole_number(1, UINT32_MAX);
  synthesize.add_option("--train", train_images, "Training images")
      ->check(images)
      ->capture_default_str();
  synthesize.add_option("--test", test_images, "Test images")->check(images)->capture_default_str();
  synthesize.add_option("--seed", seed, "Seed of the images")
      ->check(spottrain::whole_number(0, UINT64_MAX))
      ->capture_default_str();

  CLI::App& models = *app.add_subcommand("models", "List the built-in models, or print one");
  models.add_option("MODEL", model, "A built-in model to print");
  CLI::App& inspect = *app.add_subcommand("inspect", "Show the contents of checkpoints");
  inspect
      .add_option("CKPT", path, "Checkpoint's data file or manifest, or a folder of checkpoints")
      ->required();
  bool as_json = false;
  inspect.add_flag("--json", as_json, "Print JSON");
  CLI::App& verify = *app.add_subcommand("verify", "Exit 0 if checkpoints are whole, else 1");
  verify.add_option("CKPT", path, "Checkpoint's data file or manifest, or a folder of checkpoints")
      ->required();

  std::vector<std::string> arguments(argv + 1, argv + argc);
  app.name("spottrain");
  if (const auto wrong = base::unknown_command(app, std::span(argv, argc).subspan(1))) {
    std::fprintf(stderr, "%s\n", wrong->c_str());
    return kBadUsage;
  }
  try {
    arguments = spottrain::with_sagemaker(std::move(arguments));
    app.parse(std::vector(arguments.rbegin(), arguments.rend()));  // the order that CLI11 expects
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    spottrain::tell_failure(arguments, error.what());
    std::fprintf(stderr, "%s\n", base::usage_error(app, error).c_str());
    return kBadUsage;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "spottrain: %s\n", error.what());
    return kBadUsage;
  }
  if (train.parsed()) return run_train(request, gang.get());
  if (gang && gang->size() > 1) return refuse_gang(*gang);
  if (bench.parsed()) return run_bench(bench_request);
  if (synthesize.parsed()) return run_synthesize(path, train_images, test_images, seed);
  if (models.parsed()) return print_models(model);
  if (verify.parsed()) return spottrain::verify_checkpoints(path);
  using spottrain::InspectFormat;
  return spottrain::inspect_checkpoints(path, as_json ? InspectFormat::json : InspectFormat::text);
}

}  // namespace

int main(int argc, char** argv) {
  const auto run = [&] { return run_command_line(argc, argv); };
  // A training continues even if its log cannot be written.
  const bool trains = argc > 1 && std::string_view(argv[1]) == "train";
  return trains ? run() : base::with_standard_output("spottrain", run);
}
