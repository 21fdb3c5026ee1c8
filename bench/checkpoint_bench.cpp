// Measures what a checkpoint costs. The stall of an asynchronous checkpoint is compared with a
// memcpy of the same state, both with caches as cold as after a training step. The write of a
// synchronous one is compared with dd with fsync of as many bytes, in turns. The benchmark also
// computes what compression and differences would save.
//
//   checkpoint_bench [FOLDER] [ROUNDS]   on FOLDER's disk (the current one), 15 rounds
#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "trainer/checkpoint/codec.h"
#include "trainer/checkpoint/saver.h"
#include "trainer/checkpoint/store.h"
#include "trainer/engine/engine.h"
#include "trainer/model/models.h"

namespace {

namespace fs = std::filesystem;
using spottrain::Checkpoint;

double milliseconds(const std::function<void()>& fn) {
  const auto begin = std::chrono::steady_clock::now();
  fn();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

double best(const std::vector<double>& times) {
  return *std::min_element(times.begin(), times.end());
}

// Gradients' noise: uniform, from a linear congruential generator, as its quality does not matter.
float noise(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<float>(static_cast<std::int32_t>(state >> 32)) * 0x1p-31f;
}

// A model's state with momentum: weights as they begin (a trained model's are as random in all but
// their sign and exponent), which make_steps() moves as SGD does.
Checkpoint state_of(const std::string& model_name) {
  const auto model = spottrain::load_model(model_name, {32, 32, 3}, 10);
  Checkpoint state{.step = 1, .numeric_class = "bench", .code_revision = "bench"};
  for (const char* prefix : {"", "momentum/"}) {
    for (const auto& tensor : spottrain::tensors_of(model)) {
      state.tensors.push_back({prefix + tensor.name, tensor.shape});
    }
  }
  state.values = spottrain::initial_state(model, 1);
  state.values.resize(2 * state.values.size());
  return state;
}

void make_steps(Checkpoint& state, int steps) {
  static std::uint64_t random = 1;
  const std::size_t count = state.values.size() / 2;
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < count; ++i) {
      float &weight = state.values[i], &velocity = state.values[count + i];
      velocity = 0.9f * velocity + 1e-2f * noise(random) + 5e-4f * weight;
      weight -= 0.05f * velocity;
    }
  }
}

// A state of this many bytes in 64 tensors.
Checkpoint state_of_bytes(std::size_t bytes) {
  Checkpoint state{.step = 1, .numeric_class = "bench", .code_revision = "bench"};
  const std::size_t each = bytes / sizeof(float) / 64;
  for (int i = 0; i < 64; ++i) state.tensors.push_back({fmt::format("tensor{}", i), {each}});
  state.values.resize(64 * each);
  make_steps(state, 2);
  return state;
}

// The time that dd reports for writing the source to a new file with fsync.
double dd_milliseconds(const fs::path& source, const fs::path& target) {
  const std::string command = fmt::format("LC_ALL=C dd if={} of={} bs=1M conv=fsync 2>&1",
                                          source.string(), target.string());
  FILE* output = popen(command.c_str(), "r");
  std::string text;
  for (int c; (c = std::fgetc(output)) != EOF;) text += static_cast<char>(c);
  pclose(output);
  const auto copied = text.find("copied, ");
  return copied == std::string::npos ? 0 : 1e3 * std::atof(text.c_str() + copied + 8);
}

// Fills the caches with other data, as a step's activations do.
void cool_caches() {
  static std::vector<char> others(std::size_t{128} << 20);
  for (std::size_t i = 0; i < others.size(); i += 64) ++others[i];
}

void measure_times(const std::string& name, const Checkpoint& source, const fs::path& folder,
                   int rounds) {
  spottrain::CheckpointFolder checkpoints(folder / "checkpoints", {});
  std::int64_t step = 0;
  spottrain::Saver saver(checkpoints, spottrain::Saver::Mode::async, [&](Checkpoint& checkpoint) {
    checkpoint.step = step;
    checkpoint.tensors = source.tensors;
    checkpoint.values.resize(source.values.size());
    std::copy(source.values.begin(), source.values.end(), checkpoint.values.begin());
  });
  std::vector<float> copy(source.values.size());
  const std::size_t bytes = copy.size() * sizeof(float);
  std::vector<double> memcpy_times, stalls, dd_times, writes, reads;
  for (int round = 0; round < rounds; ++round) {
    ++step;
    cool_caches();
    memcpy_times.push_back(
        milliseconds([&] { std::memcpy(copy.data(), source.values.data(), bytes); }));
    cool_caches();
    stalls.push_back(milliseconds([&] { saver.save(); }));
    saver.wait();
    Checkpoint checkpoint = source;
    checkpoint.step = ++step;
    writes.push_back(milliseconds([&] { checkpoints.save(checkpoint); }));
    const fs::path written = folder / "checkpoints" / spottrain::checkpoint_name(step);
    dd_times.push_back(dd_milliseconds(written, folder / "dd"));
    fs::remove(folder / "dd");
    reads.push_back(milliseconds([&] { checkpoints.newest({}); }));
    checkpoints.rotate();
  }
  const double memcpy_time = best(memcpy_times), stall = best(stalls), dd = best(dd_times),
               write = best(writes);
  fmt::print("{:<16}{:>9.2f}{:>11.3f}{:>11.3f}{:>7.2f}{:>11.2f}{:>11.2f}{:>7.2f}{:>10.2f}\n", name,
             static_cast<double>(bytes) / 1e6, memcpy_time, stall, stall / memcpy_time, dd, write,
             write / dd, best(reads));
  std::fflush(stdout);
}

// All first bytes of the values, then all second ones, and so on: so the exponents are adjacent.
std::string byte_planes(std::string_view bytes) {
  std::string planes(bytes.size(), '\0');
  const std::size_t count = bytes.size() / sizeof(float);
  for (std::size_t i = 0; i < bytes.size(); ++i) planes[i % 4 * count + i / 4] = bytes[i];
  return planes;
}

std::string difference(std::string_view a, std::string_view b) {
  std::string bytes(a.size(), '\0');
  for (std::size_t i = 0; i < a.size(); ++i) bytes[i] = static_cast<char>(a[i] ^ b[i]);
  return bytes;
}

void measure_compression(const std::string& what, const std::function<std::string()>& prepare,
                         int level) {
  std::string input, output;
  std::size_t size = 0;
  const double time = milliseconds([&] {
    input = prepare();
    output.resize(ZSTD_compressBound(input.size()));
    size = ZSTD_compress(output.data(), output.size(), input.data(), input.size(), level);
  });
  fmt::print("  {:<46}{:>7.1f} %{:>9.0f} MB/s\n", what,
             100.0 * static_cast<double>(size) / static_cast<double>(input.size()),
             static_cast<double>(input.size()) / 1e3 / time);
  std::fflush(stdout);
}

void measure_compressions(const std::string& model) {
  Checkpoint state = state_of(model);
  make_steps(state, 20);
  const std::string before(spottrain::value_bytes(state));
  make_steps(state, 1);
  const std::string next(spottrain::value_bytes(state));
  make_steps(state, 15);
  const std::string later(spottrain::value_bytes(state));
  fmt::print("{}, {:.2f} MB\n", model, static_cast<double>(before.size()) / 1e6);
  for (const int level : {1, 3}) {
    measure_compression(
        fmt::format("zstd -{}", level), [&] { return before; }, level);
  }
  measure_compression(
      "byte planes, zstd -1", [&] { return byte_planes(before); }, 1);
  measure_compression(
      "difference to 1 step before, planes, zstd -1",
      [&] { return byte_planes(difference(before, next)); }, 1);
  measure_compression(
      "difference to 16 steps before, planes, zstd -1",
      [&] { return byte_planes(difference(before, later)); }, 1);
}

}  // namespace

int main(int argc, char** argv) {
  const fs::path folder = fs::path(argc > 1 ? argv[1] : ".") / "checkpoint_bench.tmp";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  fs::create_directories(folder);
  fmt::print("best of {} rounds, milliseconds\n", rounds);
  fmt::print("{:<16}{:>9}{:>11}{:>11}{:>7}{:>11}{:>11}{:>7}{:>10}\n", "state", "MB", "memcpy",
             "stall", "ratio", "dd fsync", "write", "ratio", "restore");
  for (const char* model : {"resnet20", "resnet50-cifar"}) {
    Checkpoint state = state_of(model);
    make_steps(state, 2);
    measure_times(model, state, folder / model, rounds);
  }
  measure_times("2 MB", state_of_bytes(2'000'000), folder / "2", rounds);
  measure_times("100 MB", state_of_bytes(100'000'000), folder / "100", rounds);
  fs::remove_all(folder);
  fmt::print("\nsize of the rest, speed of making it on one thread\n");
  for (const char* model : {"resnet20", "resnet50-cifar"}) measure_compressions(model);
}
