#include "sim/cli/explore/explore_progress.h"

#include <fmt/format.h>

#include <cmath>

namespace sim::cli {
namespace {

std::string in_words(std::chrono::duration<double> time) {
  const auto seconds = static_cast<long>(std::ceil(time.count()));
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (seconds < 7200) return fmt::format("{} min", (seconds + 59) / 60);
  return fmt::format("{} h", (seconds + 3599) / 3600);
}

}  // namespace

std::string forecast_line(const std::string& scenario, bool fibers,
                          const explore::Forecast& forecast) {
  const std::string begin = fmt::format("{}: {} single faults at {} points, ", scenario,
                                        forecast.singles, forecast.points);
  const char* const guests = fibers ? "fiber" : "process";
  if (forecast.within)
    return begin + fmt::format("some {} of {} runs with {} guests in {} (--time)", *forecast.within,
                               forecast.runs, guests, in_words(forecast.all));
  return begin + fmt::format("{} runs with {} guests, some {}", forecast.runs, guests,
                             in_words(forecast.all));
}

ExploreProgress::ExploreProgress(bool terminal, std::function<void(const std::string&)> write,
                                 Clock clock)
    : terminal_(terminal), write_(std::move(write)), clock_(std::move(clock)), last_(clock_()) {}

void ExploreProgress::hear(const std::string& stage, std::size_t done, std::size_t all) {
  const std::string line = fmt::format("{}: {}/{}", stage, done, all);
  if (terminal_) {
    write_("\r\033[K" + line);
    if (done == all) write_("\r\033[K");
    return;
  }
  if (clock_() - last_ < kInterval) return;
  last_ = clock_();
  write_(line + "\n");
}

}  // namespace sim::cli
