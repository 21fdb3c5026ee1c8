// The blocks of a scenario file, each read by a function of its own; for scenario.cpp only.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "sim/scenario/scenario.h"
#include "sim/scenario/yaml_fields.h"

namespace sim::run {

constexpr int kMostSlots = 1'000'000;  // of a pool

// region, availability_zones, market, interruptions, durations, prices, latencies.
void read_world(Fields& fields, Scenario& scenario);
// An entry of market.availability.
void read_availability(const Value& entry, Scenario& scenario);
void read_interruptions(const Value& list, Scenario& scenario);
void read_faults(const Value& list, Scenario& scenario);
void read_swarm(const Value& block, Scenario& scenario);
// Rejects a value that names an unknown kind of event.
void check_event_kind(const Value& value, const std::string& kind);
// Rejects a value that names an unknown invariant.
void check_invariant(const Value& value, const std::string& id, const InvariantRules& rules);
// durations, prices, latencies and network: how long things take and what they cost.
void read_knobs(Fields& fields, Scenario& scenario);
void read_operator(const Value& block, Scenario& scenario);
void read_code(const Value& block, Scenario& scenario);
void read_urls(const Value& block, Scenario& scenario);
void read_guest(const Value& block, Scenario& scenario);
void read_images(const Value& block, Scenario& scenario);
void read_trainer(const Value& block, Scenario& scenario);
void read_progress(const Value& block, Scenario& scenario);
void read_baseline(const Value& block, Scenario& scenario);
// `rules`: the scenario's, whose own invariants can be named, too.
std::vector<Expectation> read_expectations(const Value& block, const InvariantRules& rules = {});
InvariantRules read_invariants(const Value& block);

// What several blocks say together: that every pool of the fleet requests beside the scenario is
// one of the region's and has prices.
void check_world(const Scenario& scenario, const Value& root);

// Whether it is known which part of the traces is meant: not when something is wrong with the run's
// times, its region or its types, which has been said.
bool window_is_known(const Errors& errors);
// Whether the pools with prices are those that the file means: not when something is wrong with
// what they follow from, which has been said.
bool prices_are_known(const Scenario& scenario, const Errors& errors);
// Reports an error at the value that names this pool if the pool has no prices.
void require_prices(const Value& value, const market::Pool& pool, const Scenario& scenario);
// A pool that has prices.
std::optional<market::Pool> read_pool(const Value& value, const Scenario& scenario);
// The law of how long spot instances of a pool, or of all, live.
faults::Lifetime read_lifetime(const Value& mean, const std::optional<Value>& shape,
                               std::optional<market::Pool> pool);
// The pools with prices that are most like one without, as in_words() has them.
std::string others_than(const market::Pool& pool, const Scenario& scenario);
// "p3.2xlarge/us-west-2a, p3.2xlarge/us-west-2b"; of more than eight the first, and their number.
std::string in_words(const std::set<market::Pool>& pools);

// The path that a scenario names, relative to its folder. The file is one of the scenario's inputs
// from then on.
std::filesystem::path beside(Scenario& scenario, const std::string& path);
// The folder that a value names, relative to the scenario's; an error when there is none.
std::filesystem::path folder_beside(const Value& value, Scenario& scenario);

}  // namespace sim::run
