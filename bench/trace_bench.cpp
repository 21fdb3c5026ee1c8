// Measures how fast a large price trace loads, and how long a query of one price takes. The lower
// bound for every reader is to read the file's bytes and to find its line ends (memchr).
//
//   trace_bench [FOLDER] [POOLS] [POINTS]   writes its trace there (here), a million pools with 14
//                                           points each over ten years as CSV, a tenth of the pools
//                                           as AWS's JSON, and removes it after
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/kernel/random.h"
#include "sim/market/price_history.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_file.h"

namespace {

using namespace sim;
using namespace sim::market;

template <typename Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void write_trace(const std::filesystem::path& file, int pools, int points) {
  std::ofstream out(file, std::ios::binary);
  out << "az,instance_type,timestamp,price_usd_h\n";
  const Time begin = parse_time("2015-01-01").value();
  const Duration step = 3650 * 24h / points;
  Stream stream(1);
  std::string lines;
  for (int pool = 0; pool < pools; ++pool) {
    lines.clear();
    for (int i = 0; i < points; ++i) {
      std::string at = iso_seconds(begin + i * step);
      at.replace(at.size() - 1, 1, "+00:00");
      lines += fmt::format("us-west-{}{},p{}.{}xlarge,{},{:.6f}\n", pool % 9 + 1,
                           static_cast<char>('a' + pool % 6), pool / 1000, pool % 1000 + 2, at,
                           0.1 + stream.uniform());
    }
    out << lines;
  }
}

void load(const std::filesystem::path& file, int pools, int points) {
  const double megabytes = static_cast<double>(std::filesystem::file_size(file)) / 1e6;
  const auto print = [&](const char* what, double s) {
    fmt::print("{:<34} {:>8.3f} s {:>8.0f} MB/s\n", what, s, megabytes / s);
  };
  fmt::print("{} pools, {} points each, {:.0f} MB of {}\n", pools, points, megabytes,
             file.extension().string().substr(1));
  for (int round = 0; round < 3; ++round) {
    traces::TraceFile bytes;
    print("read the file", seconds_of([&] { bytes = traces::load_trace_file(file); }));
    std::size_t lines = 0;
    print("memchr over its bytes", seconds_of([&] {
            const char *at = bytes.text.data(), *const end = at + bytes.text.size();
            while ((at = static_cast<const char*>(
                        std::memchr(at, '\n', static_cast<std::size_t>(end - at)))))
              ++at, ++lines;
          }));
    bytes = {};
    PriceHistory history;
    print("load", seconds_of([&] { history = traces::read_price_history(file); }));
    std::size_t read = 0;
    for (const auto& [pool, list] : history.pools) read += list.size();
    const std::size_t expected = static_cast<std::size_t>(pools) * static_cast<std::size_t>(points);
    if (read != expected || lines < expected) std::abort();
  }
}

void look_up(std::size_t n) {
  std::vector<PricePoint> points;
  for (std::size_t i = 0; i < n; ++i)
    points.push_back({Time{static_cast<std::int64_t>(i) * 1min}, {static_cast<std::int64_t>(i)}});
  Stream stream(2);
  constexpr int kLookups = 1 << 20;
  std::vector<Time> times;
  for (int i = 0; i < kLookups; ++i)
    times.push_back(Time{static_cast<std::int64_t>(stream.below(n)) * 1min + 1s});
  std::int64_t sum = 0;
  const double s = seconds_of([&] {
    for (const Time t : times) sum += in_force(points, t)->price.nano;
  });
  fmt::print("a price at a time, {:>9} points {:>8.0f} ns (checksum {})\n", n, s / kLookups * 1e9,
             sum);
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const int pools = argc > 2 ? std::atoi(argv[2]) : 1'000'000;
  const int points = argc > 3 ? std::atoi(argv[3]) : 14;
  const auto file = folder / "trace_bench.csv";
  write_trace(file, pools, points);
  load(file, pools, points);
  const auto json = folder / "trace_bench.json";
  write_trace(file, pools / 10, points);
  traces::write_price_history(traces::read_price_history(file), json);
  std::filesystem::remove(file);
  load(json, pools / 10, points);
  std::filesystem::remove(json);
  for (std::size_t n = 1'000; n <= 10'000'000; n *= 10) look_up(n);
}
