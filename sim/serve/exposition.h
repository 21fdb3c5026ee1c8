// Prometheus' text format, version 0.0.4: families of samples with labels.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sim::serve {

inline constexpr const char* kExpositionType = "text/plain; version=0.0.4; charset=utf-8";

using Labels = std::vector<std::pair<std::string_view, std::string>>;

class Exposition {
 public:
  enum class Type { kGauge, kCounter };

  // Later samples belong to this family. The name of a counter ends with "_total".
  void family(std::string_view name, Type type, std::string_view help);
  // Label values may be any text.
  void sample(const Labels& labels, double value);
  std::string take() { return std::move(text_); }

 private:
  std::string name_, text_;
};

}  // namespace sim::serve
