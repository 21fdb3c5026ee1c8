#include "sim/sweep/file/sweep_file_parts.h"

#include <fmt/format.h>

#include <set>

#include "sim/sweep/seeds.h"

namespace sim::sweep {
namespace {

constexpr std::size_t kMostSettings = 100'000;
constexpr market::Usd kHighestPrice{1'000'000'000'000};

std::string list_of(const std::string& example) {
  return "a duration such as " + example + ", or a list of them";
}

}  // namespace

std::vector<scenario::Value> one_or_more(const scenario::Value& value) {
  if (!value.is_list()) return {value};
  auto all = value.list("a list");
  if (all.empty()) value.reject("found an empty list, expected at least one");
  return all;
}

std::vector<Duration> durations(scenario::Fields& fields, const std::string& key, Duration least,
                                const std::string& example) {
  const auto field = fields.require(key, list_of(example));
  return field ? durations(*field, least, example) : std::vector<Duration>{};
}

std::vector<Duration> durations(const scenario::Value& field, Duration least,
                                const std::string& example) {
  std::vector<Duration> all;
  for (const scenario::Value& value : one_or_more(field)) {
    const auto duration = value.duration(list_of(example));
    if (duration && *duration < least) value.fail("at least " + format_duration(least));
    if (duration && *duration >= least) all.push_back(*duration);
  }
  return all;
}

bool few_enough(const scenario::Value& job, std::initializer_list<std::size_t> values) {
  std::size_t all = 1;
  for (const std::size_t n : values)
    if ((all *= n) > kMostSettings) {
      job.reject(
          fmt::format("found more than {} combinations of values, expected fewer", kMostSettings));
      return false;
    }
  return true;
}

market::Usd positive_price(const scenario::Value& value) {
  const market::Usd price = value.usd().value_or(market::Usd{1});
  if (price.nano <= 0) value.fail("US dollars an hour above 0");
  if (price > kHighestPrice) value.fail("US dollars an hour, at most 1000");
  return std::min(price, kHighestPrice);
}

market::Usd take_price(scenario::Fields& fields, const std::string& key) {
  const auto v = fields.take(key);
  return v ? positive_price(*v) : market::Usd{};
}

double read_late_allowed(scenario::Fields& fields) {
  const auto v = fields.take("late_allowed");
  if (!v) return 0;
  const double share = v->number().value_or(0);
  if (share < 0 || share > 1) v->fail("a share of the runs from 0 to 1, such as 0.05");
  return share;
}

std::vector<std::uint64_t> read_seeds(scenario::Fields& fields) {
  const std::string expected = "a seed, a range such as 1-20, or a list of them, at most a million";
  std::vector<std::uint64_t> seeds;
  const auto field = fields.take("seeds");
  if (!field) return seeds;
  for (const scenario::Value& value : one_or_more(*field)) {
    const auto text = value.text(expected);
    if (text && !add_seeds(*text, seeds)) value.fail(expected);
  }
  if (std::set(seeds.begin(), seeds.end()).size() != seeds.size())
    field->reject("found a seed twice, expected each once");
  return seeds;
}

}  // namespace sim::sweep
