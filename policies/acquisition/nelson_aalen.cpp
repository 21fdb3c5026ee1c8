#include "policies/acquisition/nelson_aalen.h"

#include <algorithm>
#include <cmath>

namespace policies {

void NelsonAalen::observe(bool there) {
  if (there) {
    ++age_;
    return;
  }
  if (age_ > 0) ended_.insert(std::upper_bound(ended_.begin(), ended_.end(), age_), age_);
  age_ = 0;
}

double NelsonAalen::expected_left(std::int64_t horizon) const {
  const std::int64_t age = std::max<std::int64_t>(age_ - 1, 0), end = age + horizon;
  double sum = 0, hazard = 0;
  std::int64_t from = age;  // survival is constant on [from, next life)
  const auto first = std::upper_bound(ended_.begin(), ended_.end(), age);
  for (auto life = first; life != ended_.end() && *life < end;) {
    const auto next = std::upper_bound(life, ended_.end(), *life);
    const auto reached = (ended_.end() - life) + (age_ >= *life ? 1 : 0);
    sum += static_cast<double>(*life - from) * std::exp(-hazard);
    hazard += static_cast<double>(next - life) / static_cast<double>(reached);
    from = *life;
    life = next;
  }
  return sum + static_cast<double>(std::max<std::int64_t>(end - from, 0)) * std::exp(-hazard);
}

}  // namespace policies
