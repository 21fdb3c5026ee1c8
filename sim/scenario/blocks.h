// The blocks of a scenario file, each read by a function of its own; for scenario.cpp only.
#pragma once

#include <optional>

#include "sim/scenario/scenario.h"
#include "sim/scenario/yaml_fields.h"

namespace sim::run {

constexpr int kMostSlots = 1'000'000;  // of a pool

// region, availability_zones, market, interruptions, durations, prices, latencies.
void read_world(Fields& fields, Scenario& scenario);
// An entry of market.availability.
void read_availability(const Value& entry, Scenario& scenario);
void read_interruptions(const Value& list, Scenario& scenario);
// durations, prices and latencies: how long things take and what they cost.
void read_knobs(Fields& fields, Scenario& scenario);
void read_operator(const Value& block, Scenario& scenario);
void read_code(const Value& block, Scenario& scenario);
void read_guest(const Value& block, Scenario& scenario);
void read_trainer(const Value& block, Scenario& scenario);
void read_baseline(const Value& block, Scenario& scenario);
std::vector<Expectation> read_expectations(const Value& block);

// What several blocks say together: that every pool of the fleet requests beside the scenario is
// one of the region's and has prices.
void check_world(const Scenario& scenario, const Value& root);

// "p3.2xlarge/us-west-2a, p3.2xlarge/us-west-2b"; of more than eight the first, and their number.
std::string in_words(const std::set<market::Pool>& pools);

// The path that a scenario names, relative to its folder; it is among its inputs from then on.
std::filesystem::path beside(Scenario& scenario, const std::string& path);

}  // namespace sim::run
