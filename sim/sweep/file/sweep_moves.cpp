#include "sim/sweep/file/sweep_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sim::sweep {
namespace {

constexpr const char* kMoveExpected = "what a move costs, such as {egress: 0.20, time: 5m}";

constexpr market::Usd kDearestMove{1'000'000'000'000'000};

// The result is at most twice the highest price.
market::Usd times(market::Usd egress, double gigabytes) {
  const double nano = static_cast<double>(egress.nano) * gigabytes;
  return {std::llround(std::min(nano, 2.0 * static_cast<double>(kDearestMove.nano)))};
}

// Egress is per move or, with `gigabytes`, per gigabyte.
ticks::PoolMove read_move(const scenario::Value& value, std::optional<double> gigabytes) {
  ticks::PoolMove move;
  scenario::Fields one(value);
  const std::string each = gigabytes ? "US dollars a gigabyte" : "US dollars a move";
  if (const auto v = one.require("egress", each + " such as 0.20")) {
    move.egress = v->usd().value_or(market::Usd{});
    if (gigabytes) move.egress = times(move.egress, *gigabytes);
    if (move.egress > kDearestMove) v->fail(each + ", at most a million a move");
    move.egress = std::min(move.egress, kDearestMove);
  }
  if (const auto v = one.require("time", "a duration such as 5m")) {
    move.time = v->duration("a duration such as 5m").value_or(Duration{});
    if (move.time < Duration::zero()) v->fail("a duration of at least 0s");
  }
  one.finish();
  return move;
}

// "us-east-1/us-east-2" sets both directions.
void read_pairs(const scenario::Value& value, std::optional<double> gigabytes,
                ticks::MoveCosts& costs) {
  scenario::Fields pairs(value);
  for (const scenario::Value& pair : pairs.take_all()) {
    const std::string& name = pair.member_name();
    const std::size_t slash = name.find('/');
    const std::string from = name.substr(0, slash);
    const std::string to = slash == name.npos ? "" : name.substr(slash + 1);
    if (from.empty() || to.empty() || from == to)
      pair.reject("found " + name + ", expected two regions such as us-east-1/us-east-2");
    const ticks::PoolMove move = read_move(pair, gigabytes);
    const bool known = costs.pairs.contains({from, to});
    if (known) pair.reject("found " + name + " a second time");
    costs.pairs[{from, to}] = costs.pairs[{to, from}] = move;
  }
}

}  // namespace

ticks::MoveCosts read_moves(scenario::Fields& job) {
  const auto field = job.take("moves");
  if (!field) return {};
  scenario::Fields keys(*field);
  std::optional<double> gigabytes;
  if (const auto v = keys.take("gigabytes")) {
    gigabytes = v->number().value_or(0);
    if (!(*gigabytes >= 0 && *gigabytes <= 1e6))
      v->fail("gigabytes from 0 to 1000000"), gigabytes = 0;
  }
  ticks::MoveCosts costs{.gigabytes = gigabytes.value_or(0)};
  if (const auto v = keys.require("between_zones", kMoveExpected))
    costs.between_zones = read_move(*v, gigabytes);
  if (const auto v = keys.require("between_regions", kMoveExpected))
    costs.between_regions = read_move(*v, gigabytes);
  if (const auto v = keys.take("pairs")) read_pairs(*v, gigabytes, costs);
  keys.finish();
  const bool less = costs.between_regions.egress < costs.between_zones.egress ||
                    costs.between_regions.time < costs.between_zones.time;
  if (less && !field->errors().about(field->key()))
    field->reject("moves between regions are cheaper or quicker than between zones");
  return costs;
}

}  // namespace sim::sweep
