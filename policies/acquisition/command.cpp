// Runs a program of any language as a strategy. The program gets a line of JSON on stdin when a run
// begins and one in each tick. For each tick it prints a line of JSON: {"rental": "idle"},
// {"rental": "spot"} or {"rental": "on-demand"}. docs/policies.md lists the fields.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "policies/acquisition/composed.h"
#include "policies/checkpoint/child.h"
#include "policies/checkpoint/policy.h"
#include "policies/checkpoint/seconds.h"
#include "policies/checkpoint/words.h"

namespace policies {
namespace {

using RentalJson = nlohmann::ordered_json;

struct RentalName {
  std::string_view name;
  Rental rental;
};
constexpr RentalName kRentalNames[]{
    {"idle", Rental::kIdle}, {"spot", Rental::kSpot}, {"on-demand", Rental::kOnDemand}};

RentalJson pool_or_null(const std::optional<std::size_t>& pool) {
  return pool ? RentalJson(*pool) : RentalJson();
}

RentalJson description_of(const AcquisitionJob& job, std::size_t pools,
                          std::chrono::nanoseconds longest_move) {
  return {{"event", "begin"},
          {"work", seconds_of(job.work)},
          {"deadline", seconds_of(job.deadline)},
          {"changeover", seconds_of(job.changeover)},
          {"tick_time", seconds_of(job.tick)},
          {"longest_move", seconds_of(longest_move)},
          {"pools", pools}};
}

RentalJson pools_of(const MarketState& state) {
  RentalJson pools = RentalJson::array();
  for (std::size_t p = 0; p < state.pools.size(); ++p) {
    const PoolQuote& quote = state.pools[p];
    const PoolMove move = state.move_to(p);
    pools.push_back({{"instances", quote.instances},
                     {"spot", quote.spot},
                     {"on_demand", quote.on_demand},
                     {"egress", move.egress},
                     {"move_time", seconds_of(move.time)}});
  }
  return pools;
}

RentalJson description_of(const MarketState& state) {
  const AcquisitionState& job = state.job;
  const bool held = job.now != Rental::kIdle;
  return {{"event", "tick"},
          {"tick", job.tick},
          {"done", seconds_of(job.done)},
          {"held", kRentalNames[static_cast<std::size_t>(job.now)].name},
          {"pool", held ? RentalJson(state.pool) : RentalJson()},
          {"bid", job.now == Rental::kSpot ? RentalJson(state.bid) : RentalJson()},
          {"changeover_left", held ? seconds_of(job.changeover_left) : 0},
          {"interrupted", pool_or_null(state.interrupted)},
          {"data", pool_or_null(state.data)},
          {"pools", pools_of(state)}};
}

class CommandStrategy final : public Strategy {
 public:
  explicit CommandStrategy(const std::vector<std::string>& words)
      : program_(words.empty() ? "" : words.front()), child_(words) {}

 private:
  void begin(const AcquisitionJob& job, std::size_t pools,
             std::chrono::nanoseconds longest_move) override {
    child_.tell(description_of(job, pools, longest_move).dump());
  }

  Placement decide(const MarketState& state) override {
    const std::string line = child_.exchange(description_of(state).dump());
    if (const auto placement = read(RentalJson::parse(line, nullptr, false), state))
      return *placement;
    throw PolicyFailed(
        "policy program " + program_ + " answered '" + line.substr(0, 80) +
        R"(', expected {"rental": "idle"}, {"rental": "spot"} or {"rental": "on-demand"}, )" +
        R"(perhaps with a "pool" from 0 to )" + std::to_string(state.pools.size() - 1) +
        R"( and a "bid" above 0)");
  }

  static std::optional<Placement> read(const RentalJson& answer, const MarketState& state) {
    const auto field = [&](const char* name) {
      return answer.contains(name) ? answer[name] : RentalJson();
    };
    if (!answer.is_object()) return {};
    const RentalJson rental = field("rental"), pool = field("pool"), bid = field("bid");
    const auto found = std::find_if(std::begin(kRentalNames), std::end(kRentalNames),
                                    [&](const RentalName& r) { return rental == r.name; });
    if (found == std::end(kRentalNames)) return {};
    if (!pool.is_null() && !(pool.is_number_unsigned() && pool < state.pools.size())) return {};
    if (!bid.is_null() && !(bid.is_number() && bid > 0)) return {};
    if (found->rental == Rental::kIdle) return Placement{};
    const std::size_t where =
        pool.is_null() ? usual_pool(found->rental, bid, state) : static_cast<std::size_t>(pool);
    if (found->rental == Rental::kOnDemand) return Placement{Rental::kOnDemand, where, 0};
    return Placement{Rental::kSpot, where, bid_in(where, bid, state)};
  }

  static double bid_in(std::size_t pool, const RentalJson& bid, const MarketState& state) {
    return bid.is_null() ? state.pools[pool].on_demand : static_cast<double>(bid);
  }

  // The pool of an answer that does not state one.
  static std::size_t usual_pool(Rental rental, const RentalJson& bid, const MarketState& state) {
    if (rental == state.job.now) return state.pool;
    if (rental == Rental::kOnDemand) return on_demand_pool(state);
    for (std::size_t p = 0; p < state.pools.size(); ++p)
      if (state.pools[p].instances > 0 && state.pools[p].spot <= bid_in(p, bid, state)) return p;
    return 0;
  }

  std::string program_;
  Child child_;
};

}  // namespace

std::unique_ptr<Strategy> make_command_strategy(std::string_view argument) {
  return std::make_unique<CommandStrategy>(split_words(argument));
}

}  // namespace policies
