// Values of a metric, summed up as CloudWatch does it, and its statistics (CloudWatch User Guide,
// "CloudWatch statistics definitions").
#pragma once

#include <map>
#include <optional>
#include <string>

namespace sim::monitoring {

struct Summary {
  double count = 0, sum = 0, minimum = 0, maximum = 0;
  // The number of samples by value, for percentiles.
  std::map<double, double> samples = {};
  // False if a statistic set hides some values. There are no percentiles then.
  bool has_all_samples = true;

  void add(double value, double count);
  // Adds a statistic set. Its values are known if there is only one, or if all are equal.
  void add_set(double count, double sum, double minimum, double maximum);
  void add(const Summary& other);
  bool empty() const { return count <= 0; }

 private:
  void widen(double low, double high);
};

// "Average", "SampleCount", "Sum", "Minimum", "Maximum" or a percentile such as "p99.9".
struct Statistic {
  std::string name = "Average";
  std::optional<double> percent = {};  // of a percentile
};

// Throws ApiError InvalidParameterValue, and UnsupportedOperation for trimmed means and the other
// statistics that CloudWatch has besides.
Statistic parse_statistic(const std::string& name);

// The statistic's value. Empty without samples. A percentile is the nearest rank; it is also empty
// if values are hidden or negative.
std::optional<double> value_of(const Statistic& statistic, const Summary& summary);

}  // namespace sim::monitoring
