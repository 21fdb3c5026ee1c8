#include "trainer/model/schedule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "trainer/model/portable_math.h"

namespace spottrain {
namespace {

void require(bool holds, const char* expected) {
  if (!holds) throw std::invalid_argument(expected);
}

bool whole_epochs(double value) { return value >= 1 && value <= 1e6 && value == std::floor(value); }
bool factor(double value) { return value > 0 && value <= 1; }

// Half a cosine from `from` at 0 to `to` at 1: Loshchilov and Hutter, "SGDR: Stochastic gradient
// descent with warm restarts", ICLR 2017, equation 5.
double cosine_between(double from, double to, double at) {
  return to + (from - to) * (1 + portable_cos_pi(at)) / 2;
}

RateCurve constant(std::span<const double> arguments) {
  require(arguments.empty(), "no argument");
  return [](const ScheduleMoment&) { return 1.0; };
}

// Multiplies the rate by a factor at each of these epochs: PyTorch's MultiStepLR.
RateCurve multi_step(std::span<const double> arguments) {
  constexpr const char* expected = "multi-step:E:…:F with rising epochs and 0 < F <= 1";
  require(arguments.size() >= 2 && factor(arguments.back()), expected);
  const std::vector<double> epochs(arguments.begin(), arguments.end() - 1);
  require(std::ranges::all_of(epochs, whole_epochs) &&
              std::ranges::adjacent_find(epochs, std::greater_equal()) == epochs.end(),
          expected);
  return [epochs, factor = arguments.back()](const ScheduleMoment& now) {
    double rate = 1;
    for (const double epoch : epochs) {
      if (now.step / now.steps_per_epoch >= static_cast<std::int64_t>(epoch)) rate *= factor;
    }
    return rate;
  };
}

// PyTorch's StepLR.
RateCurve step(std::span<const double> arguments) {
  require(arguments.size() == 2 && whole_epochs(arguments[0]) && factor(arguments[1]),
          "step:E:F with E epochs and 0 < F <= 1");
  return [every = static_cast<std::int64_t>(arguments[0]),
          factor = arguments[1]](const ScheduleMoment& now) {
    double rate = 1;
    for (auto drops = now.step / now.steps_per_epoch / every; drops > 0 && rate > 0; --drops) {
      rate *= factor;
    }
    return rate;
  };
}

// PyTorch's CosineAnnealingLR, step by step. The rate would reach its minimum one step after the
// last.
RateCurve cosine(std::span<const double> arguments) {
  require(arguments.empty() || (arguments.size() == 1 && arguments[0] >= 0 && arguments[0] < 1),
          "cosine:FLOOR with 0 <= FLOOR < 1");
  return [floor = arguments.empty() ? 0.0 : arguments[0]](const ScheduleMoment& now) {
    return cosine_between(1, floor,
                          static_cast<double>(now.step) / static_cast<double>(now.total_steps));
  };
}

// PyTorch's OneCycleLR with its defaults, from 1 ÷ 25 up to 1 and down to 4e-6; the momentum does
// not change. After Smith and Topin, "Super-convergence", 2018.
RateCurve one_cycle(std::span<const double> arguments) {
  constexpr double first = 1.0 / 25, last = first / 1e4;
  require(arguments.empty() || (arguments.size() == 1 && arguments[0] > 0 && arguments[0] < 1),
          "one-cycle:RISE with 0 < RISE < 1, the rising share of the steps");
  return [rise = arguments.empty() ? 0.3 : arguments[0]](const ScheduleMoment& now) {
    const auto step = static_cast<double>(now.step);
    const double peak = rise * static_cast<double>(now.total_steps) - 1;
    const double end = static_cast<double>(now.total_steps) - 1;
    if (step <= peak) return peak > 0 ? cosine_between(first, 1, step / peak) : 1;
    return cosine_between(1, last, std::min(1.0, (step - peak) / (end - peak)));
  };
}

constexpr std::array kKinds{
    ScheduleKind{"constant", "", "the same rate in every step", false, constant},
    ScheduleKind{"step", "E:F", "times F every E epochs", false, step},
    ScheduleKind{"multi-step", "E:…:F", "times F at each of these epochs", false, multi_step},
    ScheduleKind{"cosine", "[FLOOR]", "half a cosine from 1 to FLOOR, or to 0", true, cosine},
    ScheduleKind{"one-cycle", "[RISE]",
                 "rises, then falls; RISE (0.3) is the share of steps in which it rises", true,
                 one_cycle},
};

std::vector<double> numbers(std::string_view text) {
  std::vector<double> values;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(':'));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const auto [stop, error] =
        std::from_chars(word.data(), word.data() + word.size(), values.emplace_back());
    require(
        error == std::errc() && stop == word.data() + word.size() && std::isfinite(values.back()),
        "numbers after each ':'");
  }
  return values;
}

std::string known_kinds() {
  std::string names;
  for (const ScheduleKind& kind : kKinds) {
    names += names.empty() ? "" : ", ";
    names += kind.name;
  }
  return names + ", or one of these after warm-up:E,";
}

}  // namespace

std::span<const ScheduleKind> schedule_kinds() { return kKinds; }

Schedule::Schedule(std::string_view text) : text_(text) {
  try {
    constexpr std::string_view warm_up = "warm-up:";
    if (text.starts_with(warm_up)) {
      const auto comma = text.find(',');
      require(comma != std::string_view::npos, "a schedule after warm-up:E,");
      const auto epochs = numbers(text.substr(warm_up.size(), comma - warm_up.size()));
      require(epochs.size() == 1 && epochs[0] > 0 && epochs[0] <= 1e6, "warm-up:E with E epochs");
      warm_up_epochs_ = epochs[0];
      text.remove_prefix(comma + 1);
    }
    const std::string_view name = text.substr(0, text.find(':'));
    const auto kind = std::ranges::find(kKinds, name, &ScheduleKind::name);
    if (kind == kKinds.end()) throw std::invalid_argument(known_kinds());
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    curve_ = kind->make(numbers(text));
    needs_length_ = kind->needs_length;
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("schedule '" + text_ + "': expected " + error.what());
  }
}

double Schedule::rate(double full_rate, ScheduleMoment moment) const {
  moment.step = std::min(moment.step, moment.total_steps - 1);
  const auto warm_up = static_cast<std::int64_t>(
      std::ceil(warm_up_epochs_ * static_cast<double>(moment.steps_per_epoch)));
  double share = 1;
  if (moment.step < warm_up) {
    share = static_cast<double>(moment.step + 1) / static_cast<double>(warm_up);
  }
  if (needs_length_) {
    moment.step = std::max<std::int64_t>(0, moment.step - warm_up);
    moment.total_steps = std::max<std::int64_t>(1, moment.total_steps - warm_up);
  }
  return full_rate * share * curve_(moment);
}

}  // namespace spottrain
