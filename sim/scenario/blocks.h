// The blocks of a scenario file, each read by one function. For scenario.cpp only.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "sim/scenario/scenario.h"
#include "sim/scenario/yaml_fields.h"

namespace sim::scenario {

constexpr int kMostSlots = 1'000'000;  // limit of a pool

// region, availability_zones, market, regions, interruptions, durations, prices, latencies.
void read_world(Fields& fields, Scenario& scenario);
// An entry of market.availability.
void read_availability(const Value& entry, Scenario& scenario);
void read_interruptions(const Value& list, Scenario& scenario);
void read_faults(const Value& list, Scenario& scenario);
void read_swarm(const Value& block, Scenario& scenario);
// Rejects a value that names an unknown kind of event.
void check_event_kind(const Value& value, const std::string& kind);
// Rejects a value that names an unknown invariant.
void check_invariant(const Value& value, const std::string& id,
                     const result::InvariantRules& rules);
// durations, prices, latencies and network.
void read_knobs(Fields& fields, Scenario& scenario);
void read_bill_prices(const Value& block, cloud::Prices& prices);
// Reads the initial state of IAM, and whether IAM decides about calls.
void read_iam(const Value& block, Scenario& scenario);
void read_operator(const Value& block, Scenario& scenario);
void read_code(const Value& block, Scenario& scenario);
void read_urls(const Value& block, Scenario& scenario);
void read_guest(const Value& block, Scenario& scenario);
void read_images(const Value& block, Scenario& scenario);
void read_trainer(const Value& block, Scenario& scenario);
void read_progress(const Value& block, Scenario& scenario);
void read_baseline(const Value& block, Scenario& scenario);
// `rules` are the scenario's, because expectations can name its own invariants.
std::vector<result::Expectation> read_expectations(const Value& block,
                                                   const result::InvariantRules& rules = {});
result::InvariantRules read_invariants(const Value& block);

// Checks blocks against each other. The region must have every pool of the fleet requests beside
// the scenario, and the pool must have prices.
void check_world(const Scenario& scenario, const Value& root);

// True if the part of the traces to use is known. False after errors in the run's times, region or
// types, which were reported.
bool window_is_known(const Errors& errors);
// True if the pools with prices are those that the author intended. False after reported errors in
// values that determine the pools.
bool prices_are_known(const Scenario& scenario, const Errors& errors);
// Reports an error at the value that names this pool if the pool has no prices.
void require_prices(const Value& value, const market::Pool& pool, const Scenario& scenario);
// Reads a pool that has prices.
std::optional<market::Pool> read_pool(const Value& value, const Scenario& scenario);
// Reads the law of how long spot instances live, in one pool or in all.
faults::Lifetime read_lifetime(const Value& mean, const std::optional<Value>& shape,
                               std::optional<market::Pool> pool);
// The pools with prices that are most similar to one without, in the form of in_words().
std::string others_than(const market::Pool& pool, const Scenario& scenario);
// "p3.2xlarge/us-west-2a, p3.2xlarge/us-west-2b"; of more than eight the first ones and their
// number.
std::string in_words(const std::set<market::Pool>& pools);

// Resolves a path of a scenario relative to its folder, and records the file as one of the
// scenario's inputs.
std::filesystem::path beside(Scenario& scenario, const std::string& path);
// The folder that a value names, relative to the scenario's. Reports an error if it does not exist.
std::filesystem::path folder_beside(const Value& value, Scenario& scenario);

}  // namespace sim::scenario
