#include "trainer/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "trainer/checkpoint/folder.h"
#include "trainer/checkpoint/saver.h"
#include "trainer/data/philox.h"
#include "trainer/loop/stop.h"
#include "trainer/loop/trainer.h"

namespace spottrain {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kBatches = 4;  // of images, so that they do not all stay in the caches

struct Seconds {
  double best = 0, median = 0;
};

Seconds summary(std::vector<double> times) {
  std::ranges::sort(times);
  return {.best = times.front(), .median = times[times.size() / 2]};
}

Json json_of(Seconds seconds) { return {{"best", seconds.best}, {"median", seconds.median}}; }

double seconds_since(std::chrono::nanoseconds begin) {
  return std::chrono::duration<double>(monotonic_now() - begin).count();
}

Images random_images(const BenchRequest& request) {
  const int count = kBatches * request.batch_size;
  Images images{.shape = request.input, .pixels = {}, .labels = {}};
  images.pixels.resize(static_cast<std::size_t>(count) * request.input.size());
  Philox random(1, Purpose::shapes, 0);
  std::ranges::generate(images.pixels, [&] { return static_cast<std::uint8_t>(random.next()); });
  for (int i = 0; i < count; ++i) {
    images.labels.push_back(static_cast<std::uint8_t>(i % request.classes));
  }
  return images;
}

// A temporary folder, which is removed with its content.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& parent) {
    std::string name = parent + "/spottrain-bench-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), "mkdtemp " + name);
    }
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class Bench {
 public:
  explicit Bench(const BenchRequest& request)
      : request_(request),
        data_{.format = "random",
              .classes = request.classes,
              .train = random_images(request),
              .validation = {},
              .test = {},
              .fingerprint = ""},
        trainer_(data_, settings(), request.threads,
                 engine_factory(request.device, request.cpu, nullptr)) {}

  Json run() {
    trainer_.train_step();
    trainer_.train_step();
    std::vector<double> times;
    for (int i = 0; i < request_.steps; ++i) {
      const auto begin = monotonic_now();
      trainer_.train_step();
      times.push_back(seconds_since(begin));
    }
    const Seconds step = summary(times);
    Json result{{"model", trainer_.model().name},
                {"batch_size", request_.batch_size},
                {"threads", request_.threads},
                {"precision", precision_name(request_.precision)},
                {"numeric_class", trainer_.numeric_class()},
                {"images_per_second", request_.batch_size / step.best},
                {"step_seconds", json_of(step)},
                {"layer_seconds", layers()}};
    result.update(checkpoints());
    return result;
  }

 private:
  Settings settings() const {
    return {.model = request_.model,
            .batch_size = request_.batch_size,
            .learning_rate = 1e-3,
            .augmentation = "crop:4,flip",
            .precision = request_.precision};
  }

  // Seconds a step in each layer. A separate engine measures them, because measuring costs time.
  Json layers() const {
    constexpr int kSteps = 3;
    const auto engine = engine_factory(request_.device, request_.cpu, nullptr)(
        trainer_.model(), {.batch_size = request_.batch_size,
                           .threads = request_.threads,
                           .profile = true,
                           .precision = request_.precision});
    engine->set_state(initial_state(trainer_.model(), 1));
    BatchLoader batches(data_.train, normalisation_of(data_.train), {}, 1, request_.batch_size);
    const LoadedBatch batch = batches.load(0);
    const auto step = [&](std::int64_t index) {
      engine->train({.images = batch.images, .labels = batch.labels},
                    {.index = index, .learning_rate = 1e-3});
    };
    step(0);
    engine->layer_seconds();
    for (int i = 1; i <= kSteps; ++i) step(i);
    Json layers = Json::object();
    for (const auto& [name, seconds] : engine->layer_seconds()) layers[name] = seconds / kSteps;
    return layers;
  }

  // `stall` is the time for which training stops. `durable` is the time from the same instant until
  // the checkpoint is durable.
  Json checkpoints() {
    const ScratchFolder scratch(request_.folder);
    Json result;
    for (const auto& [name, mode] :
         {std::pair("sync", Saver::Mode::sync), std::pair("async", Saver::Mode::async)}) {
      CheckpointFolder folder(scratch.path() / name, {});
      Saver saver(folder, mode, [&](Checkpoint& checkpoint) { trainer_.snapshot(checkpoint); });
      std::vector<double> stalls, writes;
      for (int i = 0; i < request_.saves; ++i) {
        trainer_.train_step();
        const auto begin = monotonic_now();
        saver.save();
        stalls.push_back(seconds_since(begin));
        saver.wait();
        writes.push_back(seconds_since(begin));
        for (const Saver::Outcome& outcome : saver.outcomes()) {
          if (!outcome.error.empty()) throw std::runtime_error(outcome.error);
          result["checkpoint_bytes"] = outcome.bytes;
        }
      }
      result[fmt::format("{}_checkpoint", name)] = {{"stall_seconds", json_of(summary(stalls))},
                                                    {"durable_seconds", json_of(summary(writes))}};
    }
    return result;
  }

  const BenchRequest& request_;
  DataSet data_;
  Trainer trainer_;
};

std::string table(const Json& result) {
  std::string text =
      fmt::format("{}, batch {}, {} thread(s), {}\n", result["model"].get<std::string>(),
                  result["batch_size"].get<int>(), result["threads"].get<int>(),
                  result["numeric_class"].get<std::string>());
  const auto line = [&text](std::string_view what, const Json& seconds) {
    text += fmt::format("{:<24}{:>12.3f} ms best{:>12.3f} ms median\n", what,
                        1e3 * seconds["best"].get<double>(), 1e3 * seconds["median"].get<double>());
  };
  text += fmt::format("{:<24}{:>12.1f}\n", "images/s", result["images_per_second"].get<double>());
  line("step", result["step_seconds"]);
  for (const char* mode : {"sync", "async"}) {
    const Json& checkpoint = result[fmt::format("{}_checkpoint", mode)];
    line(fmt::format("{} checkpoint, stall", mode), checkpoint["stall_seconds"]);
    line(fmt::format("{} checkpoint, durable", mode), checkpoint["durable_seconds"]);
  }
  text += fmt::format("{:<24}{:>12}\n", "checkpoint bytes",
                      result["checkpoint_bytes"].get<std::uint64_t>());
  double sum = 0;
  for (const auto& [name, seconds] : result["layer_seconds"].items()) sum += seconds.get<double>();
  for (const auto& [name, seconds] : result["layer_seconds"].items()) {
    text += fmt::format("  {:<30}{:>10.3f} ms {:>5.1f} %\n", name, 1e3 * seconds.get<double>(),
                        100 * seconds.get<double>() / sum);
  }
  return text;
}

void check(const BenchRequest& request) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(request.classes >= 1 && request.classes <= 256, "--classes: expected 1 to 256");
  require(request.batch_size >= 1 && request.batch_size <= 8192, "--batch: expected 1 to 8192");
  require(request.threads >= 1 && request.threads <= 256, "--threads: expected 1 to 256");
  require(request.device == Device::cuda || request.precision == Precision::fp32,
          "--precision: tf32 and bf16 need --device cuda, a CPU computes in fp32");
  require(request.device == Device::cpu || request.cpu == CpuEngine::automatic,
          "--engine: has no meaning for --device cuda");
  require(request.steps >= 1 && request.steps <= 100'000, "--steps: expected 1 to 100000");
  require(request.input.size() >= 1 && request.input.size() <= 1 << 20,
          "--input: expected HEIGHTxWIDTHxCHANNELS with at most 1048576 values");
}

}  // namespace

void bench(const BenchRequest& request) {
  check(request);
  const Json result = Bench(request).run();
  std::fputs((request.json ? result.dump(2) + "\n" : table(result)).c_str(), stdout);
}

}  // namespace spottrain
