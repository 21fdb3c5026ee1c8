#include "sim/sweep/advice/advice_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "policies/acquisition/strategy.h"
#include "policies/checkpoint/policy.h"
#include "sim/market/instance_types.h"

namespace sim::sweep {
namespace {

constexpr market::Usd kHighestHour{1000'000'000'000};
constexpr double kLeastSpeed = 0.01, kMostSpeed = 100;

bool strip_begin(std::string& text, std::string_view begin) {
  if (!text.starts_with(begin)) return false;
  text.erase(0, begin.size());
  return true;
}

market::Usd hourly_price(const scenario::Value& value) {
  const std::string expected = "US dollars an hour above 0, at most 1000, such as 0.35 or 0.35/h";
  auto text = value.text(expected);
  if (!text) return market::Usd{1};
  strip_begin(*text, "$");
  if (text->ends_with("/h")) text->erase(text->size() - 2);
  const auto price = market::parse_usd(*text);
  if (price && price->nano > 0 && *price <= kHighestHour) return *price;
  value.fail(expected);
  return market::Usd{1};
}

std::optional<Duration> mean_of_interruptions(const scenario::Value& value) {
  const std::string expected = "a mean duration such as 6h, {every: 6h, away: 20m} or none";
  auto text = value.text(expected);
  if (!text) return {};
  strip_begin(*text, "every ");
  const auto every = base::parse_duration(*text);
  if (!every || *every > scenario::kLongest) return value.fail(expected), std::nullopt;
  return every;
}

// "every 10m and on notice" → "time:10m,on-notice". Other words are a checkpoint policy's name.
std::string policy_of(std::string text) {
  std::string all;
  for (std::size_t end = 0; end != text.npos;) {
    end = text.find(" and ");
    std::string one = text.substr(0, end);
    if (end != text.npos) text.erase(0, end + 5);
    if (one == "on notice") one = "on-notice";
    if (one == "never" || one == "at the end") one = "none";
    if (one == "every epoch") one = "epoch";
    if (strip_begin(one, "every ")) one = "time:" + one;
    all += (all.empty() ? "" : ",") + one;
  }
  return all;
}

void read_save(scenario::Fields& keys, Today& today) {
  const std::string expected =
      "when you save: `every 10m`, `every 10m and on notice`, `on notice`, `never`, or a "
      "checkpoint policy (`spotsim policies`)";
  const auto field = keys.require("save", expected);
  const auto text = field ? field->text(expected) : std::nullopt;
  if (!text) return;
  today.save = *text;
  today.policy = policy_of(*text);
  try {
    if (today.policy.find("command") != std::string::npos) return field->fail(expected);
    policies::CheckpointPolicies(today.policy);
  } catch (const std::invalid_argument&) {
    field->fail(expected);
  }
}

void read_rent(scenario::Fields& keys, Today& today) {
  const std::string expected =
      "what you rent: on-demand, spot, or an acquisition strategy (`spotsim policies`)";
  const auto field = keys.require("rent", expected);
  const auto text = field ? field->text(expected) : std::nullopt;
  if (!text) return;
  today.rent = *text;
  today.strategy = *text == "spot" ? "spot-only" : *text;
  try {
    if (today.strategy.starts_with("command")) return field->fail(expected);
    policies::make_strategy(today.strategy);
  } catch (const std::invalid_argument&) {
    field->fail(expected);
  }
}

void read_zone(scenario::Fields& keys, const Question& question, Today& today) {
  const auto field = keys.take("zone");
  const auto text = field ? field->text("an Availability Zone") : std::nullopt;
  if (!text || question.zones.empty()) return;
  const auto zone = std::ranges::find(question.zones, *text, &ticks::PoolTrace::name);
  if (zone != question.zones.end()) {
    today.zone = {static_cast<std::size_t>(zone - question.zones.begin())};
    return;
  }
  std::vector<std::string> names;
  for (const ticks::PoolTrace& one : question.zones) names.push_back(one.name);
  field->fail(fmt::format("one of the job's zones: {}", fmt::join(names, ", ")));
}

}  // namespace

Duration read_duration(scenario::Fields& fields, const std::string& key, Duration otherwise,
                       Duration least) {
  const auto v = fields.take(key);
  if (!v) return otherwise;
  const Duration found = v->duration().value_or(otherwise);
  if (found < least) v->fail(fmt::format("a duration of at least {}", format_duration(least)));
  return std::max(found, least);
}

Duration require_duration(scenario::Fields& fields, const std::string& key,
                          const std::string& expected) {
  const auto v = fields.require(key, expected);
  if (!v) return 1h;
  const Duration found = v->duration(expected).value_or(1h);
  if (found <= Duration::zero()) v->fail("a duration above 0");
  return std::max(found, Duration(1ms));
}

std::vector<TypeSpeed> read_types(scenario::Fields& fields) {
  const auto known = market::instance_types();
  const auto several = fields.take("instance_types");
  if (!several) {
    const auto one = fields.require("instance_type", "an instance type such as p3.2xlarge");
    return {{one ? one->instance_type(*known).value_or("") : ""}};
  }
  if (const auto one = fields.take("instance_type"))
    one->reject("found both `instance_type` and `instance_types`, expected one of them");
  const std::string expected =
      "instance types with their relative speeds, such as {g5.2xlarge: 1, g6.2xlarge: 1.2}";
  std::vector<TypeSpeed> types;
  if (!several->is_map()) return several->fail(expected), std::vector<TypeSpeed>{{""}};
  scenario::Fields entries(*several);
  for (const scenario::Value& entry : entries.take_all()) {
    const double speed = entry.number().value_or(1);
    if (!known->contains(entry.member_name()))
      entry.reject("found \"" + entry.member_name() + "\", expected " +
                   market::expected_instance_type(*known, entry.member_name()));
    if (speed < kLeastSpeed || speed > kMostSpeed) entry.fail("a speed from 0.01 to 100");
    types.push_back({entry.member_name(), std::clamp(speed, kLeastSpeed, kMostSpeed)});
  }
  if (types.empty()) several->fail(expected), types.push_back({""});
  return types;
}

market::Usd read_price(scenario::Fields& fields, const std::string& key, const std::string& type) {
  const auto field = fields.take(key);
  if (!field) return {};
  if (!field->is_map()) return hourly_price(*field);
  scenario::Fields prices(*field);
  market::Usd found{};
  for (const scenario::Value& price : prices.take_all())
    if (price.member_name() == type) found = hourly_price(price);
  return found;
}

void read_interruptions(scenario::Fields& fields, Question& question) {
  auto field = fields.take("interruptions");
  const auto other = fields.take("interrupted");
  if (field && other)
    other->reject("found both `interruptions` and `interrupted`, expected one of them");
  if (!field) field = other;
  if (!field) return;
  question.as_traced = field->node().IsScalar() && field->node().Scalar() == "none";
  if (question.as_traced) return;
  ticks::Interruptions drawn{.every = 1h, .away = 20min};
  if (!field->is_map()) {
    drawn.every = mean_of_interruptions(*field).value_or(1h);
  } else {
    scenario::Fields one(*field);
    drawn.every = require_duration(one, "every", "a mean duration such as 6h");
    drawn.away = read_duration(one, "away", drawn.away, 1s);
    one.finish();
  }
  if (drawn.every < 1min) field->fail("a mean of at least 1m"), drawn.every = 1h;
  drawn.seed = question.seed;
  question.interruptions = drawn;
}

std::optional<Today> read_today(scenario::Fields& fields, const std::vector<TypeSpeed>& types,
                                const Question& question) {
  const auto field = fields.take("today");
  if (!field) return {};
  if (!field->is_map())
    return field->fail("what you do now, such as {save: every 10m, rent: on-demand}"), std::nullopt;
  scenario::Fields keys(*field);
  Today today;
  read_save(keys, today);
  read_rent(keys, today);
  std::string type = types.front().type;
  if (const auto own = keys.take("instance_type")) {
    type = own->text("an instance type").value_or(type);
    if (std::ranges::find(types, type, &TypeSpeed::type) == types.end())
      own->fail("one of the job's instance types");
  }
  if (type == question.instance_type)
    read_zone(keys, question, today);
  else
    keys.take("zone");
  keys.finish();
  return type == question.instance_type ? std::optional(today) : std::nullopt;
}

}  // namespace sim::sweep
