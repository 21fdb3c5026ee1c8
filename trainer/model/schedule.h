// How the learning rate changes over the epochs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spottrain {

// "constant", or "step:E:F": times F after every E epochs.
class Schedule {
 public:
  // Throws std::invalid_argument saying what was found and what is known.
  explicit Schedule(std::string_view text);

  // The rate of an epoch (0 is the first), given the first epoch's.
  double rate(double first_rate, std::int64_t epoch) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::int64_t every_ = 0;  // 0: constant
  double factor_ = 1;
};

}  // namespace spottrain
